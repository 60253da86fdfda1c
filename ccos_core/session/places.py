"""Where transcripts lie: in the folders of the agents that can be read, below a folder, beside a session.

Knows names of files and folders only, for lists of thousands; what is in a file is told from its content.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from ccos_core.intake.agents import AGENTS

SUFFIXES = (".jsonl", ".json", ".traj", ".db", ".vscdb")
"""How files are called that are searched for transcripts; one that is named may be called anything."""
ALIKE = frozenset(
    {
        "agents", "api_conversation_history", "chat_history", "events", "logs", "main", "messages", "transcript",
        ".system_generated", "ui_messages", "updates", "wire",
    }
)  # fmt: skip
"""Names of files and folders that the sessions of an agent have in common."""
SUBAGENTS = "subagents"
"""The folder, within one called like a session, where the transcripts of its subagents are."""


def places() -> list[str]:
    """Where the agents that can be read keep their transcripts on this machine."""
    home = os.path.expanduser("~")
    config = "Library/Application Support" if sys.platform == "darwin" else ".config"
    known = {
        "$DATA": os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"),
        "$CONFIG": os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, config),
        "~": home,
    }
    return [_real(place, known) for agent in AGENTS for place in agent.places]


def _real(place: str, known: dict[str, str]) -> str:
    """The path of a place; a variable in front of it replaces the first folder below the user's."""
    variable, _, usual = place.rpartition("|")
    first, _, rest = usual.partition("/")
    moved = os.environ.get(variable.removeprefix("$")) if variable else None
    if moved:
        return os.path.join(moved, rest.partition("/")[2])
    return os.path.join(known[first], rest)


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


def called(path: str) -> str:
    """What a transcript's file calls the session: its own name, or its folder's where many are called the same."""
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.dirname(path)
    while name in ALIKE and folder:
        folder, name = os.path.split(folder)
    return name or "session"
