"""What failures press on at one step after another, and how strongly, by the numbers of nodes."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.residency.kinds import firsts


class Pressed:
    """The live failures of a step that moves on."""

    def __init__(self, journal: Journal) -> None:
        self.size = len(journal.names)
        """How many nodes there are."""
        self._steps = journal.failures["step"]
        columns = ("key", "told", "begin", "end")
        self._keys, self._told, self._begins, self._ends = (journal.failures[name].tolist() for name in columns)
        self._reached, self._strengths = journal.reached["node"], journal.reached["strength"]
        self._live: dict[int, slice] = {}
        """Number of a failure → the rows of what it reaches."""
        self.upto = 0
        """How many rows of failures are taken in."""
        self._most = np.zeros(self.size, np.int32)
        self._last = np.zeros(self.size, np.int32)
        self._found: tuple[Numbers, Numbers] | None = None

    def move(self, last: int) -> bool:
        """Go on to a step; gives whether any failure is another one. One that is told again as it was is none."""
        upto = int(np.searchsorted(self._steps, np.int32(last), side="right"))
        before, self.upto = self.upto, upto
        is_other = False
        for row in range(before, upto):
            was = self._live.pop(self._keys[row], None)
            if self._told[row] >= 0:
                self._live[self._keys[row]] = now = slice(self._begins[row], self._ends[row])
                is_other = is_other or was is None or not self._are_alike(was, now)
            else:
                is_other = is_other or was is not None
        if is_other:
            self._found = None
        return is_other

    def nodes(self) -> tuple[Numbers, Numbers]:
        """(nodes, the most that any failure gives each)."""
        if self._found is None:
            self._found = self._all()
        return self._found

    def stronger(self, holder: Numbers, strength: int) -> int:
        """How many documents are pressed on more strongly than that."""
        nodes, strengths = self.nodes()
        holders = holder[nodes[strengths > strength]]
        return len(np.unique(holders[holders >= 0]))

    def _are_alike(self, one: slice, other: slice) -> bool:
        """Whether two rows of failures reach the same nodes as strongly."""
        return all(np.array_equal(each[one], each[other]) for each in (self._reached, self._strengths))

    def _all(self) -> tuple[Numbers, Numbers]:
        rows = list(self._live.values())
        if not rows:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        nodes = np.concatenate([self._reached[each] for each in rows])
        strengths = np.concatenate([self._strengths[each] for each in rows])
        self._most[nodes] = 0
        np.maximum.at(self._most, nodes, strengths)
        places = np.arange(len(nodes), dtype=np.int32)
        self._last[nodes] = places
        nodes = nodes[self._last[nodes] == places]  # each once
        return nodes, self._most[nodes]


def strongest(holders: Numbers, strengths: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
    """Wordings, each once, by the most that presses on it, in their own order where it is the same; with how much that
    is. `places` is room to note where each comes up."""
    order = np.argsort((strengths.astype(np.int64) << 32) - holders)[::-1]
    holders, strengths = holders[order], strengths[order]
    first = firsts(holders, places)
    return holders[first], strengths[first]


def most_given(journal: Journal, which: Numbers) -> Numbers:
    """Rows of failures → the most that any failure then gives any of some nodes, told by a mask."""
    columns = ("key", "told", "begin", "end")
    keys, told, begins, ends = (journal.failures[name] for name in columns)
    hit = np.flatnonzero(which[journal.reached["node"]])
    strengths = journal.reached["strength"][hit]
    first, last = np.searchsorted(hit, begins), np.searchsorted(hit, ends)
    each = np.zeros(len(keys), np.int64)
    for row in np.flatnonzero((last > first) & (told >= 0)).tolist():
        each[row] = strengths[first[row] : last[row]].max()
    found = np.zeros(len(keys) + 1, np.int64)
    latest: dict[int, int] = {}
    waiting: list[tuple[int, int, int]] = []
    for row, (key, given) in enumerate(zip(keys.tolist(), each.tolist(), strict=True), 1):
        latest[key] = row
        if given:
            heappush(waiting, (-given, row, key))
        while waiting and latest[waiting[0][2]] != waiting[0][1]:
            heappop(waiting)  # that failure is another one since
        found[row] = -waiting[0][0] if waiting else 0
    return found
