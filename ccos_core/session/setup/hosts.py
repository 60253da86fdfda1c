"""The table of agents: the traces of each on this machine, its configuration files, and what we put into them.

Paths are made from a `Machine`, which is handed in: nothing here reads the environment, only whether files exist. In a
project the files of one person are chosen where an agent has any, because an entry names an interpreter's path. How a
hook is started and which events it hears comes in with a `Program`.

OpenCode has no hooks that start a program. It gets a JavaScript plugin that passes the events which
`ccos_core.intake.hooks.opencode` reads to `ccos-tui hook`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

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
    guard: str = ""
    """The line that asks before a dangerous command is run again."""

    @property
    def command(self) -> list[str]:
        """What starts the server. -P: a file of the project that is called json.py must not be imported."""
        return [self.python, "-P", "-m", "ccos_tui", "mcp"]


def claude_hooks(program: Program) -> dict[str, list[dict[str, Any]]]:
    """Event → the groups we want registered for it. The line that tells the agent something hears as well, so where it
    is run each time it is the only one."""
    wanted: dict[str, list[dict[str, Any]]] = {}
    for event in program.events:
        occasion = program.injecting.get(event)
        groups = [_group("*" if event in OF_TOOLS else "", program.hook)] if occasion != "" else []
        wanted[event] = groups if occasion is None else [*groups, _group(occasion, program.inject)]
    return wanted


GUARDED = "PreToolUse"
"""The event at which Claude Code asks whether a command may be run."""
GUARD_SECONDS = 10


def with_guard(target: Target, program: Program) -> Target:
    """Return a target for hooks of Claude Code with the guard among them; any other as it is."""
    if target.host != "claude-code" or target.form != "hooks":
        return target
    return replace(target, value={**target.value, GUARDED: [_group("Bash", program.guard, GUARD_SECONDS)]})


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
QWEN = Heard(
    {
        "SessionStart": "", "UserPromptSubmit": "", "PostToolUse": "*", "PostToolUseFailure": "*", "PostCompact": "",
        "Stop": "",
    },
    SECONDS * 1_000,
)  # fmt: skip


def hooks_of(host: str, heard: Heard, program: Program) -> dict[str, list[dict[str, Any]]]:
    """Event → the group we want registered for it."""
    line = program.lines.get(host, program.hook)
    return {event: [_group(matcher, line, heard.timeout)] for event, matcher in heard.matchers.items()}


def is_ours(hook: object) -> bool:
    """Return whether a registered hook is this program's."""
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


NAME = "ccos-tui.js"

