"""Marks of an agent in its own text are evidence where they are certain, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.believing import belief
from ccos_core.query.inline_marks import marks_in
from ccos_core.query.remembered import assertions_of
from ccos_core.query.saying.utterance import memo_id
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MEMO = memo_id(["use", "tabs"])
HELPFUL, HARMFUL = f"[ccos: helpful {MEMO}]", f"[ccos: harmful {MEMO}]"
MAIN = {"host": "claude-code", "session": "s"}


def told(*ops: tuple[str, str, dict[str, Any]]) -> Timeline:
    """(kind, text, further fields) of each op."""
    tale = Tale()
    fields = {"prompt": "said", "turn": "said", "tool": "result", "thought": "said", "compaction": "summary"}
    for kind, text, more in ops:
        tale.tell({"kind": kind, fields[kind]: tale.facts.keep(text), **MAIN, **more})
    return timeline_of(tale)


SAID = ("prompt", "Use tabs.", {"source": "user"})


def test_a_mark_is_weak_evidence_once_for_each_turn() -> None:
    timeline = told(SAID, ("turn", f"Done. {HELPFUL} {HELPFUL}", {}), ("turn", HARMFUL, {}))
    found = belief(timeline, timeline.head, MEMO)
    assert found is not None
    assert [(each.step, each.kind, each.way, each.weight) for each in found.trajectory] == [
        (3, "supported", "inline", 500),
        (4, "contradicted", "inline", 500),
    ]
    assert belief(timeline, 2, MEMO) is None
    (contested,) = ask(timeline, "tension", timeline.head).claims
    assert (contested.text, contested.tension) == ("Use tabs.", 500)
    assert assertions_of(timeline, MEMO, timeline.head).confirmed == 0


@pytest.mark.parametrize(
    "op",
    [
        ("prompt", HELPFUL, {"source": "user"}),
        ("prompt", HELPFUL, {"source": "host"}),
        ("tool", HELPFUL, {"name": "Bash", "outcome": "ok"}),
        ("thought", HELPFUL, {}),
        ("compaction", HELPFUL, {"trigger": "auto", "exact": False}),
        ("turn", f"> {HELPFUL}", {}),
        ("turn", f"```\n{HELPFUL}\n```", {}),
        ("turn", f"    {HELPFUL}", {}),
        ("turn", f'It says "{HELPFUL}" there.', {}),
        ("turn", f"It says “{HELPFUL}” there.", {}),
        ("turn", f"Write `{HELPFUL}` to rate it.", {}),
        ("turn", "[ccos: helpful memo:ID]", {}),
        ("turn", f"[ccos: maybe {MEMO}]", {}),
    ],
    ids=lambda op: f"{op[0]}: {op[1][:12]!r}",
)
def test_what_somebody_else_may_have_written_is_none(op: tuple[str, str, dict[str, Any]]) -> None:
    timeline = told(SAID, op)
    assert belief(timeline, timeline.head, MEMO) is None


def test_a_mark_of_a_statement_that_was_never_said_is_listed_nowhere() -> None:
    timeline = told(("prompt", "Go on.", {"source": "user"}), ("turn", f"{HELPFUL} {HARMFUL}", {}))
    assert ask(timeline, "tension", timeline.head).claims == ()


@given(st.lists(st.sampled_from([HELPFUL, HARMFUL, "```", "~~~", "> ", "`", '"', "\n", "it's ", " "]), max_size=12))
def test_what_is_found_stands_there(parts: list[str]) -> None:
    """In any text, and never inside a fence that is open to its end."""
    text = "".join(parts)
    for kind, node in marks_in(text):
        assert {"supported": HELPFUL, "contradicted": HARMFUL}[kind] in text
        assert node == MEMO
    assert marks_in(f"```\n{text.replace('```', '')}") == ()
