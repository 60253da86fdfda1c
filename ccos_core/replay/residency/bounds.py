"""Between which bounds a text weighs the documents of a stretch, at whichever of its moments.

What is said here of a document holds at every moment of the stretch at which it is one. By the text alone: what fails
and what is linked only comes on top of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.sight import Asked
from ccos_core.replay.residency.stretches import Stretch, Stretches
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.bm25 import told
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE, added
from ccos_core.text.retrieval.logs import logs2
from ccos_core.text.retrieval.tfidf import divided, often, weighed
from ccos_core.window.ranking import BODIES, HEADS, WEIGHTS, less, lifted

DEEP = 2_000
"""Places of a list of which it is known what they give at least."""

Both = tuple[Numbers, Numbers]
"""At least, and at most."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a text gives in a stretch."""

    stretch: Stretch
    lists: tuple[_List, ...]
    least: Numbers
    """What each document is given at least; nothing where it isn't there throughout."""

    def given(self) -> Both:
        """What each document is given, at least and at most, whenever it is one."""
        least, most = ([getattr(each, bound)() for each in self.lists] for bound in ("least_of_all", "most_of_all"))
        return added(least), added(most)

    def most(self, wordings: Numbers) -> int:
        """The most that is given any of some wordings that are documents in it."""
        at = np.searchsorted(self.stretch.some, wordings)
        there = at[at < len(self.stretch.some)]
        there = there[np.isin(self.stretch.some[there], wordings)]
        return int(added([each.most(there) for each in self.lists]).max(initial=0))

    def score_at(self, place: int) -> int:
        """What so many documents have at least."""
        if len(self.least) < place:
            return 0
        return int(np.partition(self.least, len(self.least) - place)[len(self.least) - place])

    def score_over(self, costs: Numbers, room: int) -> int:
        """What documents have at least that together take more than there is room for; 0 where all of them fit."""
        found = np.flatnonzero(self.least)
        order = found[np.argsort(-self.least[found], kind="stable")]
        fit = int(np.searchsorted(np.cumsum(costs[self.stretch.some[order]]), room, side="right"))
        return int(self.least[order[fit]]) if fit < len(order) else 0


class _List:
    """One list, by scores of which only bounds are known."""

    def __init__(self, weight: int, scores: Both, throughout: Numbers) -> None:
        self.weight = weight
        self.low, self.high = scores
        self._throughout = throughout
        self._sorted = np.sort(self.low[throughout & (self.low > 0)])
        """The scores of those alone that stand in each other's way at every moment."""

    def most(self, documents: Numbers) -> Numbers:
        """What some documents are given at most."""
        high = self.high[documents]
        better = len(self._sorted) - np.searchsorted(self._sorted, high, side="right")
        return np.where(high > 0, self._share(better), 0)

    def least(self) -> Numbers:
        """What each is given at least, of those that are there throughout and may be told to be among the first."""
        if not len(self._sorted):
            return np.zeros(len(self.low), np.int64)
        first = self._sorted[max(len(self._sorted) - DEEP, 0)]
        return self._least(np.flatnonzero(self._throughout & (self.low >= first)))

    def most_of_all(self) -> Numbers:
        """What each is given at most."""
        return self.most(np.arange(len(self.high)))

    def least_of_all(self) -> Numbers:
        """What each is given at least, whenever it is there."""
        return self._least(np.flatnonzero(self.low > 0))

    def _least(self, found: Numbers) -> Numbers:
        given = np.zeros(len(self.low), np.int64)
        if len(found):
            low = self.low[found]
            high = np.sort(self.high[self.high >= low.min()])
            better = len(high) - np.searchsorted(high, low, side="right") - (self.high[found] > low)
            given[found] = self._share(better)
        return given

    def _share(self, better: Numbers) -> Numbers:
        found: Numbers = self.weight * WHOLE // (STEEPNESS + 1 + better)
        return found


