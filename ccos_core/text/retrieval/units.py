"""A file as the units a search ranks: its symbols, each with the lines that are its own.

A line belongs to the innermost symbol around it; a class's own are its head, its description and what stands loose in
it, not its methods. Declared fields are their type's. What no symbol has is the file's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from ccos_core.text.retrieval.tokenize import counted
from ccos_core.values.code import MODULE, Outline

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


def units(path: str, text: str, outline: Outline) -> list[Unit]:
    """The units of a file, in the order of their symbols; the file's own comes first."""
    place, lines = place_of(path), text.split("\n")
    own, end = dict[int, list[str]](), 0
    for owner, run in groupby(owners(outline, len(lines))):
        begin, end = end, end + len(list(run))
        own.setdefault(owner, []).extend(lines[begin:end])
    return [
        Unit(symbol, counted(_head(place, outline, symbol, lines)), counted("\n".join(mine)))
        for symbol, mine in sorted(own.items())
    ]


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


def _head(place: str, outline: Outline, symbol: int, lines: list[str]) -> str:
    """Where the file lies, what a symbol is called, its head and its description; nothing for what no symbol has."""
    if symbol == MODULE:
        return ""
    told = outline.symbols[symbol]
    described = lines[told.doc - 1 : told.doc] if told.doc else []
    names = [told.name.replace(".", " ")] * NAME_COUNTS
    return "\n".join((place, *names, *lines[max(told.first, 1) - 1 : told.signature], *described))
