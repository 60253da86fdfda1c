"""The table of agents: how each is told from its traces on this machine, and which file of it wants what of ours.

Paths are made from a `Machine`, which is handed in: nothing here looks at the environment, only at whether files are
there. In a project we choose files that are one person's own where an agent has any, for an interpreter's path is.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ccos_core.session.setup import entries, opencode
from ccos_core.session.setup.entries import SERVER, Program

Scope = Literal["user", "project"]
Form = Literal["json", "toml", "hooks", "both", "whole"]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where somebody works."""

    home: str
    environment: Mapping[str, str]
    platform: str
    project: str
    """The root of the project they stand in."""

    def folder(self, variable: str, *otherwise: str) -> str:
        """A folder that a variable may move."""
        return self.environment.get(variable) or os.path.join(self.home, *otherwise)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a host accepts of a JSON file beyond JSON itself. A file that its host would refuse isn't edited."""

    title: str = ""
    """The host's, for sentences; empty where nothing is known that it refuses."""
    comments: bool = True
    keys: tuple[str, ...] = ()
    """The only keys it accepts at the top; empty for any."""


LENIENT = Reading()


@dataclass(frozen=True, slots=True)
class Target:
    """A file of an agent, and what of ours belongs into it."""

    host: str
    scope: Scope
    path: str
    form: Form
    """How it is edited: a server in JSON or TOML, hooks, both in one JSON file, or a file that is ours as a whole."""
    keys: tuple[str, ...]
    """Where in it ours stands."""
    value: Any
    """What is to stand there; for `both` the value of the server and the groups of hooks."""
    reading: Reading = LENIENT
    """What its host accepts of it."""


@dataclass(frozen=True, slots=True)
class Host:
    """An agent we can be wired into."""

    name: str
    title: str
    program: str
    """What it is called on PATH."""
    traces: Callable[[Machine], list[str]]
    """Files and folders that only it makes."""
    targets: Callable[[Machine, Scope, Program], list[Target]]
    asks: str = ""
    """What the user has to do in it before it uses what was wired."""

    def is_on(self, machine: Machine) -> bool:
        """Whether it is on this machine, or was."""
        there = any(os.path.exists(each) for each in self.traces(machine))
        return there or shutil.which(self.program, path=machine.environment.get("PATH", "")) is not None


def _claude(machine: Machine) -> str:
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def _claude_servers(machine: Machine) -> str:
    """Where Claude Code keeps a user's servers: beside its folder, or inside one that was named."""
    moved = machine.environment.get("CLAUDE_CONFIG_DIR")
    return os.path.join(moved or machine.home, ".claude.json")


def _claude_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    servers, settings = _claude_servers(machine), os.path.join(_claude(machine), "settings.json")
    if scope == "project":
        servers = os.path.join(machine.project, ".mcp.json")
        settings = os.path.join(machine.project, ".claude", "settings.local.json")
    server = Target("claude-code", scope, servers, "json", ("mcpServers", SERVER), entries.as_command(program))
    return [server, Target("claude-code", scope, settings, "hooks", ("hooks",), entries.hooks(program))]


def _codex_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = machine.folder("CODEX_HOME", ".codex") if scope == "user" else os.path.join(machine.project, ".codex")
    server, hooks = os.path.join(folder, "config.toml"), os.path.join(folder, "hooks.json")
    groups = entries.hooks_of("codex", entries.CODEX, program)
    return [
        Target("codex", scope, server, "toml", ("mcp_servers", SERVER), entries.as_command(program)),
        Target("codex", scope, hooks, "hooks", ("hooks",), groups, CODEX_HOOKS),
    ]


def _cursor_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    path = os.path.join(machine.home if scope == "user" else machine.project, ".cursor", "mcp.json")
    return [Target("cursor", scope, path, "json", ("mcpServers", SERVER), entries.as_command(program))]


def _gemini_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    path = os.path.join(machine.home if scope == "user" else machine.project, ".gemini", "settings.json")
    both = entries.as_command(program), entries.hooks_of("gemini", entries.GEMINI, program)
    return [Target("gemini", scope, path, "both", ("mcpServers", SERVER), both, GEMINI_SETTINGS)]


def _vscode(machine: Machine) -> str:
    if machine.platform == "darwin":
        return os.path.join(machine.home, "Library", "Application Support", "Code", "User")
    if machine.platform == "win32":
        return os.path.join(machine.folder("APPDATA", "AppData", "Roaming"), "Code", "User")
    return os.path.join(machine.folder("XDG_CONFIG_HOME", ".config"), "Code", "User")


def _vscode_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = _vscode(machine) if scope == "user" else os.path.join(machine.project, ".vscode")
    path = os.path.join(folder, "mcp.json")
    return [Target("vscode", scope, path, "json", ("servers", SERVER), entries.as_typed_command(program))]


def _opencode(machine: Machine) -> str:
    return os.path.join(machine.folder("XDG_CONFIG_HOME", ".config"), "opencode")


def _opencode_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = _opencode(machine) if scope == "user" else machine.project
    spellings = [os.path.join(folder, name) for name in ("opencode.jsonc", "opencode.json")]
    path = next((each for each in spellings if os.path.exists(each)), spellings[-1])
    plugin = os.path.join(folder if scope == "user" else os.path.join(folder, ".opencode"), "plugin", opencode.NAME)
    return [
        Target("opencode", scope, path, "json", ("mcp", SERVER), entries.as_list(program)),
        Target("opencode", scope, plugin, "whole", (), opencode.plugin_text(program)),
    ]


CODEX_HOOKS = Reading("Codex", comments=False, keys=("description", "hooks"))
GEMINI_SETTINGS = Reading("Gemini CLI")
CODEX_ASKS = "Codex runs new hooks only when you trust them: open /hooks in Codex, and trust those of ccos-tui."
GEMINI_ASKS = "Gemini CLI starts servers only in folders you trust: answer its question there, or use /permissions."
HOSTS = (
    Host("claude-code", "Claude Code", "claude", lambda on: [_claude(on), _claude_servers(on)], _claude_targets),
    Host("codex", "Codex", "codex", lambda on: [on.folder("CODEX_HOME", ".codex")], _codex_targets, CODEX_ASKS),
    Host("cursor", "Cursor", "cursor", lambda on: [os.path.join(on.home, ".cursor")], _cursor_targets),
    Host("vscode", "VS Code", "code", lambda on: [_vscode(on)], _vscode_targets),
    Host("gemini", "Gemini CLI", "gemini", lambda on: [os.path.join(on.home, ".gemini")], _gemini_targets, GEMINI_ASKS),
    Host("opencode", "OpenCode", "opencode", lambda on: [_opencode(on)], _opencode_targets),
)
BY_NAME = {host.name: host for host in HOSTS}
