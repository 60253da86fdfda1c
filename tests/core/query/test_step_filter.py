"""Filters over groups of steps: no matching step is lost, and what is typed means what it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.query.step_filter import Filter, matching, parse_filter
from ccos_core.query.step_outline import Outline, outline_of
from ccos_core.replay.codes import how_of
from ccos_core.replay.timeline import Timeline
from tests.core.query.test_step_groups import OPS, call, groups, prompt, recorded, told

Ops = list[tuple[dict[str, Any], str]]
KINDS = ("tool", "edit", "read", "gone", "prompt", "usage", "thought", "turn", "skill", "Bash")


def is_of_kind(op: dict[str, Any], kind: str) -> bool:
    return kind in (op["kind"], how_of(op), op.get("name"), op.get("name", "").casefold())


@given(OPS, st.sampled_from(KINDS))
def test_no_step_of_a_kind_is_lost(ops: Ops, kind: str) -> None:
    timeline = told(ops)
    shown = matching(outline_of(timeline), Filter(kinds=(kind,)))
    for group, is_shown in zip(groups(timeline, 1, timeline.head), shown.tolist(), strict=True):
        members = [timeline.op(step) for step in group.steps]
        if kind == "Bash":
            assert is_shown == (group.tool == "Bash")
        else:
            assert is_shown == any(is_of_kind(op, kind) for op in members)


@given(OPS)
def test_no_step_that_touches_a_file_is_lost(ops: Ops) -> None:
    timeline = told(ops)
    shown = matching(outline_of(timeline), Filter(files=("A.py",)))
    for group, is_shown in zip(groups(timeline, 1, timeline.head), shown.tolist(), strict=True):
        assert is_shown == any("path" in timeline.op(step) for step in group.steps)


@given(OPS, st.sampled_from(["main", "sub-1", "sub"]))
def test_contexts_are_named_or_begun(ops: Ops, context: str) -> None:
    timeline = told(ops)
    shown = matching(outline_of(timeline), Filter(contexts=(context,)))
    wanted = "" if context == "main" else "sub-1"
    assert shown.tolist() == [group.context == wanted for group in groups(timeline, 1, timeline.head)]


@given(OPS, st.sampled_from(KINDS), st.sampled_from(["ok", "error", "failed", "passed", "bad"]))
def test_filters_together_mean_both(ops: Ops, kind: str, outcome: str) -> None:
    outline = outline_of(told(ops))
    both = matching(outline, Filter(kinds=(kind,), outcomes=(outcome,)))
    assert (both == (matching(outline, Filter(kinds=(kind,))) & matching(outline, Filter(outcomes=(outcome,))))).all()


@given(OPS, st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_values_of_one_filter_mean_either(ops: Ops, one: str, other: str) -> None:
    outline = outline_of(told(ops))
    either = matching(outline, Filter(kinds=(one, other)))
    assert (either == (matching(outline, Filter(kinds=(one,))) | matching(outline, Filter(kinds=(other,))))).all()


@pytest.fixture
def timeline() -> Timeline:
    return recorded(
        prompt("fix it"),
        call("Bash", {"command": "pytest"}, "FAILED test_a.py::test_x - no\n1 failed\n", "error"),
        call("Edit", {"file_path": "/w/src/app.py", "old_string": "a", "new_string": "b"}),
        {"kind": "seen", "path": "src/app.py", "how": "edit", "content": "b\n"},
        call("Bash", {"command": "ls"}, outcome="error", context="sub-1"),
    )


def said(timeline: Timeline, text: str) -> list[str]:
    outline = outline_of(timeline)
    shown = matching(outline, parse_filter(text, outline))
    every = groups(timeline, 1, timeline.head)
    return [group.says for group, is_shown in zip(every, shown.tolist(), strict=True) if is_shown]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kind=edit", ["Edit src/app.py"]),
        ("edit", ["Edit src/app.py"]),
        ("bash", ["Bash pytest", "Bash ls"]),
        ("kind=Bash,prompt context=main", ["fix it", "Bash pytest"]),
        ("bash sub-1", ["Bash ls"]),
        ("outcome:failed", ["Bash pytest"]),
        ("bad", ["Bash pytest", "Bash ls"]),
        ("src/", ["Edit src/app.py"]),
        ("file=nowhere", []),
        ("thinking", []),
    ],
)
def test_a_filter_is_read_as_it_is_typed(timeline: Timeline, text: str, found: list[str]) -> None:
    assert said(timeline, text) == found


@pytest.mark.parametrize("text", ["kind=nonsense", "outcome=fine", "colour=red"])
def test_a_filter_that_cannot_be_meant_is_refused(timeline: Timeline, text: str) -> None:
    with pytest.raises(Usage):
        said(timeline, text)


@given(OPS, st.lists(st.sampled_from(["kind=tool", "kind=edit,read", "context=main", "outcome=ok", "file=a"])))
def test_the_text_of_a_filter_means_the_filter(ops: Ops, words: list[str]) -> None:
    outline: Outline = outline_of(told(ops))
    wanted = parse_filter(" ".join(words), outline)
    assert parse_filter(wanted.text, outline) == wanted
