"""The folder of a plugin for Claude Code: server and hooks as one thing it installs, enables and takes away itself.

Another way to the same, for whoever would rather not have settings edited. The folder is its own marketplace.
"""

from __future__ import annotations

import json
import os

from ccos_core._version import __version__
from ccos_core.session.setup import hosts
from ccos_core.session.setup.hosts import SERVER, Program, Target

NAME = "ccos-tui"
ABOUT = "The flight recorder for an agent's working memory: records every tool call, and serves the window it needs."
OWNER = {"name": NAME}


def targets(folder: str, program: Program) -> list[Target]:
    """The files of the folder."""
    plugin = {"name": NAME, "version": __version__, "description": ABOUT, "author": OWNER}
    listed = {"name": NAME, "source": "./", "description": ABOUT}
    files = {
        ".claude-plugin/plugin.json": plugin,
        ".claude-plugin/marketplace.json": {"name": NAME, "owner": OWNER, "plugins": [listed]},
        "hooks/hooks.json": {"description": "Records what the agent does.", "hooks": hosts.claude_hooks(program)},
        ".mcp.json": {"mcpServers": {SERVER: hosts.as_command(program)}},
    }
    return [
        Target(
            "claude-code",
            "user",
            os.path.join(folder, *name.split("/")),
            "whole",
            (),
            json.dumps(said, indent=2) + "\n",
        )
        for name, said in files.items()
    ]


def installing(folder: str) -> list[str]:
    """The commands that make Claude Code take it in."""
    return [f"claude plugin marketplace add {folder}", f"claude plugin install {NAME}@{NAME}"]
