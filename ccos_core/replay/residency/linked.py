"""What a text and the links to the best of it give documents, at one moment after another, by bounds of a stretch.

The bounds lie close together. So it is mostly certain who is among the best and what these are linked to, or it doesn't
matter. What fails has no say in it: failures spread along links by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.asked import Both
from ccos_core.replay.residency.bounds import Bounds
from ccos_core.replay.residency.edges import Edges, Pairs
from ccos_core.replay.residency.fitting import Fitting, Standing
from ccos_core.replay.residency.kinds import lasts
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE
from ccos_core.window import ranking
from ccos_core.window.ranking import NEAR, WEIGHTS, drawn


@dataclass(frozen=True, slots=True)
class _Best:
    """Whose links are looked at."""

    files: list[int]
    """The nodes of their files, ..."""
    is_certain: Numbers
    """... of each whether it surely is one, ..."""
    ahead: Numbers
    behind: Numbers
    """... and how many come before each document, at least and at most."""


class Linked:
    """Documents by text and links: another standing, as soon as any may have become another."""

    _bounds: Bounds | None = None

    def __init__(self, fitting: Fitting, edges: Edges) -> None:
        self.wordings = fitting.wordings
        self._fitting = fitting
        self._edges = edges
        size = len(self.wordings.born)
        self._low_pull, self._high_pull = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._slots = np.zeros(size, np.int64)
        """Room to note something of some documents; left as it was found."""
        self._there = np.zeros(0, np.int64)
        """Those that may be among the first by the text alone, as far as they are there now."""
        self._by_text = self.standing = Standing(self._there, self._there, self._there)
        self._best = _Best([], self._there, self._there, self._there)
        self._pairs: Pairs | None = None
        """What links the best had when somebody asked for what they give."""

    def look(self, bounds: Bounds, upto: int, holder: Numbers, is_same: bool) -> Standing:
        """What they have where there were so many versions, and wordings hold nodes so; maybe neither what is there nor
        a link became another since the last look."""
        if is_same and bounds is self._bounds:
            return self.standing
        there = bounds.first[self.wordings.are_there(bounds.first, upto)]
        if bounds is not self._bounds or not np.array_equal(there, self._there):
            self._bounds, self._there, self._pairs = bounds, there, None
            self._by_text = Standing(there, *bounds.of(there))
            self._best = self._among(self._by_text)
        pairs = self._edges.of(self._best.files, holder)
        if pairs is not self._pairs:
            self._pairs = pairs
            self.standing = self._with_links(bounds, self._near(pairs[0], np.repeat(self._best.is_certain, pairs[1])))
        return self.standing

    # -- helpers --------------------------------------------------------------------------------------------------

    def _among(self, some: Standing) -> _Best:
        """Who the best are."""
        ahead, behind = _before(some)
        files = self.wordings.file[some.wordings]
        numbers = np.unique(files[ahead < ranking.AROUND_THEM])
        certain = files[(behind < ranking.AROUND_THEM) & (some.low > 0)]
        is_certain = self._fitting.are_among(numbers, certain)
        return _Best(self.wordings.numbers[numbers].tolist(), is_certain, ahead, behind)

    def _near(self, pairs: Numbers, is_certain: Numbers) -> Standing:
        """What links to the best give documents."""
        some, (one, to) = self._by_text.wordings, pairs
        self._low_pull[some], self._high_pull[some] = _pulls(self._by_text, self._best)
        pulled = np.flatnonzero((self._high_pull[one] > 0) | (self._high_pull[to] > 0))
        fewest, most = self._linking(to, to[pulled], is_certain)
        one, to, is_certain = one[pulled], to[pulled], is_certain[pulled]
        low = [np.where(is_certain, drawn(self._low_pull[each], most), 0) for each in (one, to)]
        high = [drawn(self._high_pull[each], fewest) for each in (one, to)]
        self._low_pull[some] = self._high_pull[some] = 0
        return self._summed(np.concatenate([to, one]), np.concatenate(low), np.concatenate(high))

    def _linking(self, every: Numbers, some: Numbers, is_certain: Numbers) -> Both:
        """How many link to each of some documents, at least and at most, where all that link to any are told."""
        different = some[lasts(some, self._fitting.places)]
        self._slots[different] = np.arange(1, len(different) + 1)
        slots, size = self._slots[every], len(different) + 1
        most, fewest = np.bincount(slots, minlength=size), np.bincount(slots[is_certain], minlength=size)
        mine = self._slots[some]
        self._slots[different] = 0
        return np.maximum(fewest, 1)[mine], most[mine]

    def _summed(self, documents: Numbers, low: Numbers, high: Numbers) -> Standing:
        """What each document is given together, those left out that are given nothing."""
        different = documents[lasts(documents, self._fitting.places)]
        self._slots[different] = np.arange(len(different))
        slots = self._slots[documents]
        self._slots[different] = 0
        sums = np.zeros((2, len(different)), np.int64)
        np.add.at(sums[0], slots, low)
        np.add.at(sums[1], slots, high)
        sums *= 1 - self.wordings.aside[different]
        given = sums[1] > 0
        return Standing(different[given], sums[0][given], sums[1][given])

    def _with_links(self, bounds: Bounds, near: Standing) -> Standing:
        """Documents by the text, with what links give them as well."""
        weight, before = WEIGHTS[NEAR] * WHOLE, self._by_text
        surely, maybe = _better_than(near)
        least = np.where(near.low > 0, weight // (STEEPNESS + 1 + maybe), 0)
        most = weight // (STEEPNESS + 1 + surely)
        others = ~self._fitting.are_among(before.wordings, near.wordings)
        low, high = bounds.of(near.wordings)
        return Standing(
            np.concatenate([near.wordings, before.wordings[others]]),
            np.concatenate([low + least, before.low[others]]),
            np.concatenate([high + most, before.high[others]]),
        )


def _better(scores: Numbers, than: Numbers) -> Numbers:
    """How many of some scores are better than each of others."""
    found: Numbers = len(scores) - np.searchsorted(np.sort(scores), than, side="right")
    return found


def _better_than(some: Standing) -> Both:
    """How many of some are better than each of them, at least and at most: what has as much shares a place."""
    return _better(some.low, some.high), _better(some.high, some.low) - (some.high > some.low)


def _before(some: Standing) -> Both:
    """How many of some come before each, at least and at most: of those that have as much the first do."""
    low, high = some.places()
    return _better(low, high), _better(high, low) - (high > low)


def _pulls(some: Standing, best: _Best) -> Both:
    """How much each of some draws to itself what it is linked to: as the best do, by their places."""
    surely, maybe = _better_than(some)
    low = np.where((best.behind < ranking.ANCHORS) & (some.low > 0), WHOLE // (STEEPNESS + 1 + maybe), 0)
    return low, np.where(best.ahead < ranking.ANCHORS, WHOLE // (STEEPNESS + 1 + surely), 0)
