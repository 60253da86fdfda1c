"""What Claude Code's events say, each by itself."""

from typing import Any

import pytest

from ccos_core.intake.hooks.heard import Course, Heard
from ccos_core.intake.hooks.readers import kind_of, told_by
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Telling
from tests.core.intake.importers.claude_code_fixtures import SHOP, edit_of, listed, read_of

CWD = "/home/kim/shop"
READ = {"tool_name": "Read", "tool_use_id": "t1", "tool_input": {"file_path": f"{CWD}/shop.py"}}
RUN = {"tool_name": "Bash", "tool_use_id": "t2", "tool_input": {"command": "cat shop.py"}}


def observed(event: dict[str, Any], cwd: str = "") -> list[Observation]:
    """All an event says, to somebody who knows nothing."""
    told = told_by(Heard(event, 5, "heard:1"))
    assert told is not None
    found: list[Observation] = []
    for each in told:
        said = list(each.observe(Course(Telling(each.host), cwd or each.cwd)))
        assert bool(said) == (each.first is not None)
        if each.first is not None:  # by what is told first it is known
            assert all(
                said[0].get("phase", said[0]["kind"]) if name == "kind" else said[0][name] for name in each.first
            )
        found += said
    return found


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": CWD, "hook_event_name": kind, **fields}


def seen(said: list[Observation]) -> list[tuple[str, str, str]]:
    return [(each["how"], each["path"], each["content"]) for each in said if each["kind"] == "seen"]


def test_a_call_and_what_it_did() -> None:
    call, file = observed(event("PostToolUse", **READ, tool_response=read_of(f"{CWD}/shop.py", SHOP), duration_ms=12))
    assert (call["kind"], call["name"], call["outcome"], call["call"], call["millis"]) == (
        "tool",
        "Read",
        "ok",
        "t1",
        12,
    )
    assert call["result"] == listed(SHOP)
    assert (file["how"], file["content"], file["phase"], file["call"]) == ("read", SHOP, "file.0", "t1")


def test_a_call_that_failed() -> None:
    failed = event("PostToolUseFailure", **RUN, error="Exit code 1\nno such file", is_interrupt=False)
    assert [(each["outcome"], each["result"]) for each in observed(failed)] == [("error", "Exit code 1\nno such file")]
    assert observed({**failed, "is_interrupt": True})[0]["outcome"] == "interrupted"


def test_a_batch_is_the_calls_of_it() -> None:
    given = [{**READ, "tool_response": listed(SHOP)}, {**RUN, "tool_response": "Exit code 1\nno"}]
    told = observed(event("PostToolBatch", tool_calls=given))
    assert [(each["kind"], each["call"], each.get("outcome")) for each in told] == [
        ("tool", "t1", "ok"), ("seen", "t1", None), ("tool", "t2", "error"),
    ]  # fmt: skip
    assert seen(told) == [("read", f"{CWD}/shop.py", SHOP)]


def test_calls_without_names_are_known_by_what_is_said() -> None:
    given = [{"tool_name": "Bash", "tool_input": {"command": f"echo {number}"}} for number in range(2)]
    assert [each["call"] for each in observed(event("PostToolBatch", tool_calls=given))] == ["heard:1.0", "heard:1.1"]


def test_a_call_was_made_where_its_conversation_stood_before() -> None:
    moved = event("PostToolUse", **{**RUN, "tool_input": {"command": "cd sub && cat b.py"}}, cwd=f"{CWD}/sub")
    moved["tool_response"] = {"stdout": "b = 1", "stderr": ""}
    call, file = observed(moved, CWD)
    assert (call["cwd"], file["path"]) == (CWD, f"{CWD}/sub/b.py")


def test_of_a_subagent_no_more_is_believed_than_its_transcript_has() -> None:
    edit = {"tool_name": "Edit", "tool_use_id": "t3", "tool_response": edit_of(f"{CWD}/a.py", "one\ntwo\n", "two", "2")}
    edit["tool_input"] = {"file_path": f"{CWD}/a.py", "old_string": "two", "new_string": "2"}
    assert [how for how, _, _ in seen(observed(event("PostToolUse", **edit)))] == ["ingest", "edit"]
    (told,) = [each for each in observed(event("PostToolUse", agent_id="a1", **edit)) if each["kind"] == "seen"]
    assert (told["context"], told["withheld"]) == ("a1", "unplaced")


@pytest.mark.parametrize(
    ("fields", "kind", "name"),
    [
        ({"hook_event_name": "UserPromptSubmit", "prompt": "go", "prompt_id": "p1"}, "prompt", "prompt:p1"),
        ({"hook_event_name": "UserPromptSubmit", "prompt": "go"}, "prompt", "heard:1"),
        ({"hook_event_name": "PostCompact", "trigger": "auto", "compact_summary": "so"}, "compaction", "heard:1"),
        ({"hook_event_name": "SessionStart", "source": "clear"}, "cleared", "heard:1"),
        ({"hook_event_name": "Stop", "last_assistant_message": "done"}, "turn", "heard:1"),
        ({"hook_event_name": "SubagentStop", "agent_id": "a1", "last_assistant_message": "done"}, "turn", "heard:1"),
    ],
)
def test_what_else_is_told(fields: dict[str, Any], kind: str, name: str) -> None:
    (said,) = observed({**event(""), **fields})
    assert (said["kind"], said["call"], said["at"], said.get("context", "")) == (
        kind,
        name,
        5,
        fields.get("agent_id", ""),
    )


@pytest.mark.parametrize(
    "kind", ["SessionStart", "PreCompact", "SessionEnd", "SubagentStart", "Stop", "UserPromptSubmit"]
)
def test_some_say_nothing(kind: str) -> None:
    assert observed(event(kind, source="startup")) == []


def test_what_nobody_has_heard_of_is_named() -> None:
    wild = Heard({"hook_event_name": "Wild"}, 5, "heard:1")
    assert told_by(wild) is None
    assert kind_of(wild) == "Wild"
    assert kind_of(Heard({}, 5, "heard:1")) == "no name"
