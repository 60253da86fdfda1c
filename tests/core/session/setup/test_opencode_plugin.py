"""The plugin for OpenCode as JavaScript runs it: which events reach the hook."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ccos_core.session.setup.hosts import plugin_text
from tests.core.session.setup.configurations import program

NODE = shutil.which("node")
HOOK = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + '\\n')"
DRIVER = """
import { CcosTui } from "./plugin.mjs"
const plugin = await CcosTui({ directory: "/p" })
for (const event of @EVENTS@) await plugin.event({ event })
await plugin.dispose()
"""


def heard(folder: Path, events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """(session, call) of what reaches the hook."""
    out = folder / "heard.txt"
    words = (sys.executable, "-c", HOOK, str(out))
    (folder / "plugin.mjs").write_text(plugin_text(replace(program(), words=words)), encoding="utf-8")
    (folder / "driver.mjs").write_text(DRIVER.replace("@EVENTS@", json.dumps(events)), encoding="utf-8")
    subprocess.run([str(NODE), "driver.mjs"], cwd=folder, check=True, timeout=60)
    told = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return sorted({(each["session_id"], each["tool_use_id"]) for each in told})


def ended(session: str, part: str, call: str) -> dict[str, Any]:
    said = {"id": part, "sessionID": session, "messageID": f"m-{part}", "type": "tool", "callID": call, "tool": "read"}
    state = {"status": "completed", "input": {}, "output": "", "metadata": {}, "time": {"start": 1, "end": 2}}
    return {"type": "message.part.updated", "properties": {"part": {**said, "state": state}}}


@pytest.mark.skipif(NODE is None, reason="no node here")
def test_calls_of_two_sessions_may_have_one_name(tmp_path: Path) -> None:
    """Some models count their calls from nought in each session."""
    name = "functions.read:0"
    events = [ended("ses_1", "prt_1", name), ended("ses_1", "prt_1", name), ended("ses_2", "prt_2", name)]
    assert heard(tmp_path, events) == [("ses_1", name), ("ses_2", name)]
