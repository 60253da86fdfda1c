"""Whether a node is in a `hybrid` window at one moment, by bounds of what a text gives, where that settles it.

What fails is known exactly, and what the text and links give lies between bounds that are close together. Where these
don't settle it, this says nothing, and somebody has to look at a shorter stretch. Exact bounds settle everything.
"""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.bounds import Bounds
from ccos_core.replay.residency.failing import Failing, Handed
from ccos_core.replay.residency.fitting import Fit, Fitting, Standing


class Closely:
    """The documents of one moment after another."""

    _bounds: Bounds

    def __init__(self, fitting: Fitting, failing: Failing) -> None:
        self._fitting = fitting
        self._failing = failing
        self._slots = np.zeros(len(fitting.wordings.born), np.int64)
        """Room to note something of some documents; left as it was found."""
        none = np.zeros(0, np.int64)
        self._before = self.standing = Standing(none, none, none)
        """Documents by text and links, and with what failures give them as well."""
        self._told: dict[bytes, Fit] = {}
        """Documents → whether any of them is in; as far as somebody asked, as long as nothing becomes another."""
        self._come, self._gone = 0, 0
        """What documents take that came instead of others since, and what those took."""

    def look(self, bounds: Bounds, before: Standing, is_other: bool) -> None:
        """Look at a moment by what text and links give, by bounds of a stretch it is in; maybe other failures press, or
        on others, than before."""
        if before is not self._before or is_other:
            self._bounds, self._before, self._told, self._come, self._gone = bounds, before, {}, 0, 0
            self.standing = self._with_failures()

    def is_in(self, mine: Numbers) -> bool | None:
        """Whether any of some documents is in; None where that can't be told."""
        key = mine.tobytes()
        if key not in self._told:
            self._told[key] = self._fit(mine)
        return self._told[key].is_in

    def bears(self, handed: Handed, mine: Numbers) -> bool:
        """Whether all that was told of some documents is still so where others are given by failures what others were,
        none of them among the first by text and links."""
        was, now = handed
        if self._fitting.are_among(np.concatenate(handed), mine).any():
            return False
        self._come += self._fitting.takes(now)
        self._gone += self._fitting.takes(was)
        return all(fit.spare >= (self._come if fit.is_in else self._gone) for fit in self._told.values())

    # -- helpers --------------------------------------------------------------------------------------------------

    def _fit(self, mine: Numbers) -> Fit:
        every, own = self.standing, self._every(mine)
        self._slots[mine] = np.arange(1, len(mine) + 1)
        slots = self._slots[every.wordings]
        self._slots[mine] = 0
        known = np.flatnonzero(slots)
        own.low[slots[known] - 1], own.high[slots[known] - 1] = every.low[known], every.high[known]
        best = int(every.low.max(initial=0)), int(every.high.max(initial=0))
        return self._fitting.of(every, own, best, self._bounds.enough)

    def _every(self, some: Numbers) -> Standing:
        """What text and failures give some wordings together."""
        failing, (low, high) = self._failing.given[some], self._bounds.of(some)
        return Standing(some, low + failing, high + failing)

    def _with_failures(self) -> Standing:
        """Whatever may be among the first."""
        before = self._before
        pressed, given = self._failing.wordings, self._failing.given[before.wordings]
        others = self._every(pressed[~self._fitting.are_among(pressed, before.wordings)])
        others = others.of(others.high >= self._bounds.enough)
        return Standing(
            np.concatenate([before.wordings, others.wordings]),
            np.concatenate([before.low + given, others.low]),
            np.concatenate([before.high + given, others.high]),
        )
