"""What hooks of other hosts put on disk: nothing that may not be kept, whichever field a host has it in."""

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.hook import hear
from ccos_core.session.hearing import take_in
from ccos_core.storage.locate import heard_path
from tests.laws.test_hooked import ops

SECRET = "hunter2-" + "correct-horse"
TEXT = f"DEBUG=1\nPLAIN={SECRET}\n"
PATCH = f"*** Begin Patch\n*** Update File: .env\n@@\n-PLAIN=x\n+PLAIN={SECRET}\n*** End Patch\n"
FOUND = f"Found 1 match\n---\nFile: .env\nL2: PLAIN={SECRET}\n---"


def of_gemini(tool: str, given: dict[str, Any], content: Any, display: Any = "") -> dict[str, Any]:
    response = {"llmContent": content, "returnDisplay": display}
    return {"hook_event_name": "AfterTool", "tool_name": tool, "tool_input": given, "tool_response": response}


def of_codex(tool: str, command: str, response: Any) -> dict[str, Any]:
    event = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_use_id": "c1"}
    return {**event, "tool_input": {"command": command}, "tool_response": response}


def of_opencode(tool: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    call = {
        "tool_name": tool,
        "tool_use_id": "c1",
        "tool_input": given,
        "tool_response": {"status": "completed", **state},
    }
    return {"hook_event_name": "tool", **call}


CALLS = [
    ("codex", of_codex("Bash", "cat .env", TEXT)),
    ("codex", of_codex("apply_patch", PATCH, "Exit code: 0\nOutput:\nSuccess.\nM .env\n")),
    ("gemini", of_gemini("read_file", {"file_path": "/p/.env"}, TEXT)),
    ("gemini", of_gemini("run_shell_command", {"command": "cat .env"}, f"Output: {TEXT}", TEXT)),
    (
        "gemini",
        of_gemini(
            "write_file",
            {"file_path": "/p/.env", "content": TEXT},
            f"Wrote. Here is the updated code:\n{TEXT}",
            {"newContent": TEXT, "originalContent": TEXT, "fileDiff": f"+{TEXT}"},
        ),
    ),
    ("opencode", of_opencode("read", {"filePath": "/p/.env"}, output=TEXT, metadata={"display": {"text": TEXT}})),
    ("opencode", of_opencode("bash", {"command": "cat .env"}, output=TEXT, metadata={"output": TEXT, "exit": 0})),
    (
        "opencode",
        of_opencode(
            "edit", {"filePath": "/p/.env", "oldString": "x", "newString": SECRET}, metadata={"diff": f"+{TEXT}"}
        ),
    ),
]


@pytest.mark.parametrize(
    ("host", "event"), CALLS, ids=lambda each: each if isinstance(each, str) else each["tool_name"]
)
def test_contents_of_secret_files_are_never_on_disk(tmp_path: Path, host: str, event: dict[str, Any]) -> None:
    ws = str(tmp_path / "work.ccos")
    said = {"session_id": "s", "cwd": str(tmp_path), **event}
    for given in (said, {**said, "hook_event_name": "changed", "id": "p", "files": [], "tool_calls": [event]}):
        assert hear(["--ws", ws, "--host", host], json.dumps(given).encode()) is not None
    spooled = Path(heard_path(ws)).read_bytes()
    assert SECRET.encode() not in spooled
    assert event["tool_name"].encode() in spooled
    assert not take_in(ws).waiting
    assert all(SECRET.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert [op["name"] for op in ops(Path(ws)) if op["kind"] == "tool"] == [event["tool_name"]]


@pytest.mark.parametrize(
    ("host", "event"),
    [
        ("gemini", of_gemini("grep_search", {"pattern": "PLAIN"}, FOUND, FOUND)),
        (
            "opencode",
            of_opencode("grep", {"pattern": "PLAIN"}, output=f"Found 1 matches\n/p/.env:\n  Line 2: PLAIN={SECRET}\n"),
        ),
        ("codex", of_codex("Bash", "rg --heading -n PLAIN", f".env\n2:PLAIN={SECRET}\n")),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_lines_of_a_secret_file_in_a_search_are_left_out(tmp_path: Path, host: str, event: dict[str, Any]) -> None:
    ws = str(tmp_path / "work.ccos")
    hear(["--ws", ws, "--host", host], json.dumps({"session_id": "s", "cwd": str(tmp_path), **event}).encode())
    spooled = Path(heard_path(ws)).read_bytes()
    assert SECRET.encode() not in spooled
    assert b".env" in spooled
