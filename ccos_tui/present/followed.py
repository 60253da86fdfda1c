"""What a line of a step's text names: steps, files and symbols that a reader may want to go to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccos_core.query.step_text import Part

_STEP = re.compile(r"\bsteps? ([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})\b")
_PATH = re.compile(r"[\w@.~+-]*(?:/[\w@.+-]+)+|\b[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,4}\b")
_SYMBOL = re.compile(r"[A-Za-z_]\w{2,}(?:\.[A-Za-z_]\w*)*")
MOST_NAMES = 8  # of one line that are looked up
COMMON = frozenset({
    "and", "any", "are", "assert", "async", "await", "bool", "break", "case", "catch", "class", "const", "continue",
    "def", "default", "del", "elif", "else", "err", "except", "export", "false", "finally", "float", "for", "from",
    "func", "function", "has", "import", "int", "interface", "into", "let", "match", "mut", "new", "nil", "none", "not",
    "null", "package", "pass", "pub", "raise", "return", "self", "static", "str", "string", "struct", "super", "switch",
    "that", "the", "then", "this", "throw", "true", "try", "type", "use", "var", "void", "when", "while", "with",
    "yield", "you",
})  # fmt: skip
"""Words that are no names of symbols."""


@dataclass(frozen=True, slots=True)
class Target:
    """One word that may lead somewhere."""

    begin: int
    end: int
    """Where it stands in the line."""

    text: str
    step: int | None = None
    names: tuple[str, ...] = ()
    """Of a file or symbol, how it may be called in the record, the most exact first."""


def targets_in(line: str, part: Part | None = None) -> list[Target]:
    """Return what a line names: steps first, then paths, then symbols; a symbol of the part's own file first."""
    found = [Target(*each.span(), each[0], step=int(each[1].replace(",", ""))) for each in _STEP.finditer(line)]
    path = part.path if part is not None else ""
    taken = {index for each in found for index in range(each.begin, each.end)}
    for each in _PATH.finditer(line):
        names = tuple(_shorter(each[0].strip(".")))
        if names and each.start() not in taken:
            found.append(Target(*each.span(), each[0], names=names))
            taken |= set(range(*each.span()))
    for each in _SYMBOL.finditer(line):
        if each.start() not in taken and each[0].lower() not in COMMON and len(found) < MOST_NAMES:
            names = (f"{path}#{each[0]}", each[0]) if path else (each[0],)
            found.append(Target(*each.span(), each[0], names=names))
    return found


def _shorter(path: str) -> Iterator[str]:
    """A path, then without its first folders: the record knows paths from the project's folder on."""
    parts = [part for part in path.split("/") if part not in ("", ".", "~")]
    for first in range(min(len(parts), MOST_NAMES)):
        yield "/".join(parts[first:])
