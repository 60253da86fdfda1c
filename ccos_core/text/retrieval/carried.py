"""Whether one text is carried by another: a prompt by the summary that took its place, a statement by a document.

Words are compared, in lower case and without what stands between them. A text is carried whole where its words stand
in the carrier one behind the other, and in part where at least half of them do in groups of three, in order.

    carried("Fix the flaky test, please!", "The user said: *fix the flaky test* please").state   # whole
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

WHOLE, PART, NONE = "whole", "part", "none"
GROUP = 3  # words that have to stand together before chance is ruled out
SHARE = 1, 2  # of a text's words that have to be carried in part
MOST_WORDS = 50_000  # of either text that are compared; a summary has a few thousand
MOST_PLACES = 4  # of one group in the carrier that are considered, the first ones

_WIDE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_WIDE}]|(?:(?![{_WIDE}])[\w\u0300-\u036f])+")
"""A character of a script without blanks; or letters, with marks that are written apart."""
_ASCII_WORD = re.compile(r"\w+")


class Carried(NamedTuple):
    """How much of a text stands in its carrier."""

    state: str
    """`whole`, `part`, `none`."""

    words: int
    """Words of the text that stand in the carrier, in order."""

    of: int
    """Words the text has."""

    start: int
    end: int
    """Where in the carrier they begin and end, in characters; 0 and 0 where there are none."""


def carried(text: str, carrier: str) -> Carried:
    """Compare a text with what may carry it. Takes n log n of their words, whatever they are."""
    return Carrier(carrier).compare(normalised_words(text)[:MOST_WORDS])


class Carrier:
    """A text that may carry others; its words are found once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._there = placed_words(text)
        self._given = [word for word, _, _ in self._there]
        self._words = frozenset(self._given)
        self._line = "\n" + "\n".join(self._given) + "\n"

    def compare(self, wanted: Sequence[str]) -> Carried:
        """Tell how much of some normalised words it carries."""
        there = self._there
        if not wanted or not there:
            return Carried(NONE, 0, len(wanted), 0, 0)
        known = sum(word in self._words for word in wanted)
        if known * SHARE[1] < len(wanted) * SHARE[0]:  # as nearly always
            return Carried(NONE, 0, len(wanted), 0, 0)
        at = self._together(wanted) if known == len(wanted) else -1
        if at >= 0:
            return Carried(WHOLE, len(wanted), len(wanted), *self._span(at, at + len(wanted) - 1))
        groups = [tuple(wanted[place : place + GROUP]) for place in range(len(wanted) - GROUP + 1)]
        pairs = longest_chain([self._places.get(group, ()) for group in groups])
        covered = words_covered(pairs)
        if covered * SHARE[1] < len(wanted) * SHARE[0]:
            return Carried(NONE, covered, len(wanted), 0, 0)
        return Carried(PART, covered, len(wanted), *self._span(pairs[0][1], pairs[-1][1] + GROUP - 1))

    def _together(self, wanted: Sequence[str]) -> int:
        """The first place at which these words stand one behind the other; -1 where they don't."""
        at = self._line.find("\n" + "\n".join(wanted) + "\n")
        return self._line.count("\n", 0, at) if at >= 0 else -1

    @cached_property
    def _places(self) -> dict[tuple[str, ...], list[int]]:
        """A group of words → its first places."""
        places: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(self._given) - GROUP + 1):
            known = places.setdefault(tuple(self._given[at : at + GROUP]), [])
            if len(known) < MOST_PLACES:
                known.append(at)
        return places

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """Where in the text some of its words begin and end, in characters."""
        start, end = self._there[first][1], self._there[last][2]
        if unicodedata.is_normalized("NFC", self._text):
            return start, end
        return self._as_written(start), self._as_written(end)

    def _as_written(self, place: int) -> int:
        """Where in the text a place of the composed text is."""
        ends = range(len(self._text) + 1)
        return bisect_right(ends, place, key=lambda at: len(_composed(self._text[:at]))) - 1


def longest_chain(places: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the longest chain of groups that stand in two texts in the same order, as their places in both. `places`
    says of each group of the one where it stands in the other, in rising order."""
    ends: list[int] = []  # of the best chain of each length the place it ends at, ...
    last: list[int] = []  # ... and which pair that is
    pairs: list[tuple[int, int, int]] = []  # place, place in the carrier, the pair before
    for place, found in enumerate(places):
        for there in reversed(found):  # backwards, so that a chain has at most one of them
            length = bisect_left(ends, there)
            pairs.append((place, there, last[length - 1] if length else -1))
            ends[length : length + 1] = [there]
            last[length : length + 1] = [len(pairs) - 1]
    chain: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        place, there, at = pairs[at]
        chain.append((place, there))
    return chain[::-1]


def words_covered(chain: Sequence[tuple[int, int]]) -> int:
    """Count the words of the first text that stand in a group of a chain."""
    return len({place + step for place, _ in chain for step in range(GROUP)})


def normalised_words(text: str) -> list[str]:
    """Return the words of a text as they are compared: composed characters, case folded, nothing but words."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return [_normalised(word) for word in _WORD.findall(_composed(text))]


def placed_words(text: str, most: int | None = MOST_WORDS) -> list[tuple[str, int, int]]:
    """Return (word, first character, end in the composed text) of each word, normalised."""
    found = [(match[0], match.start(), match.end()) for match in islice(_WORD.finditer(_composed(text)), most)]
    if text.isascii():
        return [(word.lower(), start, end) for word, start, end in found]
    return [(_normalised(word), start, end) for word, start, end in found]


def _composed(text: str) -> str:
    """Return a text in which each letter and its marks are one character, so that either spelling has the same
    words."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _normalised(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
