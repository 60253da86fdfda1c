"""A host's tool call as the readers of outputs need it: whether it can say anything, and which command it ran.

Tools that only show, search, write or plan run nothing, so nothing fails in what they give back, whatever it quotes.
They are known by the names hosts have for them; a tool nobody knows may run anything.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

RUN_NOTHING = {
    1: {
        "read", "readfile", "readmanyfiles", "readnotebook", "viewfile", "view", "viewimage", "open", "openfile",
        "cat", "showfile", "getfile",
        "glob", "grep", "grepsearch", "ls", "list", "listdir", "listdirectory", "listfiles", "findfiles",
        "filesearch", "search", "searchfiles", "searchfilecontent", "codebasesearch", "ripgrep",
        "listcodedefinitionnames",
        "edit", "editfile", "multiedit", "write", "writefile", "writetofile", "createfile", "deletefile",
        "notebookedit", "applypatch", "applydiff", "replace", "replaceinfile", "searchreplace",
        "strreplaceeditor", "strreplacebasededittool", "patch", "insertcontent",
        "webfetch", "websearch", "fetch",
        "task", "agent", "todowrite", "todoread", "updateplan", "exitplanmode", "think", "askuserquestion",
        "savememory", "skill",
    },
}  # fmt: skip
"""Version of the readers of outputs → the tools they know of since then. What a record rests on doesn't change: a name
that is to be added goes under a new version, and none is taken away."""
COMMANDS = ("command", "cmd", "script")
"""Under which of their arguments shells find what they are to run."""
SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "fish")


def runs_nothing(name: str, version: int) -> bool:
    """Whether a tool of that name runs nothing that could fail, as this version of the readers knows.

    `ReadFile`, `read_file` and `mcp__files__read_file` are one.
    """
    plain = re.sub(r"[^a-z0-9]", "", name.rpartition("__")[2].rpartition(".")[2].lower())
    return any(plain in names for since, names in RUN_NOTHING.items() if since <= version)


def command_of(arguments: str) -> str:
    """The command a call's arguments (as JSON) ask for; empty when they ask for none."""
    try:
        told = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    if isinstance(told, str):
        return told
    if isinstance(told, dict):
        for key in COMMANDS:
            if said := line_of(told.get(key)):
                return said
    return ""


def line_of(said: Any) -> str:
    """As a line for a shell: a list of words is one, and what a shell was started for is what it was told."""
    if isinstance(said, str):
        return said
    if not (isinstance(said, list) and said and all(isinstance(word, str) for word in said)):
        return ""
    if said[0].rpartition("/")[2] in SHELLS and len(said) > 2 and re.fullmatch("-[a-z]*c[a-z]*", said[-2]):
        return str(said[-1])
    return shlex.join(said)
