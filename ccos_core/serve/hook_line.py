"""The line a host's configuration has for the hook, as `setup` writes it."""

from __future__ import annotations

import os
import shlex

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PostCompact", "Stop", "SubagentStart",
    "SubagentStop", "SessionEnd",
)  # fmt: skip
"""The events of Claude Code it is worth to be run for. What a batch of calls says is said by others as well."""
INJECTING = {
    "SessionStart": "compact",
    "UserPromptSubmit": "",
    "PostToolUse": "",
    "PostCompact": "",
    "SubagentStart": "",
}
"""Events at which `--inject` has something to say → the matcher they are registered with."""


HOOKED = ("codex", "gemini", "qwen-code")
"""Other hosts whose configuration has such a line; it names them."""


def hook_words(python: str, *words: str) -> list[str]:
    """What starts the hook by that interpreter, word by word."""
    return [python, "-I", "-S", door(), *words]


def hook_command(python: str, *words: str) -> str:
    """One line for a shell: runs the hook by that interpreter, and is silent and content where it isn't there. `words`
    go to the hook, e.g. `--inject`."""
    line = hook_words(python, *words)
    if os.name == "nt":
        return " ".join(f'"{word}"' for word in line) + " 2>nul || exit /b 0"
    return f"{shlex.join(line)} 2>/dev/null || exit 0"


def door() -> str:
    """The file it runs."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "hook_door.py")
