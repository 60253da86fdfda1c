"""The files and identifiers that a text names: `src/db.py`, `db_test.go`, `openStore`, `MAX_SIZE`.

Words alone decide, not what is there: a caller that knows the files finds out which of them are meant.
"""

from __future__ import annotations

import re

LONGEST_PATH = 240
MOST_CHARACTERS = 400_000
"""Of one text; the rest isn't read."""
_SUFFIXES = """
c cc cfg conf cpp cs css csv go gradle h hpp html ini ipynb java js json jsonl jsx kt lock lua md mjs mod php proto
py pyi rb rs rst scala sh sql sum svelte swift toml ts tsx txt vue xml yaml yml
"""
SUFFIXES = frozenset(_SUFFIXES.split())
"""Suffixes by which a word without a slash is a file."""

_PATH = re.compile(r"(?<![\w.@+~/*$-])[\w.@+~/-]*[\w+-]\.([A-Za-z]\w{0,7})(?![\w/])")
_IDENTIFIER = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]{5,59}(?![A-Za-z0-9_])")
_ESCAPED = re.compile(r"\\[nrt](?=[\w.@~/])")
_DRIVE = re.compile(r"(?<!\w)[A-Za-z]:\\")
_JOINT = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")


def paths_in(text: str) -> list[str]:
    """Return the paths that a text names, as they are spelled, each once, in order."""
    found = (each for each in _PATH.finditer(_unescaped(text)) if len(each.group()) <= LONGEST_PATH)
    names = (each.group() for each in found if "/" in each.group() or each.group(1).lower() in SUFFIXES)
    return list(dict.fromkeys(name for name in names if "//" not in name))


def identifiers_in(text: str) -> list[str]:
    """Return the names of more than one word that a text spells as one, each once, in order."""
    words = dict.fromkeys(_IDENTIFIER.findall(_unescaped(text)))
    return [word for word in words if _JOINT.search(word)]


def _unescaped(text: str) -> str:
    """The text that is read, with a space for each line end or tab that is spelled as two characters, as in JSON. Where
    a path of Windows stands, `\\new` may be a folder."""
    text = text[:MOST_CHARACTERS]
    return text if _DRIVE.search(text) else _ESCAPED.sub(" ", text)
