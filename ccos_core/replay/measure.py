"""Heat as people count it: in reads. 1.00 is what one fresh read gave at the step it is counted at.

Nothing cools in the journal: later impulses count for more instead (`state.heat`). So a heat is told against what an
impulse was worth at a chosen step, each cause by its weight then. The figures are whole hundredths, worked out in
integers, the same on every machine; what is ordered or compared by the fold never goes through here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.heat_columns import scaled as all_scaled
from ccos_core.replay.journal import Journal
from ccos_core.replay.past import rules_at
from ccos_core.state.heat import BITS, HIGHEST, ONE, impulse, scaled
from ccos_core.state.rules import CAUSES, Rules

HUNDRED = 100
PLAIN = 16
"""The weight of 1, and the prior of a node that is worth neither more nor less than others."""
MOST = 1 << 62
"""No figure is larger."""
_FOUR = 4
_MANTISSA = (1 << BITS) - 1
_FARTHEST = 11
"""Doublings apart that still fit 64 bits."""


def impulse_at(journal: Journal, step: int) -> int:
    """What an impulse counted for at a step."""
    return Gauge(journal).impulse(step)


class Gauge:
    """What heat comes to at any step."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._rules: dict[int, tuple[Rules, int, int]] = {}
        self._reads: dict[tuple[int, int], Reads] = {}

    def at(self, step: int) -> Reads:
        """In reads of that step."""
        at, clock = self._place(step)
        if (at, clock) not in self._reads:
            self._reads[at, clock] = Reads(self._known(at)[0].weights, self.impulse(step))
        return self._reads[at, clock]

    def impulse(self, step: int) -> int:
        """What an impulse counted for then."""
        at, clock = self._place(step)
        rules, since, base = self._known(at)
        return min(impulse(max(clock - since, 0), rules.half_life, base), HIGHEST)

    def _place(self, step: int) -> tuple[int, int]:
        """(how many rules had come, the clock) of a step."""
        at = int(np.searchsorted(self.journal.rules["step"], step, side="right"))
        return at, int(self.journal.steps["clock"][step - 1]) if step else 0

    def _known(self, at: int) -> tuple[Rules, int, int]:
        if at not in self._rules:
            journal = self.journal
            rules = rules_at(journal, int(journal.rules["step"][at - 1]) if at else 0)
            since, base = journal.value(int(journal.rules["told"][at - 1]))[1] if at else (0, ONE)
            self._rules[at] = rules, since, base
        return self._rules[at]


class Reads:
    """Heat in hundredths of a fresh read."""

    def __init__(self, weights: Mapping[str, int], one: int) -> None:
        self.weights = weights
        self.one = scaled(one, weights["read"] or PLAIN, _FOUR)

    def of(self, cause: str, heat: int) -> int:
        """A node's heat of one cause."""
        return hundredths(scaled(heat, self.weights[cause], _FOUR), self.one)

    def each(self, heats: Sequence[int]) -> tuple[int, ...]:
        """A node's heats, in the order of CAUSES."""
        return tuple(self.of(cause, heat) for cause, heat in zip(CAUSES, heats, strict=True))

    def column(self, cause: str, heats: Numbers) -> Numbers:
        """The same figure for many nodes."""
        return all_hundredths(all_scaled(heats, self.weights[cause], _FOUR), self.one)

    def of_score(self, score: int, prior: int = PLAIN) -> int:
        """A score, against that of a node which was read once and has that prior."""
        return hundredths(score, scaled(self.one, prior or PLAIN, _FOUR))


def hundredths(heat: int, one: int) -> int:
    """How many hundredths of `one` a heat is, rounded."""
    if not heat:
        return 0
    apart = (heat >> BITS) - (one >> BITS)
    of, whole = HUNDRED * (heat & _MANTISSA), one & _MANTISSA
    if apart < -_FARTHEST:
        return 0
    of, whole = (of << apart, whole) if apart >= 0 else (of, whole << -apart)
    return min((2 * of + whole) // (2 * whole), MOST)


def all_hundredths(heats: Numbers, one: int) -> Numbers:
    """The same, row by row."""
    apart = (heats >> BITS) - (one >> BITS)
    up, down = np.clip(apart, 0, _FARTHEST).astype(np.uint64), np.clip(-apart, 0, _FARTHEST).astype(np.uint64)
    of = (heats.astype(np.uint64) & np.uint64(_MANTISSA)) * np.uint64(HUNDRED) << up
    whole = np.uint64(one & _MANTISSA) << down
    two = np.uint64(2)
    found: Numbers = ((two * of + whole) // (two * whole)).astype(np.int64)
    found[(heats == 0) | (apart < -_FARTHEST)] = 0
    for row in np.nonzero(apart > _FARTHEST)[0].tolist():  # thousands of reads: it doesn't happen, but it may
        found[row] = hundredths(int(heats[row]), one)
    return found
