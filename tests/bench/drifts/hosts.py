"""How agents' hosts call their tools: the same reading, changing and running under the names of four of them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

Call = tuple[str, dict[str, Any]]
"""A tool's name and its arguments."""


@dataclass(frozen=True)
class Host:
    """One host."""

    name: str
    shell: str
    numbered: bool = False
    """What it shows of a file has its lines numbered."""


HOSTS = (
    Host("claude-code", "Bash", True),
    Host("claude-code", "Bash", True),
    Host("gemini", "run_shell_command"),
    Host("opencode", "bash", True),
    Host("codex", "shell"),
)


def host_of(rng: Random) -> Host:
    return rng.choice(HOSTS)


def reading(host: Host, root: str, path: str, lines: tuple[int, int] | None) -> Call:
    match host.name:
        case "claude-code":
            part = {"offset": lines[0], "limit": lines[1] - lines[0] + 1} if lines else {}
            return "Read", {"file_path": f"{root}/{path}", **part}
        case "gemini":
            part = {"offset": lines[0] - 1, "limit": lines[1] - lines[0] + 1} if lines else {}
            return "read_file", {"absolute_path": f"{root}/{path}", **part}
        case "opencode":
            part = {"offset": lines[0] - 1, "limit": lines[1] - lines[0] + 1} if lines else {}
            return "read", {"filePath": f"{root}/{path}", **part}
    return running(host, f"sed -n '{lines[0]},{lines[1]}p' {path}" if lines else f"cat {path}")


def changing(host: Host, root: str, path: str, old: str, new: str) -> Call:
    match host.name:
        case "claude-code":
            return "Edit", {"file_path": f"{root}/{path}", "old_string": old, "new_string": new}
        case "gemini":
            return "replace", {"file_path": f"{root}/{path}", "old_string": old, "new_string": new}
        case "opencode":
            return "edit", {"filePath": f"{root}/{path}", "oldString": old, "newString": new}
    marked = [*(f"-{line}" for line in old.split("\n")), *(f"+{line}" for line in new.split("\n"))]
    body = "\n".join(["*** Begin Patch", f"*** Update File: {path}", "@@", *marked, "*** End Patch"])
    return "apply_patch", {"input": body}


def writing(host: Host, root: str, path: str, text: str) -> Call:
    match host.name:
        case "claude-code":
            return "Write", {"file_path": f"{root}/{path}", "content": text}
        case "gemini":
            return "write_file", {"file_path": f"{root}/{path}", "content": text}
        case "opencode":
            return "write", {"filePath": f"{root}/{path}", "content": text}
    marked = [f"+{line}" for line in text.split("\n")]
    return "apply_patch", {"input": "\n".join(["*** Begin Patch", f"*** Add File: {path}", *marked, "*** End Patch"])}


def searching(host: Host, root: str, words: str) -> Call:
    match host.name:
        case "claude-code":
            return "Grep", {"pattern": words, "path": root, "output_mode": "content"}
        case "gemini":
            return "search_file_content", {"pattern": words}
        case "opencode":
            return "grep", {"pattern": words, "path": root}
    return running(host, f"rg -n '{words}'")


def listing(host: Host, root: str, pattern: str) -> Call:
    match host.name:
        case "claude-code":
            return "Glob", {"pattern": pattern, "path": root}
        case "gemini" | "opencode":
            return "glob", {"pattern": pattern}
    return running(host, f"rg --files -g '{pattern}'")


def running(host: Host, command: str) -> Call:
    if host.name == "codex":
        return host.shell, {"command": ["bash", "-lc", command]}
    return host.shell, {"command": command}


def delegating(host: Host, orders: str) -> Call:
    if host.name == "claude-code":
        return "Task", {"description": orders[:40], "prompt": orders, "subagent_type": "general-purpose"}
    return "task", {"description": orders[:40], "prompt": orders}


def shown(host: Host, text: str, first: int) -> str:
    """A file's lines as this host hands them to its agent."""
    if not host.numbered:
        return text
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(text.rstrip("\n").split("\n"), first))
