"""Whether one text is carried by another: a prompt by the summary that took its place, a statement by a document.

Words are compared, in lower case and without what stands between them. A text is carried whole where its words stand
in the carrier one behind the other, and in part where at least half of them do in groups of three, in order.

    carried("Fix the flaky test, please!", "The user said: *fix the flaky test* please").state   # whole
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

WHOLE, PART, NONE = "whole", "part", "none"
GROUP = 3  # words that have to stand together before chance is ruled out
SHARE = 1, 2  # of a text's words that have to be carried in part
MOST_WORDS = 50_000  # of either text that are compared; a summary has a few thousand
MOST_PLACES = 4  # of one group in the carrier that are considered, the first ones

_WIDE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_WIDE}]|(?:(?![{_WIDE}])[\w\u0300-\u036f])+")
"""A character of a script without blanks; or letters, with marks that are written apart."""


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
    return Carrier(carrier).compare(normalised_words(text))


class Carrier:
    """A text that may carry others; its words are found once."""

    def __init__(self, text: str) -> None:
        self._there = _placed(text)
        self._given = [word for word, _, _ in self._there]
        self._words = frozenset(self._given)
        self._line = "\n" + "\n".join(self._given) + "\n"

    @property
    def groups(self) -> Collection[tuple[str, ...]]:
        """Every run of `GROUP` words that it has. What shares none of them it doesn't carry in part."""
        return self._places.keys()

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
            return Carried(WHOLE, len(wanted), len(wanted), there[at][1], there[at + len(wanted) - 1][2])
        pairs = self._in_order(wanted)
        covered = len({place + step for place, _ in pairs for step in range(GROUP)})
        if covered * SHARE[1] < len(wanted) * SHARE[0]:
            return Carried(NONE, covered, len(wanted), 0, 0)
        return Carried(PART, covered, len(wanted), there[pairs[0][1]][1], there[pairs[-1][1] + GROUP - 1][2])

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

    def _in_order(self, wanted: Sequence[str]) -> list[tuple[int, int]]:
        """The longest chain of groups that stand in both texts in the same order: their places in the one and the
        other."""
        ends: list[int] = []  # of the best chain of each length the place it ends at, ...
        last: list[int] = []  # ... and which pair that is
        pairs: list[tuple[int, int, int]] = []  # place, place in the carrier, the pair before
        for place in range(len(wanted) - GROUP + 1):
            found = self._places.get(tuple(wanted[place : place + GROUP]), ())
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


def normalised_words(text: str) -> list[str]:
    """Return the words of a text as they are compared: composed characters, case folded, nothing but words."""
    return [word for word, _, _ in _placed(text)]


def _placed(text: str) -> list[tuple[str, int, int]]:
    """(word, first character, end) of each word."""
    found = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)][:MOST_WORDS]
    if text.isascii():
        return [(word.lower(), start, end) for word, start, end in found]
    return [(unicodedata.normalize("NFKC", word).casefold(), start, end) for word, start, end in found]
