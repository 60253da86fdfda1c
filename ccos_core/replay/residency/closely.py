"""Whether a node is in a `hybrid` window at one moment, by bounds of what a text gives, where that settles it.

The bounds of a stretch lie close together, and what fails is known exactly. So it is mostly certain who is among the
best and what these are linked to, or it doesn't matter; where it does, this says nothing, and all has to be ranked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.bounds import Both, Bounds
from ccos_core.replay.residency.edges import Edges
from ccos_core.replay.residency.pressed import Pressed
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE
from ccos_core.window import ranking
from ccos_core.window.ranking import FAILING, NEAR, WEIGHTS, drawn


@dataclass(frozen=True, slots=True)
class _Some:
    """Some wordings, and between which bounds each is."""

    wordings: Numbers
    low: Numbers
    high: Numbers


class Closely:
    """The documents of one moment after another."""

    def __init__(self, wordings: Wordings, openings: Numbers, pressed: Pressed, edges: Edges, room: int) -> None:
        self.wordings = wordings
        self.room = room
        self._openings = openings
        self._pressed = pressed
        self._edges = edges
        self._bounds: Bounds | None = None
        size = len(wordings.born)
        self._low, self._high = np.zeros(size, np.int64), np.zeros(size, np.int64)
        """What a text gives each wording, in this stretch."""
        self._failing = np.zeros(size, np.int64)
        """What failures give each, at this moment."""
        self._low_pull, self._high_pull = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._places, self._slots = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._marks = np.zeros(size, np.uint8)
        """Room to note something of some documents, or some files; left as it was found."""
        self._pressed_now = np.zeros(0, np.int64)
        self._least = 1
        """Whoever has less by text and failures is neither among the best nor in, if it isn't near the best."""
        self._first = np.zeros(0, np.int64)
        """Those that may have as much by the text alone."""
        self._standing = _Some(self._first, self._first, self._first)

    def look(self, bounds: Bounds, upto: int, holder: Numbers) -> None:
        """Look at a moment of a stretch."""
        if bounds is not self._bounds:
            self._enter(bounds)
        pressed = self._press(holder)
        first = self._first[(self.wordings.born[self._first] < upto) & (self.wordings.died[self._first] >= upto)]
        more = pressed[(self._high[pressed] < self._least) & (self._all(pressed)[1] >= self._least)]
        some = np.concatenate([first, more])
        before = _Some(some, *self._all(some))
        self._standing = self._with_links(before, self._near(before, holder))

    def is_in(self, mine: Numbers) -> bool | None:
        """Whether any of some documents is in; None where that can't be told."""
        every = self._standing
        self._marks[mine] = 1
        is_mine = self._marks[every.wordings] == 1
        self._marks[mine] = 0
        own = self._all(mine)
        low = max(int(every.low[is_mine].max(initial=0)), int(own[0].max(initial=0)))
        high = max(int(every.high[is_mine].max(initial=0)), int(own[1].max(initial=0)))
        best = int(every.low.max(initial=0)), int(every.high.max(initial=0))
        if high < max(1, -(-max(best[0], low) // ranking.STOP)):
            return False
        surely = (every.low > high) | ((every.low == high) & (every.wordings < mine.min()))
        if self._needs(every.wordings[surely & ~is_mine], mine).min() > self.room:
            return False
        enough = max(self._least, -(-max(best[1], high) // ranking.STOP))
        maybe = (every.high > low) | ((every.high == low) & (every.wordings < mine.max()))
        if low >= enough and self._needs(every.wordings[maybe & ~is_mine], mine).max() <= self.room:
            return True
        return None

    # -- helpers --------------------------------------------------------------------------------------------------

    def _enter(self, bounds: Bounds) -> None:
        """Go on to another stretch."""
        self._bounds, some = bounds, bounds.stretch.some
        self._low[:] = self._high[:] = 0
        self._low[some], self._high[some] = bounds.given()
        enough = bounds.score_at(ranking.AROUND_THEM), bounds.score_over(self.wordings.cost, self.room)
        self._least = max(min(enough), 1)
        self._first = some[self._high[some] >= self._least]

    def _all(self, some: Numbers) -> Both:
        """What text and failures give some wordings together."""
        failing = self._failing[some]
        return self._low[some] + failing, self._high[some] + failing

    def _press(self, holder: Numbers) -> Numbers:
        """Take in what presses now; gives the wordings it presses on."""
        nodes, strengths = self._pressed.nodes()
        holders = holder[nodes]
        held = holders >= 0
        found, strengths = _strongest(holders[held], strengths[held], self._places)
        self._failing[self._pressed_now] = 0
        self._pressed_now = found
        self._failing[found] = WEIGHTS[FAILING] * WHOLE // (STEEPNESS + 1 + _better(strengths, strengths))
        return found

    def _near(self, some: _Some, holder: Numbers) -> _Some:
        """What links to the best give documents."""
        surely, maybe = _better_than(some)
        ahead, behind = _before(some)
        least = np.where((behind < ranking.ANCHORS) & (some.low > 0), WHOLE // (STEEPNESS + 1 + maybe), 0)
        most = np.where(ahead < ranking.ANCHORS, WHOLE // (STEEPNESS + 1 + surely), 0)
        files = self.wordings.file[some.wordings]
        certain = files[(behind < ranking.AROUND_THEM) & (some.low > 0)]
        (one, to), is_certain = self._edges_of(files[ahead < ranking.AROUND_THEM], certain, holder)
        self._low_pull[some.wordings], self._high_pull[some.wordings] = least, most
        pulled = np.flatnonzero((self._high_pull[one] > 0) | (self._high_pull[to] > 0))
        fewest, linking = self._linking(to, to[pulled], is_certain)
        one, to, is_certain = one[pulled], to[pulled], is_certain[pulled]
        low = [np.where(is_certain, drawn(self._low_pull[each], linking), 0) for each in (one, to)]
        high = [drawn(self._high_pull[each], fewest) for each in (one, to)]
        self._low_pull[some.wordings] = self._high_pull[some.wordings] = 0
        return self._summed(np.concatenate([to, one]), np.concatenate(low), np.concatenate(high))

    def _edges_of(self, files: Numbers, certain: Numbers, holder: Numbers) -> tuple[Numbers, Numbers]:
        """What the documents of files depend on, and of each pair whether its file is one of those that are certain."""
        self._marks[files] = 1
        self._marks[certain] = 2
        numbers = files[_lasts(files, self._places)]
        pairs, sizes = self._edges.of(self.wordings.numbers[numbers].tolist(), holder)
        is_certain = np.repeat(self._marks[numbers] == 2, sizes)
        self._marks[files] = 0
        return pairs, is_certain

    def _linking(self, every: Numbers, some: Numbers, is_certain: Numbers) -> Both:
        """How many link to each of some documents, at least and at most, where all that link to any are told."""
        different = some[_lasts(some, self._places)]
        self._slots[different] = np.arange(1, len(different) + 1)
        slots, size = self._slots[every], len(different) + 1
        most, fewest = np.bincount(slots, minlength=size), np.bincount(slots[is_certain], minlength=size)
        mine = self._slots[some]
        self._slots[different] = 0
        return np.maximum(fewest, 1)[mine], most[mine]

    def _summed(self, documents: Numbers, low: Numbers, high: Numbers) -> _Some:
        """What each document is given together, those left out that are given nothing."""
        different = documents[_lasts(documents, self._places)]
        self._slots[different] = np.arange(len(different))
        slots = self._slots[documents]
        self._slots[different] = 0
        sums = np.zeros((2, len(different)), np.int64)
        np.add.at(sums[0], slots, low)
        np.add.at(sums[1], slots, high)
        sums *= 1 - self.wordings.aside[different]
        given = sums[1] > 0
        return _Some(different[given], sums[0][given], sums[1][given])

    def _with_links(self, before: _Some, near: _Some) -> _Some:
        """Documents with what links give them as well."""
        weight = WEIGHTS[NEAR] * WHOLE
        surely, maybe = _better_than(near)
        least = np.where(near.low > 0, weight // (STEEPNESS + 1 + maybe), 0)
        most = weight // (STEEPNESS + 1 + surely)
        self._marks[near.wordings] = 1
        others = self._marks[before.wordings] == 0
        self._marks[near.wordings] = 0
        low, high = self._all(near.wordings)
        return _Some(
            np.concatenate([near.wordings, before.wordings[others]]),
            np.concatenate([low + least, before.low[others]]),
            np.concatenate([high + most, before.high[others]]),
        )

    def _needs(self, above: Numbers, mine: Numbers) -> Numbers:
        """What there must be room for before each of some documents is in, where all of others stand above it."""
        files = self.wordings.file[above]
        opened = files[_lasts(files, self._places)]
        self._marks[opened] = 1
        alone = self.wordings.file[mine]
        headers = np.where(self._marks[alone] == 0, self._openings[alone], 0)
        self._marks[opened] = 0
        taken = int(self.wordings.cost[above].sum()) + int(self._openings[opened].sum())
        found: Numbers = taken + headers + self.wordings.cost[mine]
        return found


def _strongest(holders: Numbers, strengths: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
    """Each holder once, with the most that is given it."""
    order = np.argsort(strengths)  # so that the last of each is the strongest
    holders, strengths = holders[order], strengths[order]
    last = _lasts(holders, places)
    return holders[last], strengths[last].astype(np.int64)


def _lasts(numbers: Numbers, places: Numbers) -> Numbers:
    """Whether each of some numbers is the last of its kind: the one that is taken; `places` has room for any."""
    every = np.arange(len(numbers))
    places[numbers] = every
    found: Numbers = places[numbers] == every
    return found


def _better(scores: Numbers, than: Numbers) -> Numbers:
    """How many of some scores are better than each of others."""
    found: Numbers = len(scores) - np.searchsorted(np.sort(scores), than, side="right")
    return found


def _better_than(some: _Some) -> Both:
    """How many of some are better than each of them, at least and at most: what has as much shares a place."""
    return _better(some.low, some.high), _better(some.high, some.low) - (some.high > some.low)


def _before(some: _Some) -> Both:
    """How many of some come before each, at least and at most: of those that have as much the first do."""
    size = int(some.wordings.max(initial=0)) + 1
    low, high = (each * size + size - 1 - some.wordings for each in (some.low, some.high))
    return _better(low, high), _better(high, low) - (high > low)
