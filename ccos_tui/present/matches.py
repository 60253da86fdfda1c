"""Where searched words stand in a line, and spans in which it is marked."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

ROLE = "found"


def matches(text: str, word: str, most: int = 100) -> list[tuple[int, int]]:
    """Return where a word stands, or each of several words on lines of their own. A word in lower case is found in any
    case, one with accents also where those are characters of their own."""
    words = dict.fromkeys(form for each in word.split("\n") if each for form in _forms(each))
    found = sorted(place for each in words for place in _places(text, each, most))
    return [place for at, place in enumerate(found) if not at or place[0] >= found[at - 1][1]][:most]


def _forms(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (word,)
    return unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)


def _places(text: str, word: str, most: int) -> list[tuple[int, int]]:
    if word == word.lower():
        lowered = text.lower()
        text = lowered if len(lowered) == len(text) else text
    found: list[tuple[int, int]] = []
    at = text.find(word)
    while at >= 0 and len(found) < most:
        found.append((at, at + len(word)))
        at = text.find(word, at + len(word))
    return found


def marked(
    spans: Sequence[tuple[str, str]], ranges: Sequence[tuple[int, int]], role: str = ROLE
) -> list[tuple[str, str]]:
    """Return the same spans, with another role where the ranges are."""
    return list(_marked(spans, ranges, role)) if ranges else list(spans)


def _marked(
    spans: Sequence[tuple[str, str]], ranges: Sequence[tuple[int, int]], role: str
) -> Iterator[tuple[str, str]]:
    at = 0
    for text, before in spans:
        cuts = sorted({0, len(text), *(min(max(each - at, 0), len(text)) for pair in ranges for each in pair)})
        for first, last in pairwise(cuts):
            is_within = any(begin <= at + first and at + last <= end for begin, end in ranges)
            yield text[first:last], role if is_within else before
        at += len(text)
