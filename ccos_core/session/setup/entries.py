"""What we put into the configuration of an agent: how our server is started, and which events our hook hears.

How a hook is started and what it wants to hear is the hook's to say; it comes in with a `Program`. The server's name
and what a line must look like to be ours stand here, for whoever takes them out again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SERVER = "ccos"
"""What our MCP server is called in every configuration."""
SECONDS = 60
"""How long an agent waits for a hook of ours. It takes a few hundredths of one, but 64 at once on a busy machine took
12 s, and one that is ended before it has read its event loses it."""

OF_TOOLS = ("PostToolUse", "PostToolUseFailure")
"""Events that are asked for by the name of a tool; we want those of all."""
OURS = re.compile(r"-m\s+ccos_tui\s+hook\b|\bccos-tui(?:\.exe)?[\"']?\s+hook\b|ccos_core[./\\]+serve[./\\]+hook")


@dataclass(frozen=True, slots=True)
class Program:
    """This installation, as an agent is to start it."""

    python: str
    """The interpreter, absolute."""
    hook: str
    """The line of a shell that hears an event."""
    inject: str
    """The one that also tells the agent something."""
    environment: Mapping[str, str]
    """What the interpreter needs to find us; mostly nothing."""
    events: tuple[str, ...] = ()
    """What the hook is to hear."""
    injecting: Mapping[str, str] = field(default_factory=dict)
    """Event → on which of its occasions the agent is told something."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Host → the line of a shell that hears its events; `hook` for a host that isn't named here."""
    words: tuple[str, ...] = ()
    """The words of `hook`, to be started without a shell."""

    @property
    def command(self) -> list[str]:
        """What starts the server. -P: a file of the project that is called json.py must not be imported."""
        return [self.python, "-P", "-m", "ccos_tui", "mcp"]


def hooks(program: Program) -> dict[str, list[dict[str, Any]]]:
    """Event → the groups we want registered for it. The line that tells the agent something hears as well, so where it
    is run each time it is the only one."""
    wanted: dict[str, list[dict[str, Any]]] = {}
    for event in program.events:
        occasion = program.injecting.get(event)
        groups = [_group("*" if event in OF_TOOLS else "", program.hook)] if occasion != "" else []
        wanted[event] = groups if occasion is None else [*groups, _group(occasion, program.inject)]
    return wanted


@dataclass(frozen=True, slots=True)
class Heard:
    """What the hook hears of a host whose hooks are groups by event, in the host's own names."""

    matchers: Mapping[str, str]
    """Event → the matcher it is registered with; empty for none."""
    timeout: int
    """`SECONDS`, as the host counts them."""


CODEX = Heard(
    {
        "SessionStart": "", "UserPromptSubmit": "", "PostToolUse": "*", "PostCompact": "", "Stop": "",
        "SubagentStop": "",
    },
    SECONDS,
)  # fmt: skip
GEMINI = Heard(
    {"SessionStart": "", "BeforeAgent": "", "AfterTool": "*", "AfterAgent": "", "PreCompress": "manual"},
    SECONDS * 1_000,
)


def hooks_of(host: str, heard: Heard, program: Program) -> dict[str, list[dict[str, Any]]]:
    """Event → the group we want registered for it."""
    line = program.lines.get(host, program.hook)
    return {event: [_group(matcher, line, heard.timeout)] for event, matcher in heard.matchers.items()}


def is_ours(hook: object) -> bool:
    """Whether a hook somebody registered is this program's."""
    return isinstance(hook, dict) and isinstance(said := hook.get("command"), str) and bool(OURS.search(said))


def speaks_of_us(server: object) -> bool:
    """Whether a server that has our name starts this program, of whichever installation."""
    if not isinstance(server, dict):
        return False
    command, arguments = server.get("command"), server.get("args")
    words = [*_words(command), *_words(arguments)]
    return any("ccos-tui" in word or "ccos_tui" in word for word in words)


def as_command(program: Program) -> dict[str, Any]:
    """Our server as most agents have it: a program, and its words."""
    first, *words = program.command
    environment = {"env": dict(program.environment)} if program.environment else {}
    return {"command": first, "args": words, **environment}


def as_typed_command(program: Program) -> dict[str, Any]:
    return {"type": "stdio", **as_command(program)}


def as_list(program: Program) -> dict[str, Any]:
    """Our server as OpenCode has it: one list."""
    environment = {"environment": dict(program.environment)} if program.environment else {}
    return {"type": "local", "command": program.command, **environment, "enabled": True}


def _group(matcher: str, line: str, timeout: int = SECONDS) -> dict[str, Any]:
    hook = {"type": "command", "command": line, "timeout": timeout}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


def _words(said: object) -> list[str]:
    said = [said] if isinstance(said, str) else said
    return [each for each in said if isinstance(each, str)] if isinstance(said, list) else []
