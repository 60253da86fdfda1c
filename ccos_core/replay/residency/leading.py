"""The first of a ranking, without putting all of it in order: most windows have room for no more.

A place far down a list gives so little that it decides nothing among the best. So of a long list only the head is put
in order; what lies behind it is known within bounds, and is settled for those alone that these bounds leave in doubt.
The first come out as they would if everything had been put in order, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE, places, shares
from ccos_core.window import ranking
from ccos_core.window.ranking import FAILING, NEAR, WEIGHTS, Ranking, near, together

DEEP = 2_000
"""Places of a list that are put in order."""


class Leading:
    """Several looks at the same documents, whatever presses on them."""

    def __init__(self, view: ranking.Sight, looks: Mapping[str, Numbers]) -> None:
        self.view = view
        self.looks = looks
        self._heads = {name: _Head(WEIGHTS[name], look) for name, look in looks.items()}
        self._slack = sum(head.behind for head in self._heads.values())
        """What a document may be given beyond what is known of it."""
        size = len(next(iter(looks.values())))
        self._given = np.zeros(size, np.int64)
        """What the looks give each at least, ..."""
        for head in self._heads.values():
            self._given[head.documents] += head.given
        self._settled = np.full(size, self._slack == 0)
        """... and whether it is no more than that."""
        self._shares: Mapping[str, Numbers] | None = None

    def above(self, documents: Numbers, pressed: Numbers, nearness: bool) -> Numbers:
        """Those that stand above all of some documents for certain, by what is known without settling anything."""
        least = self._given + shares(WEIGHTS[FAILING], pressed)
        most = int(np.where(self._settled[documents], 0, self._slack).max() + least[documents].max())
        if nearness and self._may_be_near(documents, least):
            most += WEIGHTS[NEAR] * WHOLE // (STEEPNESS + 1)
        return np.flatnonzero(least > most)

    def parts(self, pressed: Numbers, nearness: bool) -> Iterator[Sequence[int]]:
        """The first of the ranking, and then all of it; `pressed` says how failures press on each."""
        scores = self._scores(shares(WEIGHTS[FAILING], pressed), nearness)
        if scores is not None:
            yield next(Ranking(scores, {}).parts())
        if self._shares is None:
            self._shares = {name: shares(WEIGHTS[name], look) for name, look in self.looks.items()}
        yield from together(self.view, self._shares, pressed, nearness).parts()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _may_be_near(self, documents: Numbers, least: Numbers) -> bool:
        """Whether any of these may be linked to the best, of which each is given at least so much by all but links."""
        found = np.flatnonzero(least > 0)
        if len(found) > ranking.ANCHORS:
            given = least[found]
            fewest = np.partition(given, len(given) - ranking.ANCHORS)[len(given) - ranking.ANCHORS]
            if fewest <= self._slack:
                return True  # it may be any
            found = found[given + self._slack >= fewest]
        elif self._slack:
            return True
        one, to = self.view.linked([*found.tolist(), *documents.tolist()])
        best, mine = np.zeros(len(least), bool), np.zeros(len(least), bool)
        best[found] = mine[documents] = True
        return bool((best[one] & mine[to]).any() or (mine[one] & best[to]).any())

    def _scores(self, more: Numbers, nearness: bool) -> Numbers | None:
        """Scores among which the first are right, and in their order; None where that would take all of it."""
        if not nearness:
            return self._settle_first(ranking.AT_FIRST, more)
        scores = self._settle_first(ranking.AROUND_THEM, more)
        if scores is None:
            return None
        nearby = shares(WEIGHTS[NEAR], near(self.view, scores))  # which goes by the best of them
        return self._settle_first(ranking.AT_FIRST, more + nearby)

    def _settle_first(self, most: int, more: Numbers) -> Numbers | None:
        """Settle whoever may be among so many, where each is given `more`; gives the scores. None where there are too
        few that stand out."""
        scores = self._given + more
        if not self._slack:
            return scores
        found = np.flatnonzero(scores > self._slack)
        if len(found) < most:
            return None
        given = scores[found]
        least = int(np.partition(given, len(given) - most)[len(given) - most])
        if least <= 2 * self._slack:
            return None  # it may be any of those that weren't even found
        self._settle(found[given + self._slack >= least])
        return self._given + more

    def _settle(self, documents: Numbers) -> None:
        """Know exactly what the looks give these."""
        unsettled = documents[~self._settled[documents]]
        if len(unsettled):
            self._given[unsettled] = sum(head.of(unsettled) for head in self._heads.values())
            self._settled[unsettled] = True


class _Head:
    """The first of one list, in order."""

    def __init__(self, weight: int, scores: Numbers) -> None:
        self.weight = weight
        self.scores = scores
        found = np.flatnonzero(scores > 0)
        given = scores[found]
        self._behind = np.zeros(0, np.int64)
        """The scores behind the head."""
        self.behind = 0
        """The most that any document there is given."""
        if len(found) > DEEP:
            least = np.partition(given, len(given) - 1 - DEEP)[len(given) - 1 - DEEP]
            ahead = given > least  # of equals all stand behind
            self._behind, found, given = given[~ahead], found[ahead], given[ahead]
            self.behind = weight * WHOLE // (STEEPNESS + len(found) + 1)
        self.documents = found
        self.given = weight * WHOLE // (STEEPNESS + places(given))

    def of(self, documents: Numbers) -> Numbers:
        """What some documents are given, wherever they stand."""
        found = np.zeros(len(self.scores), np.int64)
        found[self.documents] = self.given
        given = found[documents]
        late = np.flatnonzero((given == 0) & (self.scores[documents] > 0))
        given[late] = self.weight * WHOLE // (STEEPNESS + self._places(self.scores[documents[late]]))
        return given

    def _places(self, scores: Numbers) -> Numbers:
        """The places of scores behind the head: one more than how many are better."""
        few, at = np.unique(scores, return_inverse=True)
        better = np.bincount(np.searchsorted(few, self._behind), minlength=len(few) + 1)  # than how many of the few
        found: Numbers = (1 + len(self.documents) + len(self._behind) - np.cumsum(better))[at]
        return found
