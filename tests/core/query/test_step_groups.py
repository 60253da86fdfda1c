"""Groups of steps: every step is in one, a call takes its effects along, and a row says what a person would call it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.step_groups import Group, groups
from ccos_core.query.step_outline import outline_of
from ccos_core.query.step_words import changed_lines, error_words
from ccos_core.replay.timeline import Timeline
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

Op = dict[str, Any]
HOST = {"host": "claude-code", "session": "s1"}


def recorded(*ops: Op) -> Timeline:
    """A timeline of ops; texts are given as they are, and arguments as values."""
    tale = Tale()
    for op in ops:
        kept = dict(op)
        for field in ("said", "result", "content", "summary", "note"):
            if isinstance(kept.get(field), str):
                kept[field] = tale.facts.keep(kept[field])
        if "arguments" in kept:
            kept["arguments"] = tale.facts.keep(json.dumps(kept["arguments"]))
        tale.tell({**HOST, **kept})
    return timeline_of(tale)


def call(name: str, arguments: Any, result: str = "", outcome: str = "ok", **more: Any) -> Op:
    return {"kind": "tool", "name": name, "arguments": arguments, "result": result, "outcome": outcome, **more}


def prompt(said: str) -> Op:
    return {"kind": "prompt", "said": said, "source": "user"}


def usage(window: int, **more: Any) -> Op:
    return {"kind": "usage", "window": window, **more}


def every(timeline: Timeline) -> tuple[Group, ...]:
    """All groups but the epoch's."""
    return groups(timeline, 2, timeline.head)


# ---- laws ----

EFFECTS: list[Op] = [
    {"kind": "seen", "path": "a.py", "how": "read", "content": "x = 1\n"},
    {"kind": "seen", "path": "a.py", "how": "edit", "content": "x = 2\n"},
    {"kind": "gone", "path": "a.py"},
    {"kind": "passed", "runner": "pytest", "scope": "all"},
    {"kind": "failed", "runner": "pytest", "test": "test_x"},
]
SAID: list[Op] = [
    prompt("do it"),
    {"kind": "prompt", "said": "a skill", "source": "host", "phase": "skill"},
    {"kind": "turn", "said": "Let me look"},
    {"kind": "turn", "said": "a long text " * 20},
    {"kind": "turn"},
    {"kind": "thought", "sealed": True},
    {"kind": "thought", "said": "hm"},
    usage(100),
    usage(250),
    {"kind": "compaction", "trigger": "auto", "exact": True, "before": 250},
    call("Bash", {"command": "ls"}),
    call("Read", {"file_path": "/w/a.py"}, outcome="error"),
]
CONTEXTS = st.sampled_from(["", "sub-1"])
OPS = st.lists(st.tuples(st.sampled_from([*EFFECTS, *SAID]), CONTEXTS), max_size=30)


def told(ops: list[tuple[Op, str]]) -> Timeline:
    return recorded(*({**op, "context": context} if context else op for op, context in ops))


@given(OPS)
def test_every_step_is_in_one_group_and_groups_are_in_the_order_of_their_steps(ops: list[tuple[Op, str]]) -> None:
    timeline = told(ops)
    found = groups(timeline, 1, timeline.head)
    assert [step for group in found for step in group.steps] == list(range(1, timeline.head + 1))
    assert all(group.step in group.steps for group in found)
    outline = outline_of(timeline)
    for place, group in enumerate(found):
        assert {outline.group_of(step) for step in group.steps} == {place}


@given(OPS)
def test_a_group_is_of_one_context_and_holds_one_call_at_most(ops: list[tuple[Op, str]]) -> None:
    timeline = told(ops)
    for group in groups(timeline, 1, timeline.head):
        members = [timeline.op(step) for step in group.steps]
        assert {op.get("context", "") for op in members} == {group.context}
        assert sum(op["kind"] in ("tool", "compaction") for op in members) <= 1
        assert sum(op["kind"] == "prompt" and op["source"] == "user" for op in members) <= 1


@given(OPS, st.integers(1, 31), st.integers(1, 31))
def test_a_part_is_the_same_as_of_the_whole(ops: list[tuple[Op, str]], first: int, last: int) -> None:
    timeline = told(ops)
    first, last = min(first, timeline.head), min(last, timeline.head)
    wanted = range(first, last + 1)
    whole = groups(timeline, 1, timeline.head)
    assert groups(timeline, first, last) == tuple(group for group in whole if set(group.steps) & set(wanted))


@given(OPS)
def test_what_windows_grew_by_adds_up(ops: list[tuple[Op, str]]) -> None:
    timeline = told(ops)
    found = groups(timeline, 1, timeline.head)
    for context in ("", "sub-1"):
        usages = [op["window"] for op, name in ops if op["kind"] == "usage" and name == context]
        grew = [group.grew for group in found if group.context == context and group.grew is not None]
        assert sum(grew) == (usages[-1] if usages else 0)


@given(OPS)
def test_a_group_belongs_to_the_last_prompt_of_the_user(ops: list[tuple[Op, str]]) -> None:
    timeline = told(ops)
    for group in groups(timeline, 1, timeline.head):
        asked = [
            step
            for step in range(1, group.step + 1)
            if timeline.op(step)["kind"] == "prompt" and timeline.op(step)["source"] == "user"
        ]
        assert group.turn == (asked[-1] if asked else 0)


# ---- what a row holds ----


