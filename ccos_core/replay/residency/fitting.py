"""Whether some documents are in a window, where it is known within bounds who stands before whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.kinds import firsts, lasts
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.window import ranking

NOBODY_ELSE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Standing:
    """Some wordings, and between which bounds the score of each is."""

    wordings: Numbers
    low: Numbers
    high: Numbers

    def of(self, which: Numbers) -> Standing:
        """Some of them."""
        return Standing(self.wordings[which], self.low[which], self.high[which])

    def first(self) -> Standing:
        """Those that may be the first of them: if that one isn't in, no other is."""
        low, high = self.places()
        return self.of(high >= low.max())

    def places(self) -> tuple[Numbers, Numbers]:
        """The same bounds such that no two have one score: of those that have as much the first come before."""
        low, high = (each * AFTER_ALL - self.wordings for each in (self.low, self.high))
        return low, high


AFTER_ALL = 1 << 32
"""More than there are wordings."""


class Fitting:
    """What there is room for."""

    def __init__(self, wordings: Wordings, openings: Numbers, room: int) -> None:
        """Showing anything of a file takes its opening once."""
        self.wordings = wordings
        self.room = room
        self._openings = openings
        size = max(len(wordings.born), len(openings))
        self.places = np.zeros(size, np.int64)
        """Room to note where each wording, or each file, comes up."""
        self._marks = np.zeros(size, np.uint8)
        """Room to note something of some documents, or some files; left as it was found."""

    def count(self, order: Numbers) -> int:
        """For how many of some wordings there is room, one after the other."""
        files = self.wordings.file[order]
        taken = self.wordings.cost[order]
        first = firsts(files, self.places)
        taken[first] += self._openings[files[first]]
        return int(np.searchsorted(np.cumsum(taken), self.room, side="right"))

    def is_full(self, every: Standing, mine: Standing, ahead: Numbers = NOBODY_ELSE) -> bool:
        """Whether there is no room for any of some documents behind all that surely stands before them: of others, and
        whoever is ahead of all in any case."""
        first = mine.first()
        surely = every.places()[0] > first.places()[1].max()
        return self._needs(every, surely, first, ahead)[0] > self.room

    def is_in(
        self, every: Standing, mine: Standing, best: tuple[int, int], enough: int, ahead: Numbers = NOBODY_ELSE
    ) -> bool | None:
        """Whether any of some documents is in, where `every` has all that may have enough, and the best of all has so
        much; None where that can't be told."""
        low, high = int(mine.low.max()), int(mine.high.max())
        if high < max(1, _stop(best[0])) or self.is_full(every, mine, ahead):
            return False
        first = mine.first()
        maybe = every.places()[1] > first.places()[0].max()
        is_in = low >= max(enough, _stop(best[1])) and self._needs(every, maybe, first, ahead)[1] <= self.room
        return True if is_in else None

    def _needs(self, every: Standing, which: Numbers, mine: Standing, ahead: Numbers) -> tuple[int, int]:
        """What there must be room for before any of some documents is in, at least and at most, where others stand
        before them."""
        self._marks[mine.wordings] = 1
        above = every.wordings[which]
        above = np.concatenate([ahead, above[self._marks[above] == 0]])
        self._marks[mine.wordings] = 0
        files, alone = self.wordings.file[above], self.wordings.file[mine.wordings]
        opened = files[lasts(files, self.places)]
        self._marks[opened] = 1
        headers = np.where(self._marks[alone] == 0, self._openings[alone], 0)
        self._marks[opened] = 0
        taken = int(self.wordings.cost[above].sum()) + int(self._openings[opened].sum())
        each = headers + self.wordings.cost[mine.wordings]
        return taken + int(each.min()), taken + int(each.max())


def _stop(best: int) -> int:
    """What is worth a line, where the best has so much."""
    return -(-best // ranking.STOP)
