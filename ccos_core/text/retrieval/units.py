"""A file as the units a search ranks: its symbols, each with the lines that are its own.

A line belongs to the innermost symbol around it; a class's own are its head, its description and what stands loose in
it, not its methods. Declared fields are their type's. What no symbol has is the file's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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


def units(path: str, text: str, outline: Outline) -> list[Unit]:
    """The units of a file, in the order of their symbols; the file's own comes first."""
    lines = text.split("\n")
    own: dict[int, list[str]] = {}
    for line, owner in zip(lines, owners(outline, len(lines)), strict=True):
        own.setdefault(owner, []).append(line)
    place = counted(path.rpartition(".")[0].replace("/", " ") or path)
    return [
        Unit(symbol, _head(outline, symbol, lines, place), counted("\n".join(mine)))
        for symbol, mine in sorted(own.items())
    ]


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


def _head(outline: Outline, symbol: int, lines: list[str], place: Mapping[str, int]) -> Mapping[str, int]:
    if symbol == MODULE:
        return {}
    told = outline.symbols[symbol]
    found = dict(place)
    _add(found, counted(told.name.replace(".", " ")), NAME_COUNTS)
    _add(found, counted("\n".join(_signature(told, lines))))
    return found


def _signature(told: Symbol, lines: list[str]) -> list[str]:
    described = lines[told.doc - 1 : told.doc] if told.doc else []
    return lines[max(told.first, 1) - 1 : told.signature] + described


def _add(found: dict[str, int], more: Mapping[str, int], times: int = 1) -> None:
    for term, count in more.items():
        found[term] = found.get(term, 0) + times * count
