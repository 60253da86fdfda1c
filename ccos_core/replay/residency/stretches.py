"""Moments in a row, in parts of parts: what holds for many of them need not be looked at for each.

Nothing here depends on a text. A moment is told by how many versions there were; it stands at a place among all moments
that have another number of them than the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval import bm25, tfidf

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal

PARTS = 4
"""Into how many a stretch falls."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Moments in a row, by their places: from the first to before the end."""

    first: int
    end: int

    def __contains__(self, place: int) -> bool:
        return self.first <= place < self.end

    def is_one(self) -> bool:
        """Whether it is a single moment."""
        return self.end == self.first + 1

    def part(self, place: int) -> Stretch:
        """The quarter that has a place."""
        ends = [self.first + (self.end - self.first) * at // PARTS for at in range(PARTS + 1)]
        at = bisect_right(ends, place)
        return Stretch(ends[at - 1], ends[at])


class Stretches:
    """All moments of a journal, and what all documents together were like at each."""

    def __init__(self, wordings: Wordings, journal: Journal) -> None:
        self.marks = marks_of(journal)
        """Place → how many versions there were."""
        self.comes = np.searchsorted(self.marks, wordings.born, side="right")
        """The first place at which each wording is a document, ..."""
        self.leaves = np.searchsorted(self.marks, wordings.died, side="right")
        """... and the first at which it isn't any more."""
        self.counts = self._alive(np.ones(len(wordings.born), np.int64))
        """Place → how many documents there are then, ..."""
        self.heads = self._usual(wordings.head_length, bm25.usual)
        self.bodies = self._usual(wordings.body_length, tfidf.usual)
        """... and how long heads, and bodies, are as a rule."""
        self._begins = self._steadily()

    def place(self, upto: int) -> int:
        """Where a moment stands at which there were so many versions."""
        return int(np.searchsorted(self.marks, upto))

    def steady(self, place: int) -> Stretch:
        """The stretch that has a place, of those that follow on each other, each until documents would be more than
        twice as many as once in it: of any longer one there is little to be said."""
        at = int(np.searchsorted(self._begins, place, side="right"))
        return Stretch(self._begins[at - 1], self._begins[at])

    def are_in(self, some: Numbers, stretch: Stretch) -> Numbers:
        """Whether each of some wordings is a document at any moment of a stretch."""
        found: Numbers = (self.comes[some] < stretch.end) & (self.leaves[some] > stretch.first)
        return found

    def are_throughout(self, some: Numbers, stretch: Stretch) -> Numbers:
        """Whether each is one at all of them."""
        found: Numbers = (self.comes[some] <= stretch.first) & (self.leaves[some] >= stretch.end)
        return found

    def holding(self, some: Numbers) -> Numbers:
        """Place → how many of some wordings are documents then."""
        size = len(self.marks)
        by = np.bincount(self.comes[some], minlength=size + 1) - np.bincount(self.leaves[some], minlength=size + 1)
        found: Numbers = np.cumsum(by)[:size]
        return found

    def _steadily(self) -> list[int]:
        """Where such stretches begin, and the end of the last."""
        begins, counts = [0], self.counts
        while begins[-1] < len(counts):
            left = counts[begins[-1] :]
            other = np.maximum.accumulate(left) > 2 * np.minimum.accumulate(left)
            begins.append(begins[-1] + int(np.argmax(np.append(other, True))))
        return begins

    def _usual(self, lengths: Numbers, usual: Callable[[int, int], int]) -> Numbers:
        each = zip(self._alive(lengths).tolist(), self.counts.tolist(), strict=True)
        return np.array([usual(*total) for total in each], np.int64)

    def _alive(self, each: Numbers) -> Numbers:
        """Place → what all documents there are then come to together."""
        by = np.zeros(len(self.marks) + 1, np.int64)
        np.add.at(by, self.comes, each)
        np.subtract.at(by, self.leaves, each)
        found: Numbers = np.cumsum(by)[:-1]
        return found


def stretches_of(wordings: Wordings, journal: Journal) -> Stretches:
    """Those of a journal."""
    found: Stretches = journal.once("stretches", lambda: Stretches(wordings, journal))
    return found


def marks_of(journal: Journal) -> Numbers:
    """How many versions there are before the first moment, and behind each that has any."""
    steps = journal.versions["step"]
    lasts = np.unique(journal.begun(steps))
    looks = journal.steps["look"][lasts - 1] > 0  # others are one step each
    lasts[looks] = [journal.last_moment(step) for step in lasts[looks].tolist()]
    return np.unique(np.append(0, np.searchsorted(steps, lasts, side="right")))
