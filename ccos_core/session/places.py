"""Where transcripts lie: in the folders of the agents that can be read, below a folder, beside a session.

Knows names of files and folders only, for lists of thousands; what is in a file is told from its content.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

SUFFIXES = (".jsonl", ".json", ".traj", ".db")
"""How files are called that are searched for transcripts; one that is named may be called anything."""
SUBAGENTS = "subagents"
"""The folder, within one called like a session, where the transcripts of its subagents are."""


def places() -> list[str]:
    """Where the agents that can be read keep their transcripts on this machine."""
    home = os.path.expanduser("~")
    claude = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    codex = os.environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    gemini, qwen = os.path.join(home, ".gemini"), os.path.join(home, ".qwen")
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    folders = [(claude, "projects"), (codex, "sessions"), (codex, "archived_sessions")]
    folders += [(gemini, "tmp"), (qwen, "projects"), (qwen, "tmp"), (data, "opencode/opencode.db")]
    return [os.path.join(*each) for each in folders]


def beside(path: str) -> list[str]:
    """The transcripts of a session's subagents: `NAME/subagents/.../agent-*.jsonl` beside `NAME.jsonl`."""
    stem, suffix = os.path.splitext(path)
    folder = os.path.join(stem, SUBAGENTS)
    if suffix != ".jsonl" or not os.path.isdir(folder):
        return []
    found = []
    for where, _, names in os.walk(folder):
        found += [os.path.join(where, name) for name in names if name.startswith("agent-") and name.endswith(suffix)]
    return sorted(found)


def once_beside(path: str) -> list[str]:
    """What may be transcripts of its subagents where older versions have them: `agent-*.jsonl` in the same folder."""
    folder = os.path.dirname(path)
    if not path.endswith(".jsonl") or is_once_beside(path):
        return []
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return []
    return [each for each in (os.path.join(folder, name) for name in names) if is_once_beside(each)]


def is_once_beside(path: str) -> bool:
    """Whether a file is called like one of those."""
    name = os.path.basename(path)
    return name.startswith("agent-") and name.endswith(".jsonl")


def main_beside(path: str, session: str) -> str:
    """Where the transcript of such a subagent's session lies, if it is there; empty for any other file."""
    if not session or os.sep in session or not is_once_beside(path):
        return ""
    main = os.path.join(os.path.dirname(path), f"{session}.jsonl")
    return main if os.path.isfile(main) else ""


def below(folder: str) -> Iterator[str]:
    """What may be transcripts in a folder, without those that belong to another; in the order of their paths."""
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != SUBAGENTS and not each.startswith(".git"))
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                yield os.path.join(where, name)


def session_of(path: str) -> str:
    """The transcript a subagent's belongs to; empty for one that is a session's own."""
    main, found, _ = path.partition(f"{os.sep}{SUBAGENTS}{os.sep}")
    return main + ".jsonl" if found else ""


def agent_of(path: str) -> str:
    """The subagent a transcript is of: `ID` of `agent-ID.jsonl`."""
    return os.path.splitext(os.path.basename(path))[0].removeprefix("agent-")
