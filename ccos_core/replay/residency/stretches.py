"""What holds for many versions in a row: between which bounds words are rare, and documents long.

A version turns few words, so over hundreds of them hardly anything moves; whoever knows how far it can have moved need
not look at each. Nothing here depends on a text: it is worked out once for a journal, stretch by stretch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.bm25 import hurdles
from ccos_core.text.retrieval.logs import logs2, roots
from ccos_core.text.retrieval.tfidf import divisors_by, weighed

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal

MOST_MARKS = 400
"""Moments a stretch has at most."""
FEWEST_TURNED, TURNED_OF = 64, 16
"""A stretch ends where so many wordings came or left, ..."""
"""... and these are more than one part in so many of those there were."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Moments in a row, each told by how many versions there were."""

    marks: Numbers
    some: Numbers
    """The wordings that are documents at any of them, in order, ..."""
    throughout: Numbers
    """... and of each whether it is one at all of them."""
    hurdles: tuple[Numbers, Numbers]
    """Of each what its head is held against, at least and at most, ..."""
    divisors: tuple[Numbers, Numbers]
    """... and what its body's score is divided by."""


class Stretches:
    """All of them."""

    def __init__(self, wordings: Wordings, journal: Journal) -> None:
        self.wordings = wordings
        size = len(wordings.says) + 1  # of what is told by how many versions there were
        heads = np.append(0, np.cumsum(wordings.head, dtype=np.int64))
        self._sizes = np.diff(wordings.begins)
        self._lengths = heads[wordings.begins[1:]] - heads[wordings.begins[:-1]]
        ones = np.ones(len(wordings.born), np.int64)
        self.counts = _alive(wordings, ones, size)
        """Versions → how many documents there are then."""
        self._totals = _alive(wordings, self._lengths, size)
        self._turned = _came(wordings.born, size) + _came(wordings.died, size)
        self._begins = self._cut(marks_of(journal))
        self._known: dict[int, Stretch] = {}

    def at(self, upto: int) -> int:
        """Which of them a moment is in."""
        return int(np.searchsorted(self._firsts, upto, side="right")) - 1

    def stretch(self, number: int) -> Stretch:
        """One of them."""
        if number not in self._known:
            self._known[number] = self._made(self._begins[number])
        return self._known[number]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _cut(self, marks: Numbers) -> list[Numbers]:
        """Marks in pieces."""
        pieces: list[Numbers] = []
        begin, turned = 0, self._turned[marks]
        while begin < len(marks):
            most = max(FEWEST_TURNED, int(self.counts[marks[begin]]) // TURNED_OF)
            end = int(np.searchsorted(turned, turned[begin] + most, side="right"))
            end = max(begin + 1, min(end, begin + MOST_MARKS))
            pieces.append(marks[begin:end])
            begin = end
        self._firsts = np.array([piece[0] for piece in pieces], np.int64)
        return pieces

    def _made(self, marks: Numbers) -> Stretch:
        wordings, first, last = self.wordings, int(marks[0]), int(marks[-1])
        some = np.flatnonzero((wordings.born < last) & (wordings.died >= first))
        throughout = (wordings.born[some] < first) & (wordings.died[some] >= last)
        return Stretch(marks, some, throughout, self._hurdles(marks, some), self._divisors(marks, some))

    def _hurdles(self, marks: Numbers, some: Numbers) -> tuple[Numbers, Numbers]:
        lengths, at = np.unique(self._lengths[some], return_inverse=True)
        each = np.array([hurdles(lengths, int(self.counts[mark]), int(self._totals[mark])) for mark in marks.tolist()])
        return each.min(axis=0)[at], each.max(axis=0)[at]

    def _divisors(self, marks: Numbers, some: Numbers) -> tuple[Numbers, Numbers]:
        """By bounds of how long each is by itself, and all are together at any of the moments."""
        low, high = (self._own(rare) for rare in self._rare(marks))
        usual = [_alive(self.wordings, own, len(self.counts))[marks] // np.maximum(self.counts[marks], 1)
                 for own in (low, high)]  # fmt: skip
        return divisors_by(low[some], int(usual[0].min())), divisors_by(high[some], int(usual[1].max()))

    def _own(self, rare: Numbers) -> Numbers:
        """How long each wording is where words are so rare."""
        wordings = self.wordings
        each = weighed(rare.astype(np.int32)[wordings.term], wordings.often).astype(np.int64)
        sums = np.append(0, np.cumsum(each * each))
        return roots(sums[wordings.begins[1:]] - sums[wordings.begins[:-1]])

    def _rare(self, marks: Numbers) -> tuple[Numbers, Numbers]:
        """How rare each word is at least, and at most."""
        fewest, most = self._holding(int(marks[0]), int(marks[-1]))
        counts = logs2(2 * (self.counts[marks] + 1))
        low = np.maximum(int(counts.min()) - logs2(2 * most + 1), 0)
        return low, np.maximum(int(counts.max()) - logs2(2 * fewest + 1), 0)

    def _holding(self, first: int, last: int) -> tuple[Numbers, Numbers]:
        """How many documents have each word, at least and at most."""
        wordings, size = self.wordings, len(self.wordings.terms)
        there = np.repeat((wordings.born < first) & (wordings.died >= first), self._sizes)
        held = np.bincount(wordings.term[there], minlength=size)
        came = np.flatnonzero((wordings.born >= first) & (wordings.born < last))
        left = np.flatnonzero((wordings.died >= first) & (wordings.died < last))
        terms = [self._terms(came), self._terms(left)]
        versions = [np.repeat(column[each], self._sizes[each])
                    for column, each in ((wordings.born, came), (wordings.died, left))]  # fmt: skip
        by = np.repeat([1, -1], [len(each) for each in terms])
        fewest, most = _swings(np.concatenate(terms), np.concatenate(versions), by, size)
        return held + fewest, held + most

    def _terms(self, some: Numbers) -> Numbers:
        """The words of some wordings, one behind the other."""
        sizes = self._sizes[some]
        ends = np.cumsum(sizes)
        rows = np.repeat(self.wordings.begins[some] - ends + sizes, sizes) + np.arange(int(sizes.sum()))
        found: Numbers = self.wordings.term[rows]
        return found


def stretches_of(wordings: Wordings, journal: Journal) -> Stretches:
    """Those of a journal."""
    found: Stretches = journal.once("stretches", lambda: Stretches(wordings, journal))
    return found


def marks_of(journal: Journal) -> Numbers:
    """How many versions there are before the first moment, and behind each that has any."""
    steps = journal.versions["step"]
    lasts = np.array([journal.last_moment(step) for step in _moments(journal).tolist()], np.int32)
    return np.unique(np.append(0, np.searchsorted(steps, lasts, side="right")))


def _moments(journal: Journal) -> Numbers:
    """The first step of each moment that has versions."""
    steps = np.unique(journal.versions["step"])
    looks = journal.steps["look"][steps - 1]
    found: Numbers = np.unique(np.where(looks > 0, looks, steps))
    return found


def _came(versions: Numbers, size: int) -> Numbers:
    """Versions → how many of some wordings came, or left, by these."""
    found: Numbers = np.append(0, np.cumsum(np.bincount(versions, minlength=size)))[:size]
    return found


def _alive(wordings: Wordings, each: Numbers, size: int) -> Numbers:
    """Versions → what all documents there are then come to together."""
    by = np.zeros(size + 1, np.int64)
    np.add.at(by, wordings.born + 1, each)
    np.subtract.at(by, wordings.died + 1, each)
    found: Numbers = np.cumsum(by)[:size]
    return found


def _swings(keys: Numbers, times: Numbers, by: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """Key → how far it goes down, and up, at most, where each goes by so much at some times."""
    low, high = np.zeros(size, np.int64), np.zeros(size, np.int64)
    order = np.lexsort((times, keys))
    keys, times, by = keys[order], times[order], by[order]
    last = np.append((keys[1:] != keys[:-1]) | (times[1:] != times[:-1]), True)[: len(keys)]
    sums, keys_then = np.cumsum(by)[last], keys[last]
    if len(sums):
        begins = np.flatnonzero(np.append(True, keys_then[1:] != keys_then[:-1]))
        before = np.append(0, sums)[begins]
        own = keys_then[begins]
        low[own] = np.minimum(np.minimum.reduceat(sums, begins) - before, 0)
        high[own] = np.maximum(np.maximum.reduceat(sums, begins) - before, 0)
    return low, high
