"""Which package a deed adds: by a package manager, or by a line of the file that lists packages."""

from __future__ import annotations

import re

from ccos_core.query.instructions.deeds import EDITED, Deed
from ccos_core.query.instructions.words import ADDERS, MANIFESTS

_FIXED = frozenset(("-r", "-e", "--requirement", "--editable", "--frozen-lockfile"))
_WRAPPERS = frozenset(("sudo", "python", "python3", "-m"))
_FIELD = re.compile(r"\s*\"?(?:version|name|type|main|license|description)\b")
_BEHIND_NAME = re.compile(r"[\"'=<>~! ]+")


def adds_package(deed: Deed) -> list[str]:
    """Return the words that show it; none if it adds no package."""
    for program in deed.programs:
        words = list(program.words)
        while words and (words[0] in _WRAPPERS or "=" in words[0]):
            words = words[1:]
        if words[:2] == ["uv", "pip"]:
            words = words[1:]
        tool = words[0].rpartition("/")[2] if words else ""
        if tool in ADDERS and len(words) > 2:
            at = next((at for at, word in enumerate(words[1:], 1) if word in ADDERS[tool]), 0)
            named = [word for word in words[at + 1 :] if not word.startswith(("-", ".", "/"))] if at else []
            if named and not _FIXED & set(words):
                return [tool, words[at], named[0]]
    for edit in deed.edits:
        pattern = MANIFESTS.get(edit.path.rpartition("/")[2])
        if pattern is not None and edit.how == EDITED:
            gone = {_name(line) for line in edit.removed}
            for line in edit.added:
                if pattern.search(line) and not _FIELD.match(line) and _name(line) not in gone:
                    return [edit.path, line.strip()]
    return []


def _name(line: str) -> str:
    return _BEHIND_NAME.split(line.strip(" \"'"))[0]
