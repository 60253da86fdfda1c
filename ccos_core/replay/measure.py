"""Heat as people count it, in reads; how full the agent's windows were, as it said itself; and what they held.

1.00 is what one fresh read gave at the step it is counted at. Nothing cools in the journal: later impulses count for
more (`state.heat`), so a heat is told against what an impulse was worth at a chosen step, each cause by its weight
then. The figures are whole hundredths, the same on every machine; nothing the fold orders or compares goes through
here. A context has the number of its name; `query.contexts` knows how people name them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.heat_columns import scaled as all_scaled
from ccos_core.replay.journal import STATES, Journal
from ccos_core.replay.past import rules_at
from ccos_core.state.heat import BITS, HIGHEST, ONE, impulse, scaled
from ccos_core.state.holding import OUT, Standing
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

    def best(self) -> Numbers:
        """The best score of all at each step, the first one's first: what `of_score` makes of it at that very step."""
        found: Numbers = self.journal.once("best in reads", self._best)
        return found

    def _best(self) -> Numbers:
        scores = self.journal.steps["best"]
        return self.scored(np.arange(1, len(scores) + 1), scores)

    def scored(self, steps: Numbers, scores: Numbers) -> Numbers:
        """What `of_score` makes of scores at the very steps nodes had them: from step 1 on, and in order."""
        clocks = self.journal.steps["clock"][steps - 1]
        places = np.searchsorted(self.journal.rules["step"], steps, side="right")
        found = np.zeros(len(steps), np.int64)
        for at in np.unique(places).tolist():
            mine = slice(*np.searchsorted(places, [at, at + 1]).tolist())
            found[mine] = all_hundredths(scores[mine], self._plain_reads(at, clocks[mine]))
        return found

    def _plain_reads(self, at: int, clocks: Numbers) -> Numbers:
        """What the score of a plain node came to that was read once, at each of these clocks.

        An impulse doubles every half-life, so what it is worth in the first one is worked out, and then raised."""
        rules, since, base = self._known(at)
        impulses = [impulse(part, rules.half_life, base) for part in range(rules.half_life)]
        ones = [_of_plain(Reads(rules.weights, each)) for each in (*impulses, HIGHEST)]
        left = np.array([(HIGHEST >> BITS) - (each >> BITS) for each in impulses], np.int64)
        doublings, parts = np.divmod(np.maximum(clocks.astype(np.int64) - since, 0), rules.half_life)
        raised = np.array(ones[:-1], np.int64)[parts] + (np.minimum(doublings, left[parts]) << BITS)
        return np.where(doublings < left[parts], raised, ones[-1])

    def _place(self, step: int) -> tuple[int, int]:
        """(how many rules had come, the clock) of a step."""
        at = self.journal.rules.upto(step)
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
        return hundredths(score, _of_plain(self, prior))


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


def all_hundredths(heats: Numbers, one: int | Numbers) -> Numbers:
    """The same, row by row; of one unit, or each of its own."""
    ones = np.broadcast_to(np.asarray(one, np.int64), heats.shape)
    apart = (heats >> BITS) - (ones >> BITS)
    up, down = np.clip(apart, 0, _FARTHEST).astype(np.uint64), np.clip(-apart, 0, _FARTHEST).astype(np.uint64)
    of = (heats.astype(np.uint64) & np.uint64(_MANTISSA)) * np.uint64(HUNDRED) << up
    whole = (ones & _MANTISSA).astype(np.uint64) << down
    two = np.uint64(2)
    found: Numbers = ((two * of + whole) // (two * whole)).astype(np.int64)
    found[(heats == 0) | (apart < -_FARTHEST)] = 0
    for row in np.nonzero(apart > _FARTHEST)[0].tolist():  # thousands of reads: it doesn't happen, but it may
        found[row] = hundredths(int(heats[row]), int(ones[row]))
    return found


def _of_plain(reads: Reads, prior: int = PLAIN) -> int:
    """The score of a node that was read once, and has that prior."""
    return scaled(reads.one, prior or PLAIN, _FOUR)


USAGE, CUTS = KIND_CODES["usage"], (KIND_CODES["compaction"], KIND_CODES["cleared"])


def counted(journal: Journal, context: int, first: int, last: int) -> Numbers:
    """The steps from one to another at which the host counted the tokens in a context."""
    steps = journal.steps
    begin = max(first, 1) - 1
    mine = (steps["kind"][begin:last] == USAGE) & (steps["context"][begin:last] == context)
    return np.nonzero(mine & (steps["tokens"][begin:last] > 0))[0] + begin + 1


def cuts(journal: Journal, context: int, first: int, last: int) -> list[int]:
    """The steps from one to another at which a context was shortened or emptied."""
    steps = journal.steps
    begin = max(first, 1) - 1
    mine = np.isin(steps["kind"][begin:last], CUTS) & (steps["context"][begin:last] == context)
    return (np.nonzero(mine)[0] + begin + 1).tolist()


def last_counted(journal: Journal, context: int, step: int) -> int | None:
    """The last step up to one at which the host counted, if the context wasn't cut since."""
    found = counted(journal, context, 1, step)
    if not len(found):
        return None
    last = int(found[-1])
    return last if not cuts(journal, context, last, step) else None


def held_at(journal: Journal, context: int, step: int) -> dict[str, Standing]:
    """Everything a context held any of, or held before it was changed, at a step; the oldest delivery first."""
    rows = journal.held
    upto = rows.upto(step)
    mine = np.nonzero(rows["context"][:upto] == context)[0]
    last = np.full(len(journal.names), -1, np.int32)
    last[rows["item"][mine]] = mine
    latest = last[last >= 0]
    latest = latest[rows["state"][latest] != STATES.index(OUT)]
    found = {journal.name(int(rows["item"][row])): standing_of(journal, int(row)) for row in latest}
    return dict(sorted(found.items(), key=lambda each: (each[1].step, each[0])))


def standing_of(journal: Journal, row: int) -> Standing:
    """How an item is held from a row on."""
    rows = journal.held
    return Standing(STATES[int(rows["state"][row])], int(rows["tokens"][row]), int(rows["delivered"][row]))
