"""What setup writes into files that weren't there, of every agent, kept as one file. A change is a decision.

To take today's for good: `CCOS_GOLDEN=write python -m pytest tests/golden`, and read the difference before it goes in.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ccos_core._version import __version__
from ccos_core.session.setup import plan
from ccos_core.session.setup.editing import with_ours
from ccos_core.session.setup.hosts import HOSTS, Machine, Program, Scope

KEPT = Path(__file__).parent / "setup.txt"
PROGRAM = Program(
    "/opt/ccos/bin/python3",
    "/opt/ccos/bin/python3 -P -m ccos_tui hook || exit 0",
    "/opt/ccos/bin/python3 -P -m ccos_tui hook --inject || exit 0",
    {"PYTHONPATH": "/opt/ccos/lib"},
    ("PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"),
    {"SessionStart": "compact", "UserPromptSubmit": ""},
    {host: f"/opt/ccos/bin/python3 -P -m ccos_tui hook --host {host} || exit 0" for host in ("codex", "gemini")},
    ("/opt/ccos/bin/python3", "-I", "-S", "/opt/ccos/lib/ccos_core/serve/hook_door.py"),
)
SCOPES: tuple[Scope, ...] = ("user", "project")


def test_what_is_written_stays() -> None:
    machine = Machine("/home/somebody", {}, "linux", "/home/somebody/project")
    targets = [each for host in HOSTS for scope in SCOPES for each in host.targets(machine, scope, PROGRAM)]
    targets += plan.plugin_targets("/home/somebody/plugin", PROGRAM)
    said = "\n".join(
        f"==== {each.host}, {each.scope}: {each.path}\n{with_ours(None, each).decode()}" for each in targets
    )
    said = re.sub(rf'"{re.escape(__version__)}"', '"VERSION"', said)
    if os.environ.get("CCOS_GOLDEN") == "write":
        KEPT.write_text(said, encoding="utf-8")
    assert said == KEPT.read_text(encoding="utf-8")