class Weighing:
    """A text, stretch after stretch."""

    def __init__(self, asked: Asked, weights: Mapping[str, int], stretches: Stretches, naming: Naming) -> None:
        self.stretches = stretches
        self._naming = naming
        self.wordings = asked.wordings
        self._terms = [
            _Term(weights[term], (asked.holders[at], asked.heads[at], asked.bodies[at]), asked.wordings)
            for term, at in asked.numbers.items()
        ]

    def at(self, number: int) -> Bounds:
        """What it gives in a stretch behind those asked for before."""
        return self._bounds(self.stretches.stretch(number))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _bounds(self, stretch: Stretch) -> Bounds:
        places = np.full(len(self.wordings.born), -1, np.int32)
        places[stretch.some] = np.arange(len(stretch.some), dtype=np.int32)
        counts = logs2(2 * (self.stretches.counts[stretch.marks] + 1))
        heads, bodies = _nothing(stretch), _nothing(stretch)
        for term in self._terms:
            here = np.flatnonzero(places[term.holders] >= 0)
            at = places[term.holders[here]]
            _add_heads(heads, term, here, at, stretch, counts)
            _add_bodies(bodies, term, here, at, stretch, counts)
        looks = {
            HEADS: self._raised(stretch, heads),
            BODIES: self._raised(stretch, _divided(bodies, stretch)),
            **self._naming.bounds(stretch),
        }
        lists = tuple(_List(WEIGHTS[name], both, stretch.throughout) for name, both in looks.items())
        return Bounds(stretch, lists, added([each.least() for each in lists]))

    def _raised(self, stretch: Stretch, scores: Both) -> Both:
        """Scores with all that is taken and given by what documents are, and by the others of their files."""
        some, wordings = stretch.some, self.wordings
        file, minor, aside = wordings.file[some], wordings.minor[some], wordings.aside[some]
        low, high = (less(each, minor, aside) for each in scores)
        steady = np.where(stretch.throughout, low, 0)  # the others may not be there to lift anybody
        fits = np.flatnonzero(steady)
        lift = np.zeros(len(wordings.paths), np.int64)
        lift[file[fits]] = (lifted(file, steady) - steady)[fits]
        return np.where(low > 0, low + lift[file], 0), lifted(file, high)


class _Term:
    """One word of a text, in all wordings there ever were."""

    def __init__(self, weight: int, rows: tuple[Numbers, Numbers, Numbers], wordings: Wordings) -> None:
        self.weight = weight
        self.holders, self.heads, bodies = rows
        self.often = often(bodies)
        self._spans = [_span(wordings, each) for each in (self.holders[self.heads > 0], self.holders)]

    def rare(self, which: int, marks: Numbers, counts: Numbers) -> tuple[int, int]:
        """How rare it is among heads, or bodies, at least and at most; `counts` are the logarithms of what it is held
        against."""
        born, died = self._spans[which]
        holding = np.searchsorted(born, marks, side="left") - np.searchsorted(died, marks, side="left")
        rare = np.maximum(counts - logs2(2 * holding + 1), 0)
        return int(rare.min()), int(rare.max())


def _nothing(stretch: Stretch) -> Both:
    return np.zeros(len(stretch.some), np.int64), np.zeros(len(stretch.some), np.int64)


def _span(wordings: Wordings, holders: Numbers) -> tuple[Numbers, Numbers]:
    return np.sort(wordings.born[holders]).astype(np.int64), np.sort(wordings.died[holders]).astype(np.int64)


def _add_heads(scores: Both, term: _Term, rows: Numbers, at: Numbers, stretch: Stretch, counts: Numbers) -> None:
    """Put what some rows of a term, those of some documents, say in heads to their scores."""
    rare = term.rare(0, stretch.marks, counts)
    for score, each, hurdle in zip(scores, rare, stretch.hurdles[::-1], strict=True):
        score[at] += term.weight * each * told(term.heads[rows], hurdle[at])


def _add_bodies(scores: Both, term: _Term, rows: Numbers, at: Numbers, stretch: Stretch, counts: Numbers) -> None:
    for score, each in zip(scores, term.rare(1, stretch.marks, counts), strict=True):
        score[at] += term.weight * each * weighed(each, term.often[rows])


def _divided(scores: Both, stretch: Stretch) -> Both:
    low, high = stretch.divisors
    return divided(scores[0], high), divided(scores[1], low)
