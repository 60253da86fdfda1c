"""Crush: what a session of its database tells."""

import json
from typing import Any

from ccos_core.intake.importers.crush import FORMAT
from ccos_core.intake.importers.formats import recognised
from ccos_core.intake.importers.record import Observation
from tests.core.intake.importers.foreign import fed, of_kind, recorded, told

SESSION = {"id": "s1", "parent_session_id": None, "title": "Mending", "prompt_tokens": 900, "completion_tokens": 30,
           "cost": 0.5, "created_at": 1_754_331_191, "updated_at": 1_754_331_999, "summary_message_id": "m7",
           "directory": "/w"}  # fmt: skip
SHOWN = "<file>\n     1|one\n     2|two\n</file>\n"


def part(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data}


def message(name: str, role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    at = 1_754_331_200 + int(name[1:])
    return {"id": name, "role": role, "parts": list(parts), "created_at": at, "model": "m-1", **more}


def call(name: str, tool: str, **given: Any) -> dict[str, Any]:
    return part("tool_call", id=name, name=tool, input=json.dumps(given), finished=True)


def result(name: str, content: str, *, bad: bool = False, **noted: Any) -> dict[str, Any]:
    return part("tool_result", tool_call_id=name, content=content, metadata=json.dumps(noted), is_error=bad)


def document(**more: Any) -> dict[str, Any]:
    """One of each kind of message and part."""
    return {
        "crush": {**SESSION, **more},
        "messages": [
            message("m1", "user", part("text", text="Fix it."), part("image_url", url="http://x/a.png")),
            message("m2", "assistant", part("reasoning", thinking="Hm."), part("text", text="I look."),
                    call("c1", "view", file_path="/w/a.py"), call("c2", "bash", command="make"),
                    part("finish", reason="tool_use")),
            message("m3", "tool", result("c1", SHOWN), result("c2", "boom\nExit code 2")),
            message("m4", "assistant", call("c3", "edit", file_path="/w/a.py", old_string="one", new_string="1"),
                    call("c4", "write", file_path="/w/b.py", content="b\n"),
                    call("c5", "edit", file_path="/w/c.py", old_string="x", new_string="y"),
                    part("finish", reason="tool_use")),
            message("m5", "tool", result("c3", "ok", old_content="one\ntwo\n", new_content="1\ntwo\n"),
                    result("c4", "ok", old_content=""), result("c5", "old_string not found", bad=True)),
            message("m6", "assistant", part("finish", reason="canceled", message="Request cancelled")),
            message("m7", "assistant", part("text", text="All so far.")),
            message("m8", "assistant", part("text", text="On."), call("c6", "bash", command="sleep 9")),
        ],
    }  # fmt: skip


def found(**more: Any) -> list[Observation]:
    return told(FORMAT, recorded(document(**more)))


def test_a_session_is_told_in_order() -> None:
    assert [each["kind"] for each in found() if each["kind"] != "seen"] == [
        *("prompt", "thought", "turn", "tool", "tool", "turn", "tool", "tool", "tool", "turn"),
        *("compaction", "turn", "usage"),
    ]


def test_calls_and_files() -> None:
    assert {each["call"]: each["outcome"] for each in of_kind(found(), "tool")} == {
        "c1": "ok", "c2": "error", "c3": "ok", "c4": "ok", "c5": "error",
    }  # fmt: skip
    seen = [(each["call"], each["path"], each["how"], each["content"]) for each in of_kind(found(), "seen")]
    assert [each for each in seen if each[2] != "ingest"] == [
        ("c1", "/w/a.py", "read", "one\ntwo\n"),
        ("c3", "/w/a.py", "edit", "1\ntwo\n"),
        ("c4", "/w/b.py", "write", "b\n"),
    ]
    assert [each["call"] for each in fed(FORMAT, recorded(document())).pending()] == ["c6"]


def test_why_messages_ended() -> None:
    assert [(each["stop"], each["detail"]) for each in of_kind(found(), "turn")] == [
        ("tool", None), ("tool", None), ("interrupted", "Request cancelled"), (None, None),
    ]  # fmt: skip


def test_a_summary_takes_the_place_of_all_before_it() -> None:
    (cut,) = of_kind(found(), "compaction")
    assert (cut["summary"], cut["kept"], cut["exact"]) == ("All so far.", [], True)


def test_tokens_are_those_of_the_session() -> None:
    (usage,) = of_kind(found(), "usage")
    assert (usage["window"], usage["written"], usage["cost"]) == (900, 30, 500_000)


def test_a_session_that_another_one_started_is_a_context_of_it() -> None:
    (prompt,) = of_kind(found(parent_session_id="s0"), "prompt")
    assert (prompt["session"], prompt["context"]) == ("s0", "s1")


def test_it_is_known_by_what_it_says() -> None:
    assert recognised(json.dumps(document()).encode()) is FORMAT
    assert fed(FORMAT, recorded(document())).origin.cwd == "/w"
