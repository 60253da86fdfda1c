"""The agents whose sessions can be read: where each keeps them, what they tell, and on what evidence that rests.

`docs/AGENTS.md` is printed from this table, `sessions` searches the places it names, and a test holds what it says
against sessions of every format. Knows no reader, so listing needs none.
"""

from __future__ import annotations

from dataclasses import dataclass

TIMES, TOKENS, THINKING, RESULTS, SUBAGENTS = "times", "tokens", "thinking", "results", "subagents"
CUTS, CUTS_INFERRED = "cuts", "cuts, but not what they kept"
TELLS = (TIMES, TOKENS, THINKING, RESULTS, SUBAGENTS, CUTS, CUTS_INFERRED)
RECORDED, SAMPLE, BY_HAND = "recorded sessions", "a sample", "its description"
"""On what a reader rests: sessions that the agent itself wrote, shortened samples of such, or only how it is described.
All but the first are experimental."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent."""

    name: str
    """As its formats and ops say it."""
    title: str
    evidence: str
    tells: frozenset[str]
    places: tuple[str, ...] = ()
    """Folders and files. `~` is the user's, `$DATA` and `$CONFIG` are where programs keep theirs, and `$NAME/` another
    variable of the environment, in front of the place it replaces: `$CODEX_HOME|~/.codex/sessions`."""
    note: str = ""


def _agent(name: str, title: str, evidence: str, tells: str, *places: str, note: str = "") -> Agent:
    """Make an agent; `tells` are letters: when, tokens, thinking, results, subagents, cuts or inferred cuts."""
    letters = dict(zip("wtkrsci", TELLS, strict=True))
    return Agent(name, title, evidence, frozenset(letters[letter] for letter in tells), places, note)


EDITORS = ("$CONFIG/Code/User/globalStorage", "$CONFIG/Cursor/User/globalStorage")
EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
AGENTS = (
    _agent("claude-code", "Claude Code", RECORDED, "wtkrsi", "$CLAUDE_CONFIG_DIR|~/.claude/projects"),
    _agent(
        "codex", "Codex", RECORDED, "wtkrc",
        "$CODEX_HOME|~/.codex/sessions", "$CODEX_HOME|~/.codex/archived_sessions",
    ),
    _agent("gemini", "Gemini CLI", RECORDED, "wtkrsc", "~/.gemini/tmp",
           note="A compression leaves no mark in the recording, so the window may be smaller than it seems."),
    _agent("qwen-code", "Qwen Code", RECORDED, "wtkrc", "~/.qwen/projects", "~/.qwen/tmp"),
    _agent("opencode", "OpenCode", RECORDED, "wtkrsc", "$DATA/opencode/opencode.db"),
    _agent("crush", "Crush", RECORDED, "wtkrsc", note="Its database lies in each project: `.crush/crush.db`."),
    _agent("pi", "Pi, OpenClaw", SAMPLE, "wtkrc", "~/.pi/agent/sessions", "~/.openclaw/agents",
           "~/.omp/agent/sessions"),
    _agent("droid", "Droid", SAMPLE, "wkri", "~/.factory/sessions"),
    _agent("copilot-cli", "Copilot CLI", RECORDED, "wtkri", "~/.copilot/session-state"),
    _agent("kimi", "Kimi Code", RECORDED, "wtkri", "~/.kimi-code/sessions"),
    _agent("grok", "Grok CLI", SAMPLE, "kr", "~/.grok/sessions"),
    _agent("antigravity", "Antigravity", SAMPLE, "wkri", "~/.gemini/antigravity-cli/brain"),
    _agent("amp", "Amp", RECORDED, "wtkri", "$DATA/amp/threads"),
    _agent("continue", "Continue", RECORDED, "kr", "~/.continue/sessions"),
    _agent("goose", "Goose", BY_HAND, "wkr", "$DATA/goose/sessions/sessions.db",
           "$DATA/Block/goose/sessions/sessions.db"),
    _agent("hermes", "Hermes", SAMPLE, "kr", "~/.hermes/sessions"),
    _agent("windsurf", "Windsurf", RECORDED, "r", "~/.windsurf/transcripts"),
    _agent("cursor", "Cursor", RECORDED, "wtkr", "$CONFIG/Cursor/User/globalStorage/state.vscdb", "~/.cursor/projects",
           note="Its transcripts mostly have no times, tokens and results: there, edits are taken to have been made."),
    _agent("vscode-copilot", "Copilot in VS Code", RECORDED, "wr", "$CONFIG/Code/User/workspaceStorage"),
    _agent(
        "cline", "Cline, Roo Code", BY_HAND, "r",
        *(f"{editor}/{extension}/tasks" for editor in EDITORS for extension in EXTENSIONS),
    ),
    _agent("openhands", "OpenHands", RECORDED, "wtkri", note="One file of a benchmark may hold many runs."),
    _agent("chatgpt", "ChatGPT", BY_HAND, "wkr", note="The `conversations.json` of an export."),
    _agent("specstory", "SpecStory", RECORDED, "wkri", note="In each project: `.specstory/history`."),
    _agent("aider", "Aider", SAMPLE, "r", note="In each project: `.aider.chat.history.md`."),
    _agent("swe-agent", "SWE-agent", RECORDED, "r"),
    _agent("mini-swe-agent", "mini-swe-agent", RECORDED, "wtkr"),
    _agent("atif", "ATIF trajectories", BY_HAND, "wtkrsc", note="Only those that `export` wrote tell compactions."),
    _agent("otel", "OpenTelemetry spans", BY_HAND, "wtkrsc",
           note="Spans of generative AI as OTLP JSON, also as OpenInference names them. Only those that `export` wrote "
           "tell subagents and compactions."),
    _agent("generic", "any agent", RECORDED, "wtkrsc", note="In the format of [TRANSCRIPTS.md](TRANSCRIPTS.md)."),
)  # fmt: skip