TEXT = """\
// Written by `ccos-tui setup`, removed by `ccos-tui setup --undo`. It tells the recorder what the agent does.
import { spawn, spawnSync } from "node:child_process"

const HOOK = @HOOK@
const ENV = @ENV@
const MOST_MESSAGES = 200

export const CcosTui = async ({ directory }) => {
  const sessions = new Map() // session -> { parent, directory }
  const messages = new Map() // message -> { role, parts }
  const told = new Set()
  const waiting = []
  let running = false

  const options = { env: { ...process.env, ...ENV }, stdio: ["pipe", "ignore", "ignore"], windowsHide: true }

  const next = () => {
    if (running || waiting.length === 0) return
    running = true
    const done = () => {
      if (!running) return
      running = false
      waiting.shift()
      next()
    }
    try {
      const child = spawn(HOOK[0], HOOK.slice(1), options)
      child.on("error", done)
      child.on("close", done)
      child.stdin.on("error", () => {})
      child.stdin.end(waiting[0])
    } catch {
      done()
    }
  }

  // The first of them may have been heard already: an event that comes twice is recorded once.
  const flush = () => {
    for (const event of waiting.splice(0)) {
      try {
        spawnSync(HOOK[0], HOOK.slice(1), { ...options, input: event, timeout: 10000 })
      } catch {}
    }
  }

  const tell = (name, session, id, fields) => {
    const key = `${name} ${session} ${id}`
    if (told.has(key)) return
    told.add(key)
    const known = sessions.get(session) ?? {}
    const event = {
      hook_event_name: name,
      session_id: known.parent ?? session,
      ...(known.parent ? { agent_id: session } : {}),
      cwd: known.directory ?? directory,
      id,
      ...fields,
    }
    waiting.push(JSON.stringify(event))
    next()
  }

  const call = (part) => {
    const { status, input, output, error, metadata, time } = part.state
    return {
      tool_name: part.tool,
      tool_use_id: part.callID,
      tool_input: input,
      tool_response: { status, output, error, metadata, time },
    }
  }

  const messageOf = (id) => {
    if (!messages.has(id)) messages.set(id, { role: "", parts: new Map() })
    if (messages.size > MOST_MESSAGES) messages.delete(messages.keys().next().value)
    return messages.get(id)
  }

  const partsOf = (message, type) => [...message.parts.values()].filter((part) => part.type === type)

  const prompted = (message, part) => {
    if (message.role !== "user" || part.ignored === true) return
    const prompt = part.type === "text" ? part.text : part.type === "subtask" ? part.prompt : ""
    const source = part.synthetic === true ? "host" : "user"
    if (prompt) tell("prompt", part.sessionID, part.id, { prompt, source })
  }

  const completed = (info, message) => {
    const said = partsOf(message, "text").map((part) => part.text).join("\\n")
    const tokens = info.tokens ?? {}
    const counts = {
      fresh: tokens.input ?? 0,
      cached: tokens.cache?.read ?? 0,
      stored: tokens.cache?.write ?? 0,
      written: tokens.output ?? 0,
    }
    for (const part of partsOf(message, "patch")) {
      const files = part.files.map((path) => ({ path }))
      tell("changed", info.sessionID, part.id, { files, tool_calls: partsOf(message, "tool").map(call) })
    }
    if (info.summary === true) {
      if (info.error) return
      const asked = messages.get(info.parentID)
      const [compaction] = asked ? partsOf(asked, "compaction") : []
      const trigger = compaction ? (compaction.auto === false ? "manual" : "auto") : "unknown"
      tell("summary", info.sessionID, info.id, { trigger, compact_summary: said, ...counts })
    } else {
      const fields = { last_assistant_message: said, model: info.modelID, reason: info.finish ?? "" }
      tell("turn", info.sessionID, info.id, { ...fields, outcome: info.error?.name, ...counts })
    }
    messages.delete(info.id)
  }

  const heard = (type, of) => {
    if (type === "session.created" || type === "session.updated") {
      const parent = of.info.parentID
      const root = parent && (sessions.get(parent)?.parent ?? parent)
      sessions.set(of.info.id, { parent: root, directory: of.info.directory })
    } else if (type === "message.updated") {
      const message = messageOf(of.info.id)
      message.role = of.info.role
      for (const part of message.parts.values()) prompted(message, part)
      if (of.info.role === "assistant" && (of.info.time?.completed || of.info.error)) completed(of.info, message)
    } else if (type === "message.part.updated") {
      const part = of.part
      const message = messageOf(part.messageID)
      message.parts.set(part.id, part)
      prompted(message, part)
      if (part.type === "tool" && (part.state.status === "completed" || part.state.status === "error"))
        tell("tool", part.sessionID, part.id, call(part))
    }
  }

  process.on("exit", flush)
  return {
    event: async ({ event }) => {
      try {
        heard(event.type, event.properties)
      } catch {} // whatever it is, it is not the agent's problem
    },
    dispose: async () => flush(),
  }
}
"""


def plugin_text(program: Program) -> str:
    """The plugin, for one installation."""
    hook = json.dumps([*program.words, "--host", "opencode"])
    return TEXT.replace("@HOOK@", hook).replace("@ENV@", json.dumps(dict(program.environment)))


