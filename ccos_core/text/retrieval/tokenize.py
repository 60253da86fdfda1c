"""Words of code and prose as a search compares them, and a file as the units it ranks: its symbols and their lines.

A compound counts as its parts and as itself, however it is joined: `prepareURL`, `prepare_url` and `--prepare-url` are
`prepare`, `url` and one and the same whole. Endings are cut by a few rules without a dictionary; both sides of a
comparison are cut alike. A line belongs to the innermost symbol around it; a class has its head, its description and
what stands loose in it. Declared fields are their type's, and lines of no symbol are the file's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby

from ccos_core.values.code import MODULE, Outline
from ccos_core.values.remembered import Remembered

_WORD = re.compile(r"\w+(?:-\w+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
LONGEST = 64
"""Characters of a word that is worth comparing: what is longer is data."""
WHOLE = "="
"""Before a compound that counts as itself."""
_JOINTS = str.maketrans("", "", "_-")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
_SHORTEST_STEM = 3
MOST_PIECES, LONGEST_PIECE = 1 << 16, 200
"""Pieces whose terms are remembered, and characters of one: some files are one piece, and each version of them
another."""


def counted(text: str) -> Mapping[str, int]:
    """The terms of a text, with how often each occurs; in the order they are met first."""
    return Counter(chain.from_iterable(map(terms_of, pieces(text))))


def pieces(text: str) -> list[str]:
    """What stands between white space, beyond which no word goes."""
    return text.split()


@lru_cache(maxsize=2**16)
def terms(word: str) -> tuple[str, ...]:
    """What one word counts as: its parts, and itself where it has several."""
    if len(word) > LONGEST:
        return ()
    parts = [part.lower() for part in _PART.findall(word)]
    found = [stem(part) for part in parts if len(part) > 1]
    return (*found, WHOLE + word.translate(_JOINTS).lower()) if len(parts) > 1 else tuple(found)


def _terms_of(piece: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(terms, _WORD.findall(piece))))


_remembered = Remembered(_terms_of, MOST_PIECES, LONGEST_PIECE)
terms_of = _remembered.__getitem__
"""The terms of a piece one after the other. Pieces come again: in other versions of a file most of them do."""


def stem(word: str) -> str:
    """A lower-case word without its ending."""
    if len(word) <= _SHORTEST_STEM:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


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
