"""A file as the units a search ranks: its symbols, each with the lines that are its own.

A line belongs to the innermost symbol around it; a class's own are its head, its description and what stands loose in
it, not its methods. Declared fields are their type's. What no symbol has is the file's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from ccos_core.text.retrieval.tokenize import counted, met
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


@dataclass(frozen=True, slots=True)
class Part:
    """The same before its words are counted."""

    symbol: int
    name: str
    described: str
    """Its head and its description, ..."""
    own: str
    """... and all its own lines."""


def units(path: str, text: str, outline: Outline) -> list[Unit]:
    """The units of a file, in the order of their symbols; the file's own comes first."""
    place = place_of(path)
    return [unit_of(part, place) for part in parts(text, outline)]


def parts(text: str, outline: Outline) -> list[Part]:
    """The same, as yet uncounted: where nothing of a part has changed, its unit hasn't."""
    lines, own, end = text.split("\n"), dict[int, list[str]](), 0
    for owner, run in groupby(owners(outline, len(lines))):
        begin, end = end, end + len(list(run))
        own.setdefault(owner, []).extend(lines[begin:end])
    return [_part(outline, symbol, lines, "\n".join(mine)) for symbol, mine in sorted(own.items())]


def place_of(path: str) -> Sequence[str]:
    """The terms of where a file lies, which are in all of its heads."""
    return tuple(met(path.rpartition(".")[0].replace("/", " ") or path))


def unit_of(part: Part, place: Sequence[str]) -> Unit:
    """A part with its words counted."""
    return Unit(part.symbol, _head(part, place) if part.symbol != MODULE else {}, counted(part.own))


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


def _part(outline: Outline, symbol: int, lines: list[str], own: str) -> Part:
    if symbol == MODULE:
        return Part(symbol, "", "", own)
    told = outline.symbols[symbol]
    return Part(symbol, told.name, "\n".join(_signature(told, lines)), own)


def _head(part: Part, place: Sequence[str]) -> Mapping[str, int]:
    name = tuple(met(part.name.replace(".", " ")))
    return Counter(chain(place, name * NAME_COUNTS, met(part.described)))


def _signature(told: Symbol, lines: list[str]) -> list[str]:
    described = lines[told.doc - 1 : told.doc] if told.doc else []
    return lines[max(told.first, 1) - 1 : told.signature] + described