def test_a_call_takes_its_effects_the_text_before_it_and_the_usage_after_it_along() -> None:
    timeline = recorded(
        prompt("fix the build"),
        usage(1_000),
        {"kind": "thought", "sealed": True},
        {"kind": "turn", "said": "Let me look."},
        call("Read", {"file_path": "/w/app.py"}, "x = 1\n"),
        {"kind": "seen", "path": "app.py", "how": "read", "content": "x = 1\n", "slice": [1, 120]},
        usage(1_500),
        {"kind": "turn", "said": "Done."},
    )
    asked, read, answer = every(timeline)
    assert (asked.steps, asked.kind, asked.says, asked.grew) == ((2, 3), "prompt", "fix the build", 1_000)
    assert (read.step, read.steps, read.says) == (6, (4, 5, 6, 7, 8), "Read app.py 1–120")
    assert (read.grew, read.window, read.turn) == (500, 1_500, 2)
    assert (answer.kind, answer.says) == ("turn", "Done.")


def test_a_long_text_before_a_call_has_a_row_of_its_own() -> None:
    text, ran = every(recorded({"kind": "turn", "said": "because " * 40}, call("Bash", {"command": "ls"})))
    assert (text.kind, ran.says) == ("turn", "Bash ls")


def test_a_failing_run_says_how_many_fail() -> None:
    output = "--- FAIL: TestA (0.00s)\n    a_test.go:9: no\n--- FAIL: TestB (0.00s)\n    a_test.go:19: no\nFAIL\n"
    (run,) = every(recorded(call("Bash", {"command": "cd /w && go test ./..."}, output, "error")))
    assert (run.says, run.result, run.outcome) == ("Bash go test ./...", "2 fail", "failed")


def test_an_edit_says_its_lines() -> None:
    edit = call("Edit", {"file_path": "/w/app.py", "old_string": "a\nb\nc", "new_string": "a\nd\ne\nf\nc"})
    (row,) = every(recorded(edit, {"kind": "seen", "path": "app.py", "how": "edit", "content": "d\n"}))
    assert (row.says, row.result) == ("Edit app.py", "+3 −1")


def test_a_patch_in_a_shell_command_is_an_edit_of_its_file() -> None:
    patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n+c\n*** End Patch\nEOF"
    (row,) = every(recorded(call("shell", {"command": ["bash", "-lc", patch]})))
    assert (row.says, row.result) == ("shell app.py", "+2 −1")


def test_a_refused_call_says_why() -> None:
    refused = call("Edit", {"file_path": "/w/app.py"}, "<tool_use_error>File has not been read yet.</tool_use_error>")
    (row,) = every(recorded({**refused, "outcome": "error"}))
    assert (row.says, row.result) == ("Edit /w/app.py", "File has not been read yet.")


def test_a_sealed_thought_alone_says_so() -> None:
    (row,) = every(recorded({"kind": "thought", "sealed": True}, usage(10)))
    assert row.says == "sealed thought"


def test_a_compaction_says_by_how_much_the_window_fell() -> None:
    compaction = {"kind": "compaction", "trigger": "auto", "exact": False, "before": 900, "summary": "so far"}
    *_, row = every(recorded(prompt("go"), usage(900), compaction, usage(300)))
    assert (row.kind, row.grew) == ("compaction", -600)


def test_what_several_calls_grew_by_is_split_by_their_sizes() -> None:
    timeline = recorded(
        prompt("go"), usage(9_000), call("read", {}, "x" * 2_998), call("read", {}, "y" * 998), usage(9_400)
    )
    assert [group.grew for group in every(timeline)] == [9_000, 300, 100]


def test_a_usage_told_behind_its_own_message_counts_for_the_message_before_the_next() -> None:
    timeline = recorded(
        prompt("go"),
        {"kind": "turn", "call": "m1"},
        call("read", {"filePath": "/w/a"}, "x" * 700),
        usage(100, call="m1"),
        {"kind": "turn", "call": "m2", "said": "done"},
        usage(320, call="m2"),
    )
    _, read, answer = every(timeline)
    assert (read.grew, answer.grew) == (220, None)


def test_subagents_are_named_and_belong_to_the_turn_that_called_them() -> None:
    task = {"kind": "prompt", "said": "look around", "source": "agent", "context": "a1"}
    timeline = recorded(
        prompt("go"), task, call("Bash", {"command": "ls"}, context="a1"), call("Task", {"prompt": "x"})
    )
    assert [(group.context, group.turn) for group in every(timeline)] == [("", 2), ("a1", 2), ("a1", 2), ("", 2)]


@pytest.mark.parametrize(
    ("arguments", "changed"),
    [
        ({"old_string": "a", "new_string": "b"}, (1, 1)),
        ({"edits": [{"old_string": "a", "new_string": ""}, {"old_string": "b", "new_string": "b\nc"}]}, (1, 1)),
        ({"content": "one\ntwo\n"}, (2, 0)),
        ({"command": "ls"}, (0, 0)),
        ("text", (0, 0)),
    ],
)
def test_lines_are_counted_as_the_arguments_ask_for_them(arguments: Any, changed: tuple[int, int]) -> None:
    assert changed_lines(arguments) == changed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Exit code 1\nsrc/a.py:3: unused\nerror: lint failed\nbye", "error: lint failed"),
        ("one\ntwo\n", "two"),
        ("Traceback\n  File x\nValueError: bad", "ValueError: bad"),
        ("", ""),
    ],
)
def test_the_line_of_an_error_that_says_most(text: str, said: str) -> None:
    assert error_words(text) == said
