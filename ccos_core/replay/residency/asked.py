"""What the words of a text are worth in the documents that have any of them, stretch after stretch.

Which words a text has never changes, nor what a wording has of them. What changes is how rare they are, and how long
documents are as a rule: both in coarse steps, so that over many moments in a row most scores are the very same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.stretches import Stretch, Stretches
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.bm25 import hurdles, told
from ccos_core.text.retrieval.logs import rarities
from ccos_core.text.retrieval.tfidf import divided, divisors, said
from ccos_core.window.ranking import BODIES, HEADS, less, lifted

Both = tuple[Numbers, Numbers]
"""At least, and at most."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Documents in order, and what each has of the terms of a text."""

    wordings: Numbers
    at: Numbers
    """Row → its document among these, rising."""
    term: Numbers
    heads: Numbers
    often: Numbers

    def of(self, kept: Numbers) -> Rows:
        """Those of some of the documents, told by a mask."""
        here, at = kept[self.at], np.cumsum(kept) - 1
        columns = (self.term, self.heads, self.often)
        return Rows(self.wordings[kept], at[self.at[here]], *(column[here] for column in columns))


class Asked:
    """The terms of a text."""

    def __init__(self, wordings: Wordings, weights: Mapping[str, int], stretches: Stretches) -> None:
        self.wordings = wordings
        self.stretches = stretches
        numbers = [number for term in weights if (number := wordings.terms.get(term)) is not None]
        self._weights = np.array([weight for term, weight in weights.items() if term in wordings.terms], np.int64)
        self.rows = self._rows([wordings.pairs(number) for number in numbers])
        self._heads = _Rare(stretches, self.rows, self.rows.heads > 0, len(numbers))
        self._bodies = _Rare(stretches, self.rows, self.rows.heads >= 0, len(numbers))

    def scores(self, rows: Rows, stretch: Stretch, throughout: Numbers) -> Mapping[str, Both]:
        """What each document has in the list of heads, and of bodies, at least and at most, whenever it is one in a
        stretch. The rows have all the documents there are of a file, or none."""
        heads, bodies = self._said(rows, stretch)
        return {HEADS: self._raised(rows, heads, throughout), BODIES: self._raised(rows, bodies, throughout)}

    # -- helpers --------------------------------------------------------------------------------------------------

    def _rows(self, pairs: list[Numbers]) -> Rows:
        """The rows of some terms, by their documents."""
        every = np.concatenate([np.zeros(0, np.int64), *pairs])
        order = np.argsort(every)  # pairs stand in the order of wordings
        term = np.repeat(np.arange(len(pairs)), [len(each) for each in pairs])[order]
        every, wordings = every[order], self.wordings
        found, at = np.unique(wordings.holder[every], return_inverse=True)
        return Rows(found, at, term, wordings.head[every], wordings.often[every].astype(np.int64))

    def _said(self, rows: Rows, stretch: Stretch) -> tuple[Both, Both]:
        """What the words of each document say by themselves."""
        here, wordings = slice(stretch.first, stretch.end), rows.wordings
        own = self.wordings.head_length[wordings], self.wordings.body_length[wordings]
        heads, bodies = (_ends(usual[here]) for usual in (self.stretches.heads, self.stretches.bodies))
        rare = self._heads.within(stretch), self._bodies.within(stretch)
        begins = np.flatnonzero(np.append(True, rows.at[1:] != rows.at[:-1])[: len(rows.at)])

        def by_heads(rare: Numbers, usual: int) -> Numbers:
            each = told(rows.heads, hurdles(own[0], usual)[rows.at])
            return _added((self._weights * rare)[rows.term] * each, begins)

        def by_bodies(rare: Numbers, usual: int) -> Numbers:
            each = self._weights[rows.term] * said(rare[rows.term], rows.often)
            return divided(_added(each, begins), divisors(own[1], usual))

        return (
            _both(lambda at: by_heads(rare[0][at], heads[at]), _are_one(rare[0], heads)),
            _both(lambda at: by_bodies(rare[1][at], bodies[1 - at]), _are_one(rare[1], bodies)),
        )

    def _raised(self, rows: Rows, scores: Both, throughout: Numbers) -> Both:
        """Scores with all that is taken and given by what documents are, and by the others of their files."""
        wordings = self.wordings
        file, minor, aside = (column[rows.wordings] for column in (wordings.file, wordings.minor, wordings.aside))
        is_one = scores[0] is scores[1]
        low = less(scores[0], minor, aside)
        high = low if is_one else less(scores[1], minor, aside)
        most = lifted(file, high)
        if is_one and throughout.all():
            return most, most
        steady = np.where(throughout, low, 0)  # the others may not be there to lift anybody
        fits = np.flatnonzero(steady)
        lift = np.zeros(len(wordings.paths), np.int64)
        lift[file[fits]] = (lifted(file, steady) - steady)[fits]
        return np.where(low > 0, low + lift[file], 0), most


class _Rare:
    """How rare each of some terms is, for as long as it is."""

    def __init__(self, stretches: Stretches, rows: Rows, which: Numbers, size: int) -> None:
        self.size = size
        terms, wordings = rows.term[which], rows.wordings[rows.at[which]]
        order = np.argsort(terms, kind="stable")
        ends = np.searchsorted(terms[order], np.arange(size + 1))
        found = [self._turns(stretches, wordings[order[ends[at] : ends[at + 1]]]) for at in range(size)]
        self._term = np.repeat(np.arange(size), [len(firsts) for firsts, _ in found])
        none = np.zeros(0, np.int64)
        self._firsts = np.concatenate([none, *(firsts for firsts, _ in found)])
        self._rare = np.concatenate([none, *(rare for _, rare in found)])
        self._ends = np.append(self._firsts[1:], 0)
        self._ends[self._ends == 0] = len(stretches.marks)  # each begins at the first place

    def within(self, stretch: Stretch) -> Both:
        """Of each term how rare it is in a stretch, at least and at most."""
        here = (self._firsts < stretch.end) & (self._ends > stretch.first)
        terms, rare = self._term[here], self._rare[here]
        begins = np.searchsorted(terms, np.arange(self.size))
        if not self.size:
            return rare, rare
        return np.minimum.reduceat(rare, begins), np.maximum.reduceat(rare, begins)

    @staticmethod
    def _turns(stretches: Stretches, holders: Numbers) -> Both:
        """(places at which it becomes another number, which it is from there on)."""
        rare = rarities(stretches.counts, stretches.holding(holders))
        firsts = np.flatnonzero(np.append(True, rare[1:] != rare[:-1]))
        return firsts, rare[firsts]


def _ends(numbers: Numbers) -> tuple[int, int]:
    return int(numbers.min()), int(numbers.max())


def _are_one(rare: Both, usual: tuple[int, int]) -> bool:
    return usual[0] == usual[1] and np.array_equal(*rare)


def _both(score: Callable[[int], Numbers], are_one: bool) -> Both:
    """The scores at the one end and at the other; the same, where both ends are."""
    low = score(0)
    return low, low if are_one else score(1)


def _added(numbers: Numbers, begins: Numbers) -> Numbers:
    """The sums of runs of numbers."""
    found: Numbers = np.add.reduceat(numbers, begins) if len(begins) else np.zeros(0, np.int64)
    return found
