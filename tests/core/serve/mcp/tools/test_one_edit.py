"""`update_memory` beside hooks: what arrives by both ways is one edit, whichever is taken in first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.hook import hear
from ccos_core.serve.mcp.offering import DEFAULT, STEERING, offering
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.session.hearing import take_in
from ccos_core.session.live_scan import look_through
from ccos_core.storage.locate import default_path
from tests.core.serve.mcp.tools.serving import project
from tests.core.serve.mcp.tools.test_context import Steering

MEMORY, LINE = "# Memory\n\n## Build\n\n- use make\n", "- and test"
GROWN = MEMORY + LINE + "\n"


def serving(folder: Path, workspace: str) -> Steering:
    """A server that takes in what hooks heard, as `ccos-tui mcp` does."""
    host = Steering(folder, Path(workspace))
    host.door = Door(workspace, str(folder), steers=True, hearing=take_in)
    host.offer = offering(host.door, (*DEFAULT, STEERING))
    return host


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Steering]:
    monkeypatch.delenv("CCOS_OFF", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = project(tmp_path / "project")
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "MEMORY.md").write_text(MEMORY)
    host = serving(folder, default_path(str(folder)))
    host.door.live()
    look_through(host.door.path)
    yield host
    host.door.close()


def hook(host: Steering, tool: str, given: dict[str, Any], response: Any) -> None:
    """What Claude Code reports behind a call."""
    event = {
        "session_id": "s1", "cwd": str(host.project), "hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_use_id": "t1", "tool_input": given, "tool_response": response,
    }  # fmt: skip
    hear([], json.dumps(event).encode())


def edits(host: Steering) -> list[str]:
    """The hash of the content of each recorded edit of the memory."""
    assert take_in(host.door.path).why == ""
    return [op["content"]["blob"] for op in host.ops("seen") if op["path"] == "MEMORY.md" and op["how"] == "edit"]


def test_a_hook_that_reports_the_call_adds_no_edit(host: Steering) -> None:
    given = {"section": "build", "content": LINE}
    found = host.call("update_memory", **given)
    hook(host, "mcp__ccos-tui__update_memory", given, [{"type": "text", "text": json.dumps(found)}])
    assert len(edits(host)) == 1
    assert len(host.ops("tool")) == 1  # it was heard
    assert not host.call("update_memory", **given)["changed"]
    assert len(edits(host)) == 1


def test_an_edit_that_a_hook_reported_before_is_not_told_again(host: Steering) -> None:
    path = str(host.project / "MEMORY.md")
    given = {"file_path": path, "old_string": "- use make\n", "new_string": f"- use make\n{LINE}\n"}
    (host.project / "MEMORY.md").write_text(GROWN)
    hook(host, "Edit", given, {"filePath": path, "originalFile": MEMORY, "structuredPatch": [], **given})
    assert not host.call("update_memory", section="build", content=LINE)["changed"]
    assert len(edits(host)) == 1
    assert host.call("update_memory", section="build", content="- lint")["changed"]
    assert len(edits(host)) == 2


def test_a_second_server_tells_it_no_second_time(host: Steering) -> None:
    other = serving(host.project, host.door.path)
    host.call("update_memory", section="build", content=LINE)
    assert not other.call("update_memory", section="build", content=LINE)["changed"]
    assert len(edits(host)) == 1
    other.door.close()
