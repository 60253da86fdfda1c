"""A moment under other weights: the same heats, summed up otherwise. Nothing is replayed.

Weights of causes and the stop rule are asked for only when a window is made, so one look at the journal is enough.
Whatever decides how heat comes about (the half-life, how failures spread) needs a fork instead.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.heat_columns import scores
from ccos_core.replay.moment import Moment, Part, Ranked, in_order, part_of, sorted_out
from ccos_core.replay.past import rules_at
from ccos_core.replay.warmest import Warm, warm_among
from ccos_core.state.rules import CAUSES, Rules
from ccos_core.state.world import AWAY

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

AT_ONCE = CAUSES
"""Weights that need no fork."""


class Retuned(Moment):
    """Everything at a step, weighed otherwise."""

    def __init__(self, timeline: Timeline, step: int, weights: Mapping[str, int], caps: Mapping[str, int]) -> None:
        super().__init__(timeline.journal, timeline.sources, step)
        self._weights = weights
        self._caps = caps

    @cached_property
    def rules(self) -> Rules:
        """What weighs how much."""
        rules = rules_at(self.journal, self.last).retuned(self._weights)
        return replace(rules, caps={**rules.caps, **self._caps})

    def score(self, node: str) -> int:
        """How much a node matters."""
        number = self.journal.id(node)
        return int(self._scores[number]) if number >= 0 else 0

    def ranking(self) -> tuple[int, Iterable[Ranked]]:
        """The best score of all that counts, and whoever may be in, in the order of a window."""
        rows = self._latest
        counting = rows[self.journal.changes["tier"][rows] < AWAY]
        best = int(self._scores[self.journal.changes["node"][counting]].max(initial=0))
        return best, in_order(self._order)

    # -- helpers --------------------------------------------------------------------------------------------------

    @property
    def _standing_by(self) -> Hashable:
        return self.last, tuple(sorted(self._weights.items())), tuple(sorted(self._caps.items()))

    def _ranked(self) -> Iterator[Part]:
        yield part_of(self.journal, self._ranks)

    @cached_property
    def _ranks(self) -> Warm:
        """What may be in, in its order but for the names of equals."""
        changes, rows = self.journal.changes, self._latest
        return sorted_out(warm_among(rows, changes["tier"][rows], self._scores[changes["node"][rows]]))

    @cached_property
    def _scores(self) -> Numbers:
        """Number of a node → its score."""
        changes, rows = self.journal.changes, self._latest
        nodes = changes["node"][rows]
        heats = self.journal.heats(self.last)[nodes]
        found = np.zeros(len(self.journal.names), np.int64)
        columns = [np.ascontiguousarray(heats[:, at]) for at in range(len(CAUSES))]
        found[nodes] = scores(columns, changes["prior"][rows].astype(np.int64), self.rules.weights)
        return found
