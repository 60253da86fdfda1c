"""A file as the units a search ranks: its symbols, each with the lines that are its own.

A line belongs to the innermost symbol around it; a class's own are its head, its description and what stands loose in
it, not its methods. Declared fields are their type's. What no symbol has is the file's own.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ccos_core.text.retrieval.tokenize import counted
from ccos_core.values.code import MODULE, Outline, Symbol

NAME_COUNTS = 2
"""A word of a symbol's own name is as good as so many in its head."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One symbol's words."""

    symbol: int
    """Its place in the outline; MODULE for the rest of the file."""
    head: Mapping[str, int]
    """Terms of what it is called, where it lies and how it describes itself, ..."""
    body: Mapping[str, int]
    """... and of all its own lines."""


class Part(NamedTuple):
    """The same before its words are counted."""

    symbol: int
    name: str
    described: str
    """Its head and its description, ..."""
    own: str
    """... and all its own lines."""

    def head(self, place: str) -> str:
        """What is in its head, given where the file lies; nothing for what no symbol has."""
        if self.symbol == MODULE:
            return ""
        return "\n".join((place, *[self.name.replace(".", " ")] * NAME_COUNTS, self.described))


def units(path: str, text: str, outline: Outline) -> list[Unit]:
    """The units of a file, in the order of their symbols; the file's own comes first."""
    place, lines = place_of(path), text.split("\n")
    return [
        Unit(part.symbol, counted(part.head(place)), counted(part.own))
        for part in parts(lines, outline, owners(outline, len(lines)))
    ]


def parts(lines: list[str], outline: Outline, owners: Iterable[int], known: Container[int] = ()) -> Iterator[Part]:
    """The same, as yet uncounted, given to which unit each line belongs; but for those that are known already."""
    own, end = dict[int, list[str]](), 0
    for owner, run in groupby(owners):
        begin, end = end, end + len(list(run))
        if owner not in known:
            own.setdefault(owner, []).extend(lines[begin:end])
    for symbol, mine in sorted(own.items()):
        name, described = _told(outline.symbols[symbol], lines) if symbol != MODULE else ("", "")
        yield Part(symbol, name, described, "\n".join(mine))


def place_of(path: str) -> str:
    """Where a file lies, in words, which are in all of its heads."""
    return path.rpartition(".")[0].replace("/", " ") or path


def owners(outline: Outline, count: int) -> list[int]:
    """Line (from the first on) → the unit it belongs to."""
    found = [MODULE] * count
    spans = sorted((first, -last, at) for at, first, last in _spans(outline, count))
    for first, minus_last, at in spans:
        found[first - 1 : -minus_last] = [at] * (-minus_last - first + 1)
    return found


def _spans(outline: Outline, count: int) -> Iterator[tuple[int, int, int]]:
    for at, symbol in enumerate(outline.symbols):
        first, last = min(symbol.first, symbol.line), min(max(symbol.last, symbol.line), count)
        if symbol.kind != "field" and 1 <= first <= last:
            yield at, first, last


def _told(symbol: Symbol, lines: list[str]) -> tuple[str, str]:
    described = lines[symbol.doc - 1 : symbol.doc] if symbol.doc else []
    return symbol.name, "\n".join(lines[max(symbol.first, 1) - 1 : symbol.signature] + described)
