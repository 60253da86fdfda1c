"""Whether a node is in a `hybrid` window at one moment, by bounds of what a text gives, where that settles it.

The bounds of a stretch lie close together, and what fails is known exactly. So it is mostly certain who is among the
best and what these are linked to, or it doesn't matter; where it does, this says nothing, and somebody has to look at
a shorter stretch. Exact bounds settle everything.
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
from ccos_core.replay.residency.pressed import Pressed, strongest
from ccos_core.replay.residency.prospects import NEAREST
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE
from ccos_core.window import ranking
from ccos_core.window.ranking import FAILING, NEAR, WEIGHTS, drawn


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


class Closely:
    """The documents of one moment after another."""

    _bounds: Bounds

    def __init__(self, fitting: Fitting, pressed: Pressed, edges: Edges) -> None:
        self.wordings = fitting.wordings
        self._fitting = fitting
        self._pressed = pressed
        self._edges = edges
        self._holder = np.zeros(0, np.int32)
        size = len(self.wordings.born)
        self._failing = np.zeros(size, np.int64)
        """What failures give each wording, at this moment."""
        self._low_pull, self._high_pull = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._slots = np.zeros(size, np.int64)
        self._marks = np.zeros(size, np.uint8)
        """Room to note something of some documents, or some files; left as it was found."""
        self._nodes = np.zeros(0, np.int32)
        """What failures press on, as of when that was taken in, ..."""
        self._is_pressed = np.zeros(pressed.size, bool)
        """... the same as a mask, ..."""
        self._pressed_now = np.zeros(0, np.int64)
        """... and the wordings they press on."""
        self._looked = False
        """Whether this moment was looked at as it is."""
        self._there = np.zeros(0, np.int64)
        """Those that may be among the first by the text alone, as far as they are there now."""
        self._before = self.standing = Standing(self._there, self._there, self._there)
        """Documents by text and failures, and with what links give them as well: another, as soon as any may be."""
        self._best = _Best([], self._there, self._there, self._there)
        self._pairs: Pairs | None = None
        """What links the best had when somebody asked for what they give."""
        self._is_out: dict[bytes, bool] = {}
        """Documents → whether none of them is in, whatever is linked, ..."""
        self._told: dict[bytes, bool | None] = {}
        """... and whether any of them is; as far as somebody asked, as long as nothing becomes another."""

    def move(self, holder: Numbers, turned: Numbers) -> None:
        """Go on to a moment, where other wordings hold the nodes that turned since the last one."""
        self._holder = holder
        nodes, strengths = self._pressed.nodes()
        if nodes is not self._nodes or self._is_pressed[turned].any():
            self._press(nodes, strengths, holder)
            self._looked = False

    def look(self, bounds: Bounds, upto: int) -> None:
        """Look at it by bounds of a stretch it is in."""
        there = bounds.first[self.wordings.are_there(bounds.first, upto)]
        if not self._looked or bounds is not self._bounds or not np.array_equal(there, self._there):
            self._looked, self._bounds, self._there = True, bounds, there
            more = self._every(self._pressed_now)
            more = more.of((bounds.of(more.wordings)[1] < bounds.enough) & (more.high >= bounds.enough))
            self._before, self._pairs, self._is_out = self._every(np.concatenate([there, more.wordings])), None, {}
            self._best = self._among(self._before)

    def is_in(self, mine: Numbers) -> bool | None:
        """Whether any of some documents is in; None where that can't be told."""
        key = mine.tobytes()
        if key not in self._is_out:
            own = self._every(mine)
            self._is_out[key] = self._fitting.is_full(self._before, Standing(mine, own.low, own.high + NEAREST))
        if self._is_out[key]:
            return False
        self._stand()
        if key not in self._told:
            self._told[key] = self._is_in(mine)
        return self._told[key]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _is_in(self, mine: Numbers) -> bool | None:
        every, own = self.standing, self._every(mine)
        self._slots[mine] = np.arange(1, len(mine) + 1)
        slots = self._slots[every.wordings]
        self._slots[mine] = 0
        low, high = own.low.copy(), own.high.copy()
        known = np.flatnonzero(slots)
        low[slots[known] - 1], high[slots[known] - 1] = every.low[known], every.high[known]
        best = int(every.low.max(initial=0)), int(every.high.max(initial=0))
        return self._fitting.is_in(every, Standing(mine, low, high), best, self._bounds.enough)

    def _every(self, some: Numbers) -> Standing:
        """What text and failures give some wordings together."""
        failing, (low, high) = self._failing[some], self._bounds.of(some)
        return Standing(some, low + failing, high + failing)

    def _press(self, nodes: Numbers, strengths: Numbers, holder: Numbers) -> None:
        """Take in what presses now."""
        self._is_pressed[self._nodes] = False
        self._is_pressed[nodes] = True
        self._nodes = nodes
        holders = holder[nodes]
        held = holders >= 0
        found, strengths = strongest(holders[held], strengths[held], self._fitting.places)
        self._failing[self._pressed_now] = 0
        self._pressed_now = found
        self._failing[found] = WEIGHTS[FAILING] * WHOLE // (STEEPNESS + 1 + _better(strengths, strengths))

    def _among(self, some: Standing) -> _Best:
        """Who the best are."""
        ahead, behind = _before(some)
        files = self.wordings.file[some.wordings]
        numbers = np.unique(files[ahead < ranking.AROUND_THEM])
        self._marks[files[(behind < ranking.AROUND_THEM) & (some.low > 0)]] = 1
        is_certain = self._marks[numbers] == 1
        self._marks[files] = 0
        return _Best(self.wordings.numbers[numbers].tolist(), is_certain, ahead, behind)

    def _stand(self) -> None:
        """Take in what stands there now, if the best or their links became others."""
        pairs = self._edges.of(self._best.files, self._holder)
        if pairs is self._pairs:
            return
        self._pairs, some, best = pairs, self._before, self._best
        near = self._near(some, _pulls(some, best), pairs[0], np.repeat(best.is_certain, pairs[1]))
        self.standing, self._told = self._with_links(some, near), {}

    def _near(self, some: Standing, pulls: Both, pairs: Numbers, is_certain: Numbers) -> Standing:
        """What links to the best give documents."""
        one, to = pairs
        self._low_pull[some.wordings], self._high_pull[some.wordings] = pulls
        pulled = np.flatnonzero((self._high_pull[one] > 0) | (self._high_pull[to] > 0))
        fewest, linking = self._linking(to, to[pulled], is_certain)
        one, to, is_certain = one[pulled], to[pulled], is_certain[pulled]
        low = [np.where(is_certain, drawn(self._low_pull[each], linking), 0) for each in (one, to)]
        high = [drawn(self._high_pull[each], fewest) for each in (one, to)]
        self._low_pull[some.wordings] = self._high_pull[some.wordings] = 0
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

    def _with_links(self, before: Standing, near: Standing) -> Standing:
        """Documents with what links give them as well."""
        weight = WEIGHTS[NEAR] * WHOLE
        surely, maybe = _better_than(near)
        least = np.where(near.low > 0, weight // (STEEPNESS + 1 + maybe), 0)
        most = weight // (STEEPNESS + 1 + surely)
        self._marks[near.wordings] = 1
        others = self._marks[before.wordings] == 0
        self._marks[near.wordings] = 0
        given = self._every(near.wordings)
        return Standing(
            np.concatenate([near.wordings, before.wordings[others]]),
            np.concatenate([given.low + least, before.low[others]]),
            np.concatenate([given.high + most, before.high[others]]),
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
