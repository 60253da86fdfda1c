"""A source file that is read for the first time: its skeleton, with the bodies that the conversation speaks of.

    shorten_source(text, content, symbols, Mentions(...), ref)     # the body of `parse` behind a marker, `run` as it is

A body stays if its function was named in the context, or if it uses a name that was said there in words. What stands
between functions stays, and so does a short file. Each body that goes stands behind a marker with its lines.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from ccos_core.text.compress.reread import numbered_lines
from ccos_core.text.compress.shortened import Shortened, without_lines
from ccos_core.values.code import Symbol

LEAST_LINES = 100
"""A shorter file stays as it is."""
LEAST_BODY_LINES = 6
LEAST_NAME_CHARACTERS = 8
"""A shorter name in a body says little of what it is about."""
LONGEST_TEXT = 50_000
"""Characters of a text whose names are looked at."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,99}")
_FUNCTIONS = ("function", "method")


@dataclass(slots=True)
class Mentions:
    """Names that a context had."""

    named: set[str] = field(default_factory=set)
    """In prompts, texts of the agent, and its calls, ..."""

    said: set[str] = field(default_factory=set)
    """... and those in prompts and texts alone."""

    def add(self, text: str, *, is_call: bool = False) -> None:
        """Take the names in a text."""
        names = _WORD.findall(text[:LONGEST_TEXT])
        self.named.update(names)
        if not is_call:
            self.said.update(names)


def shorten_source(
    text: str, content: str, symbols: Sequence[Symbol], mentions: Mentions, ref: str, first: int = 1
) -> Shortened | None:
    """Leave out bodies that nothing speaks for, of a read whose content began at line `first` of a file; None if
    nothing is gained."""
    lines = content.split("\n")
    if len(lines) < LEAST_LINES:
        return None
    folded = set(_folded(lines, symbols, mentions))
    kept = {
        at
        for at, (number, line) in enumerate(numbered_lines(text, first))
        if not _is_folded(number - first, line, lines, folded)
    }
    return without_lines("source", text, kept, ref)


def _is_folded(at: int, line: str, lines: Sequence[str], folded: Container[int]) -> bool:
    return at in folded and at < len(lines) and lines[at] == line


def _folded(lines: Sequence[str], symbols: Iterable[Symbol], mentions: Mentions) -> Iterator[int]:
    """Yield the lines of bodies, counted from 0, without their last lines."""
    for symbol in symbols:
        if symbol.kind in _FUNCTIONS and symbol.last - symbol.signature >= LEAST_BODY_LINES:
            body = lines[symbol.signature : symbol.last]
            is_named = symbol.name.rpartition(".")[2] in mentions.named
            if not is_named and mentions.said.isdisjoint(_telling_names(body)):
                yield from range(symbol.signature, symbol.last - 1)


def _telling_names(body: Iterable[str]) -> Set[str]:
    """Return the names of several words in a body."""
    names = {name for line in body for name in _WORD.findall(line) if len(name) >= LEAST_NAME_CHARACTERS}
    return {name for name in names if "_" in name or not name[1:].islower()}
