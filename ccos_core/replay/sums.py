"""Changes as they were noted, made into rows of the journal: scores, the best of them at each step, and which row of a
node comes before which. Many at a time, for that is what columns are good at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.heat_columns import scores
from ccos_core.replay.journal import NO_CAUSE, Journal
from ccos_core.state.rules import CAUSES, Rules
from ccos_core.state.world import AWAY


class Sums:
    """What rows are worked out from, besides themselves."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        changes = journal.changes
        self._latest: Numbers = np.full(len(journal.names), -1, np.int32)
        self._latest[changes["node"]] = np.arange(len(changes), dtype=np.int32)
        self._now: Numbers = np.zeros(len(journal.names), np.int64)
        """Node → its score; 0 where it isn't there, or was sent away."""
        known = np.nonzero(self._latest >= 0)[0]
        rows = self._latest[known]
        self._now[known] = _counting(changes["score"][rows], changes["tier"][rows])
        self._best = int(self._now.max(initial=0))

    def write(self, rows: Numbers, counts: Sequence[int], rules: Rules) -> list[int]:
        """Write changes, as `Looks` has them; `counts` says how many of them each step has. Gives the best score at
        each step."""
        node, cause, prior, cost, tier = (rows[:, at] for at in (0, 1, -3, -2, -1))
        heats = [np.ascontiguousarray(rows[:, 2 + at]) for at in range(len(CAUSES))]
        score = scores(heats, np.ascontiguousarray(prior), rules.weights)
        self._make_room()
        before, here = self._before(node), _counting(score, tier)
        base = len(self.journal.changes)
        was = self._now[node]
        inside = np.nonzero(before >= base)[0]
        was[inside] = here[before[inside] - base]
        best = self._best_of(node, here, was, counts)
        self._now[node] = here
        value = np.choose(np.minimum(cause, NO_CAUSE), [*heats, np.zeros(len(rows), np.int64)])
        self.journal.changes.extend(
            node=node, cause=cause, value=value, prior=prior, cost=cost, tier=tier, score=score, before=before
        )
        return best

    def _make_room(self) -> None:
        missing = len(self.journal.names) - len(self._latest)
        if missing > 0:
            missing = max(missing, len(self._latest) // 4)
            self._latest = np.concatenate([self._latest, np.full(missing, -1, np.int32)])
            self._now = np.concatenate([self._now, np.zeros(missing, np.int64)])

    def _before(self, node: Numbers) -> Numbers:
        """Of each new row the row of the same node before it."""
        base = len(self.journal.changes)
        order = np.argsort(node, kind="stable")
        again = node[order[1:]] == node[order[:-1]]
        found = self._latest[node]
        found[order[1:][again]] = order[:-1][again] + base
        self._latest[node] = np.arange(base, base + len(node), dtype=np.int32)
        return found

    def _best_of(self, node: Numbers, here: Numbers, was: Numbers, counts: Sequence[int]) -> list[int]:
        """The best score after each step. It only falls where a node falls that had it."""
        sizes = np.asarray(counts, np.int64)
        ends = np.cumsum(sizes)
        some = np.nonzero(sizes)[0]
        begins = (ends - sizes)[some]
        risen = np.zeros(len(sizes), np.int64)
        fallen = np.zeros(len(sizes), np.int64)
        if len(some):
            risen[some] = np.maximum.reduceat(here, begins)
            fallen[some] = np.maximum.reduceat(np.where(here < was, was, 0), begins)
        done, best, found = 0, self._best, []
        for up, down, end in zip(risen.tolist(), fallen.tolist(), ends.tolist(), strict=True):
            if down and down >= best:
                self._now[node[done:end]] = here[done:end]
                done = end
                best = int(self._now.max())
            elif up > best:
                best = up
            found.append(best)
        self._best = best
        return found


def _counting(score: Numbers, tier: Numbers) -> Numbers:
    """The scores that others are measured by."""
    return np.where(tier < AWAY, score, 0)
