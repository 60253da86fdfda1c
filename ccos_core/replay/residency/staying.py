"""What of a file is as it was in the version before, which is most of it: nobody need look at that twice.

A wording is a symbol's own words, and what it takes to show it at all. Where the symbol lies as it did within lines
that say what they said, both are what they were; but a member of a class is shown with the head of that, wherever it
lies. Wherever it isn't plain that all of it stayed, it counts as another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ccos_core.text.retrieval.units import owners
from ccos_core.values.code import MODULE, Symbol
from ccos_core.window.layout import entry
from ccos_core.window.source import SIGNATURE, Source


@dataclass(frozen=True, slots=True)
class Laid:
    """A version, and to which of its symbols each of its lines belongs."""

    source: Source
    owners: list[int]
    names: list[str]
    """What its symbols are called."""

    @classmethod
    def out(cls, source: Source) -> Laid:
        """A version as it lies."""
        names = [symbol.name for symbol in source.outline.symbols]
        return cls(source, owners(source.outline, len(source.lines)), names)


def staying(now: Laid, was: Laid, some: Iterable[int]) -> set[int]:
    """Those of some symbols of the version before that stay. Where symbols are called otherwise, it may be that none of
    them is who it was."""
    if now.names != was.names or now.source.unknown or was.source.unknown:
        return set()
    now.source.nesting.go_on_from(was.source.nesting)
    return {symbol for symbol in some if symbol != MODULE and _stays(now, was, symbol)}


def cost(source: Source, symbol: int) -> int:
    """What it takes at most to show a symbol at all."""
    return entry(source, source.shown(symbol, SIGNATURE))


def _stays(now: Laid, was: Laid, symbol: int) -> bool:
    one, other = now.source.outline.symbols[symbol], was.source.outline.symbols[symbol]
    by = one.line - other.line
    if one != (_moved(other, by) if by else other) or bool(one.doc) != bool(other.doc):
        return False
    begin, end = now.source.span(symbol)
    if not (begin <= one.signature <= end and (not one.doc or begin <= one.doc <= end)):
        return False  # it says something elsewhere
    here, there = slice(begin - 1, end), slice(begin - 1 - by, end - by)
    if now.owners[here] != was.owners[there] or now.source.lines[here] != was.source.lines[there]:
        return False
    return "." not in one.name or cost(now.source, symbol) == cost(was.source, symbol)


def _moved(symbol: Symbol, by: int) -> Symbol:
    name, kind, line, first, signature, last, doc = symbol
    return Symbol(name, kind, line + by, first + by, signature + by, last + by, doc and doc + by)
