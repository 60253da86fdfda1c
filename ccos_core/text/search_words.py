"""Words to search for, and where they stand in a text.

    query = parse_query('"still fails" total*')
    query.expression                      # what SQLite's full-text search (FTS5) is asked
    quote(text, query)                    # a piece of the text, and where in it the words stand

A word is a run of letters and digits, in either case, with or without accents, composed or decomposed (macOS names
files so). `src/db.py` is the phrase `src db py`.
Every character of Chinese, Japanese and Korean is a word, as those are written without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_TERM = re.compile(r'"([^"]*)"?(\*?)|(\S+)')
_TOKEN = re.compile("[^\\W_](?:[^\\W_]|[\u0300-\u0331])*")
"""An accent that no composed letter has is part of its word, as in SQLite."""
_ASCII_TOKEN = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u0331]")
_UNSPACED = re.compile("([\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff])")
_COLOURS = re.compile(r"\[U\+001B ESC\]\[[0-9;?]*[A-Za-z]")
"""What a terminal obeys, as the gate spells it out: `[31m` in front of a word isn't part of it."""
FIRST_LOOK = 50_000
"""Characters of a long text in which words are looked for first: each word of it takes 0.5 µs."""
BEFORE, LENGTH = 24, 240
"""Characters of a quotation: before the first word that is found, and in all."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word, or the words of a phrase."""

    tokens: tuple[str, ...]
    is_prefix: bool = False
    """Whether the last of them may go on."""


@dataclass(frozen=True, slots=True)
class Query:
    """Terms, all of which have to stand in one text."""

    terms: tuple[Term, ...]

    @property
    def expression(self) -> str:
        """The query in the language of FTS5."""
        return " ".join(f'"{" ".join(each.tokens)}"{"*" * each.is_prefix}' for each in self.terms)


def parse_query(said: str, *, unfinished: bool = False) -> Query:
    """Read words, `"phrases in quotes"` and `prefix*`. With `unfinished` the last word may go on as well."""
    terms = []
    for quoted, star, word in _TERM.findall(composed(said)):
        tokens = tuple(token for token, _, _ in _tokens(quoted or word))
        if tokens:
            terms.append(Term(tokens, bool(star) or word.endswith("*")))
    if unfinished and terms and not said.endswith((" ", '"')):
        terms[-1] = Term(terms[-1].tokens, True)
    return Query(tuple(dict.fromkeys(terms)))


def searchable(text: str) -> str:
    """The text as it is indexed: without colours, and with spaces between the characters of unspaced scripts."""
    text = composed(_without_colours(text))
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def composed(text: str) -> str:
    """The text with each letter and its accents as one character (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _without_colours(text: str) -> str:
    """The text with as many spaces in the place of each escape sequence, so that all else stands where it stood."""
    return _COLOURS.sub(lambda found: " " * len(found.group()), text) if "ESC]" in text else text


def marks(text: str, query: Query) -> list[tuple[int, int, int]]:
    """Where terms stand in a text: (start, end, number of the term), in order."""
    tokens = list(_tokens(_without_colours(text)))
    found = []
    for number, term in enumerate(query.terms):
        length = len(term.tokens)
        for at in _at_first(tokens, term):
            begin, end = tokens[at][1], tokens[at + length - 1][2]
            found.append((begin, end, number))
    return sorted(found)


def quote(text: str, query: Query, shown: Callable[[str], str] = str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """(the piece of a text with most of the terms, on one line, where terms stand in it). `shown` makes it harmless."""
    text = composed(text)
    where = marks(text[:FIRST_LOOK], query) or marks(text, query)
    begin = _begin(text, where[_densest(where)][0]) if where else 0
    piece = shown(text[begin : begin + LENGTH].strip())
    cut = "…" * (begin > 0) + piece + "…" * (begin + LENGTH < len(text))
    return cut, tuple((start, end) for start, end, _ in marks(cut, query))


def _begin(text: str, mark: int) -> int:
    """Where a quotation begins: between words, a little before the first one that is marked."""
    begin = mark - BEFORE
    if begin <= BEFORE // 2:
        return 0
    gap = text.find(" ", begin, mark)
    return gap + 1 if gap >= 0 else begin


def _densest(where: Sequence[tuple[int, int, int]]) -> int:
    """The first mark behind which the most different terms follow within a quotation."""
    best, most, last, times = 0, 0, 0, dict[int, int]()
    for at, (begin, _, _) in enumerate(where):
        while last < len(where) and where[last][1] <= begin + LENGTH - BEFORE:
            times[where[last][2]] = times.get(where[last][2], 0) + 1
            last += 1
        if len(times) > most:
            best, most = at, len(times)
        number = where[at][2]
        if number in times:
            times[number] -= 1
            if times[number] <= 0:
                del times[number]
    return best


def _at_first(tokens: Sequence[tuple[str, int, int]], term: Term) -> Iterator[int]:
    *whole, final = term.tokens
    for at in range(len(tokens) - len(whole)):
        last = tokens[at + len(whole)][0]
        fits = last.startswith(final) if term.is_prefix else last == final
        if fits and all(tokens[at + number][0] == each for number, each in enumerate(whole)):
            yield at


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(token, start, end) of each word."""
    if text.isascii():
        for found in _ASCII_TOKEN.finditer(text):
            yield found.group().lower(), found.start(), found.end()
        return
    for found in _TOKEN.finditer(text):
        at = found.start()
        for piece in _UNSPACED.split(found.group()):
            if piece:
                yield _folded(piece), at, at + len(piece)
            at += len(piece)


@lru_cache(4_096)
def _folded(word: str) -> str:
    """In lower case, Latin letters without accents, as SQLite's `unicode61 remove_diacritics 2` has it."""
    if word.isascii():
        return word.lower()
    plain = _ACCENTS.sub("", word.lower())
    bases = ((each, unicodedata.normalize("NFD", each)[0]) for each in plain)
    return "".join(base if base.isascii() else each for each, base in bases)
