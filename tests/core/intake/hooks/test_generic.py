"""Events of our own kinds, each by itself."""

from typing import Any

import pytest

from ccos_core.intake.hooks.heard import Heard
from ccos_core.intake.hooks.readers import told_by
from tests.core.intake.hooks.test_claude_code import observed

SHARED = {"session": "run-17", "agent": "my-agent", "cwd": "/home/ann/proj"}


def of(**fields: Any) -> list[dict[str, Any]]:
    return observed({**SHARED, **fields})


def test_a_call_comes_with_its_end() -> None:
    given = {"command": "cat a.py"}
    call, file = of(kind="tool", id="c1", name="shell", arguments=given, text="a = 1\n", outcome="ok", millis=7)
    assert (call["host"], call["session"], call["call"], call["millis"]) == ("my-agent", "run-17", "c1", 7)
    assert (call["arguments"], call["result"], call["cwd"]) == (given, "a = 1\n", "/home/ann/proj")
    assert (file["path"], file["content"], file["phase"]) == ("/home/ann/proj/a.py", "a = 1\n", "file.0")


def test_what_a_call_did_to_files_may_be_said() -> None:
    files = [{"kind": "read", "path": "a.py", "text": "a\n", "whole": True}, {"kind": "gone", "path": "b.py"}, 3]
    told = of(kind="tool", id="c1", name="shell", arguments={"command": "ls"}, outcome="ok", files=files)
    assert [(each["kind"], each.get("path")) for each in told] == [
        ("tool", None), ("seen", "/home/ann/proj/a.py"), ("gone", "/home/ann/proj/b.py"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"kind": "prompt", "text": "go"}, "prompt"),
        ({"kind": "turn", "text": "well"}, "turn"),
        ({"kind": "usage", "window": 10}, "usage"),
        ({"kind": "compaction", "summary": "so"}, "compaction"),
        ({"kind": "clear"}, "cleared"),
        ({"kind": "write", "path": "a.py", "text": "a"}, "seen"),
        ({"kind": "renamed", "path": "a.py", "to": "b.py"}, "renamed"),
    ],
)
def test_the_lines_of_a_transcript(fields: dict[str, Any], kind: str) -> None:
    (named,), (unnamed,) = of(id="x1", **fields), of(**fields)
    assert (named["kind"], named["call"], unnamed["call"]) == (kind, "x1", "heard:1")


@pytest.mark.parametrize("event", [{}, {"kind": "wild"}, {"kind": 3}, {"kind": "tool"}, {"kind": "call", "name": "x"}])
def test_what_is_none_of_ours(event: dict[str, Any]) -> None:
    assert told_by(Heard(event, 5, "heard:1")) is None
