"""Whether some documents are in a window, where it is known within bounds who stands before whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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


class Fit(NamedTuple):
    """Whether some documents are in."""

    is_in: bool | None
    """None where that can't be told."""
    spare: int = -1
    """What others may take more, where they are, or less, where they aren't, with this still so; less than 0 where
    nothing may change at all."""


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
        taken = self.wordings.cost[order] + self._openings[files] * firsts(files, self.places)
        return int(taken.cumsum().searchsorted(self.room, side="right"))

    def of(
        self, every: Standing, mine: Standing, best: tuple[int, int], enough: int, ahead: Numbers = NOBODY_ELSE
    ) -> Fit:
        """Whether any of some documents is in, where `every` has all that may have enough, the best of all has so much,
        and some are ahead of all in any case."""
        low, high = int(mine.low.max()), int(mine.high.max())
        if high < max(1, _stop(best[0])):
            return Fit(False)
        first = mine.first()
        (least, most), (behind, before) = every.places(), first.places()
        surely, maybe = least > before.max(), most > behind.max()
        fewest, all_of_them = self._needs(every, maybe, first, ahead)
        if all_of_them <= self.room:
            is_worth_it = low >= max(enough, _stop(2 * best[1]))
            return (
                Fit(True, self.room - all_of_them) if is_worth_it else Fit((low >= max(enough, _stop(best[1]))) or None)
            )
        if fewest > self.room and np.count_nonzero(surely) < np.count_nonzero(maybe):
            fewest = self._needs(every, surely, first, ahead)[0]
        return Fit(False, fewest - self.room - 1) if fewest > self.room else Fit(None)

    def takes(self, wordings: Numbers) -> int:
        """The most that some documents take."""
        return int(self.wordings.cost[wordings].sum() + self._openings[self.wordings.file[wordings]].sum())

    def are_among(self, some: Numbers, others: Numbers) -> Numbers:
        """Whether each of some wordings, or files, is one of others."""
        self._marks[others] = 1
        found: Numbers = self._marks[some] == 1
        self._marks[others] = 0
        return found

    def _needs(self, every: Standing, which: Numbers, mine: Standing, ahead: Numbers) -> tuple[int, int]:
        """What there must be room for before any of some documents is in, at least and at most, where others stand
        before them."""
        above = every.wordings[which]
        above = np.concatenate([ahead, above[~self.are_among(above, mine.wordings)]])
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
