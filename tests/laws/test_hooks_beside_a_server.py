"""Hooks and a server write to one workspace at the same time: nothing is lost, and the next answer knows of it."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.hook_line import door
from tests.core.serve.calling import ROOT
from tests.core.serve.mcp.talking import Host

SERVER = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
ROUNDS, AT_ONCE = 4, 8


@pytest.fixture
def project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    (shop / "a.py").write_text("def total(rows):\n    return sum(rows)\n")
    return shop


def hear(root: Path, number: int) -> str:
    """A hook as a host runs it; gives the id of the call it was told of."""
    name = f"call-{number}"
    given = {"command": f"echo {number}"}
    event = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": str(root),
        "tool_name": "Bash",
        "tool_use_id": name,
        "tool_input": given,
        "tool_response": {"stdout": f"{number}", "stderr": "", "interrupted": False},
    }
    line = [sys.executable, "-I", "-S", door()]
    done = subprocess.run(line, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
    return f"Bash echo {number}"


def call(host: Host, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = host.ask("tools/call", {"name": tool, "arguments": arguments})
    assert not answer["result"]["isError"], answer
    told: dict[str, Any] = answer["result"]["structuredContent"]
    return told


def test_nothing_is_lost_and_the_next_call_knows(project: Path) -> None:
    command = [sys.executable, "-c", SERVER, "mcp", str(project), "--toolsets", "all"]
    heard: dict[str, None] = {}
    with Host(command) as host, ThreadPoolExecutor(AT_ONCE) as hooks:
        host.shake()
        for turn in range(ROUNDS):
            under_way = [hooks.submit(hear, project, turn * AT_ONCE + each) for each in range(AT_ONCE)]
            steps = [
                call(host, "ingest", uri=f"m{turn}_{each}.py", source=f"x = {each}\n")["step"]
                for each in range(AT_ONCE)
            ]
            assert len(set(steps)) == AT_ONCE
            heard.update(dict.fromkeys(each.result() for each in under_way))
            told = call(host, "timeline", limit=10_000)
            assert heard.keys() <= {row["says"] for row in told["steps"] if row["kind"] == "tool"}
        proof = call(host, "verify")
        assert proof["valid"]
        kinds = call(host, "stats")["kinds"]
        assert kinds["tool"] == ROUNDS * AT_ONCE
        assert host.end() == 0