Scope = Literal["user", "project"]
Form = Literal["json", "toml", "hooks", "both", "whole"]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the user works."""

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
    server = Target("claude-code", scope, servers, "json", ("mcpServers", SERVER), as_command(program))
    return [server, Target("claude-code", scope, settings, "hooks", ("hooks",), claude_hooks(program))]


def _codex_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = machine.folder("CODEX_HOME", ".codex") if scope == "user" else os.path.join(machine.project, ".codex")
    server, hooks = os.path.join(folder, "config.toml"), os.path.join(folder, "hooks.json")
    groups = hooks_of("codex", CODEX, program)
    return [
        Target("codex", scope, server, "toml", ("mcp_servers", SERVER), as_command(program)),
        Target("codex", scope, hooks, "hooks", ("hooks",), groups, CODEX_HOOKS),
    ]


def _cursor_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    path = os.path.join(machine.home if scope == "user" else machine.project, ".cursor", "mcp.json")
    return [Target("cursor", scope, path, "json", ("mcpServers", SERVER), as_command(program))]


def _gemini_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    path = os.path.join(machine.home if scope == "user" else machine.project, ".gemini", "settings.json")
    both = as_command(program), hooks_of("gemini", GEMINI, program)
    return [Target("gemini", scope, path, "both", ("mcpServers", SERVER), both, GEMINI_SETTINGS)]


def _qwen_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    path = os.path.join(machine.home if scope == "user" else machine.project, ".qwen", "settings.json")
    both = as_command(program), hooks_of("qwen-code", QWEN, program)
    return [Target("qwen-code", scope, path, "both", ("mcpServers", SERVER), both, QWEN_SETTINGS)]


def _vscode(machine: Machine) -> str:
    if machine.platform == "darwin":
        return os.path.join(machine.home, "Library", "Application Support", "Code", "User")
    if machine.platform == "win32":
        return os.path.join(machine.folder("APPDATA", "AppData", "Roaming"), "Code", "User")
    return os.path.join(machine.folder("XDG_CONFIG_HOME", ".config"), "Code", "User")


def _vscode_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = _vscode(machine) if scope == "user" else os.path.join(machine.project, ".vscode")
    path = os.path.join(folder, "mcp.json")
    return [Target("vscode", scope, path, "json", ("servers", SERVER), as_typed_command(program))]


def _opencode(machine: Machine) -> str:
    return os.path.join(machine.folder("XDG_CONFIG_HOME", ".config"), "opencode")


def _opencode_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    folder = _opencode(machine) if scope == "user" else machine.project
    spellings = [os.path.join(folder, name) for name in ("opencode.jsonc", "opencode.json")]
    path = next((each for each in spellings if os.path.exists(each)), spellings[-1])
    plugin = os.path.join(folder if scope == "user" else os.path.join(folder, ".opencode"), "plugin", NAME)
    return [
        Target("opencode", scope, path, "json", ("mcp", SERVER), as_list(program)),
        Target("opencode", scope, plugin, "whole", (), plugin_text(program)),
    ]


def _openclaw_targets(machine: Machine, scope: Scope, program: Program) -> list[Target]:
    """OpenClaw calls servers through mcporter, which reads a file of the user or of the project. Its own configuration
    is checked as a whole, and versions before 2026 refuse one that names servers."""
    folder = os.path.join(machine.home, ".mcporter") if scope == "user" else os.path.join(machine.project, "config")
    path = os.path.join(folder, "mcporter.json")
    return [Target("openclaw", scope, path, "json", ("mcpServers", SERVER), as_command(program))]


CODEX_HOOKS = Reading("Codex", comments=False, keys=("description", "hooks"))
GEMINI_SETTINGS = Reading("Gemini CLI")
QWEN_SETTINGS = Reading("Qwen Code")
CODEX_ASKS = "Codex runs new hooks only when you trust them: open /hooks in Codex and trust the hooks of ccos-tui."
GEMINI_ASKS = "Gemini CLI starts servers only in folders you trust: answer its question there or use /permissions."
OPENCLAW_ASKS = (
    "OpenClaw needs mcporter, and a line in its AGENTS.md: read `mcporter call ccos.get_context type=mindmap` first; "
    "if that fails, read the files."
)
HOSTS = (
    Host("claude-code", "Claude Code", "claude", lambda on: [_claude(on), _claude_servers(on)], _claude_targets),
    Host("codex", "Codex", "codex", lambda on: [on.folder("CODEX_HOME", ".codex")], _codex_targets, CODEX_ASKS),
    Host("cursor", "Cursor", "cursor", lambda on: [os.path.join(on.home, ".cursor")], _cursor_targets),
    Host("vscode", "VS Code", "code", lambda on: [_vscode(on)], _vscode_targets),
    Host("gemini", "Gemini CLI", "gemini", lambda on: [os.path.join(on.home, ".gemini")], _gemini_targets, GEMINI_ASKS),
    Host("qwen-code", "Qwen Code", "qwen", lambda on: [os.path.join(on.home, ".qwen")], _qwen_targets),
    Host("opencode", "OpenCode", "opencode", lambda on: [_opencode(on)], _opencode_targets),
    Host(
        "openclaw",
        "OpenClaw",
        "openclaw",
        lambda on: [os.path.join(on.home, name) for name in (".openclaw", ".clawdbot")],
        _openclaw_targets,
        OPENCLAW_ASKS,
    ),
)
BY_NAME = {host.name: host for host in HOSTS}
