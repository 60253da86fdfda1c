"""Between which bounds a text weighs documents, at whichever moment of a stretch; at a single moment exactly.

What is said here of a document holds at every moment of the stretch at which it is one. By the text alone: what fails
and what is linked only comes on top of it. Within a stretch a part of it is looked at more closely, and only where it
matters: at documents that may be among the first, and in each list at what may stand between these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.asked import Asked, Both, Rows
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.stretches import Stretch
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE, added
from ccos_core.window.ranking import BODIES, HEADS, WEIGHTS

NEGLIGIBLE, SLIGHT = WHOLE >> 15, WHOLE >> 12
"""How far apart bounds of what one list gives may be and stay so: of what may be among the first, and of all else that
matters. Of thousands that stand far behind it takes looking at each to tell their places, and hardly anybody is in a
window by these."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a text gives in a stretch."""

    stretch: Stretch
    is_exact: bool
    """Whether nothing of it can be known any better."""
    places: Numbers
    """Wording → its place among all that the text may be about; what it can't be about has the last one."""
    total: Both
    """Place → what is given there."""
    documents: Numbers
    """The places of those that matter here, in order, ..."""
    given: Mapping[str, Given]
    """... and what each list gives them."""
    words: Words
    least: Numbers
    """What each of those is given at least that are there at all moments."""
    over: int
    """What documents are given at least that together take more than there is room for; 0 where all of them fit."""
    enough: int
    """Whoever is given less is neither in nor among the best by the text alone."""
    first: Numbers
    """The wordings that may be given as much."""

    def score_at(self, place: int) -> int:
        """What so many documents have at least."""
        return _at(place, self.least)

    def of(self, wordings: Numbers) -> Both:
        """What some wordings are given."""
        places = self.places[wordings]
        return self.total[0][places], self.total[1][places]


@dataclass(frozen=True, slots=True)
class Words:
    """What is looked at in the lists of words."""

    rows: Rows
    throughout: Numbers
    """Which of the documents are there at all moments."""
    scores: Mapping[str, Both]
    settled: Mapping[str, Sequence[Numbers]]
    """Scores, in order, of others: of those that are known, and there at all moments, nothing else matters."""

    def are_known(self) -> Numbers:
        """Of which documents the scores are known exactly: then they are the same at all moments."""
        found: Numbers = np.logical_and.reduce([low == high for low, high in self.scores.values()])
        return found

    def of(self, kept: Numbers, settled: Numbers) -> Words:
        """Those of some documents, told by a mask; of others only the scores."""
        scores = {name: (low[kept], high[kept]) for name, (low, high) in self.scores.items()}
        more = {name: [*self.settled[name], np.sort(low[settled])] for name, (low, _) in self.scores.items()}
        return Words(self.rows.of(kept), self.throughout[kept], scores, more)


@dataclass(frozen=True, slots=True)
class Given:
    """What one list gives to some documents."""

    low: Numbers
    high: Numbers
    ahead: Numbers
    """How many others aren't looked at because they surely stand before each that is in doubt."""
    apart: Numbers
    """How far apart the bounds of each may stay: never less than in a longer stretch."""

    def of(self, which: Numbers, apart: Numbers) -> Given:
        """To some of them, told by a mask."""
        return Given(self.low[which], self.high[which], self.ahead[which], apart)

    def vague(self) -> Numbers:
        """Of which of them it isn't known as closely as it matters."""
        return np.flatnonzero(self.high - self.low > self.apart)


class Weighing:
    """A text, stretch within stretch."""

    def __init__(
        self,
        asked: Asked,
        naming: Naming,
        room: int,
        best: int,
        mine: Numbers,
        mattering: Callable[[Stretch], Numbers],
    ) -> None:
        """There is room for so much; whoever may be among so many of the best matters, too, where that isn't none; and
        so do some wordings, whatever the text gives them: those that are asked about, and some of each stretch."""
        self.asked = asked
        self.stretches = asked.stretches
        self.wordings = asked.wordings
        self.room = room
        self._naming = naming
        self._best = best
        self.fitting = np.union1d(asked.rows.wordings, naming.wordings())
        """All wordings that the text may be about."""
        self.places = np.full(len(self.wordings.born), len(self.fitting), np.int64)
        self.places[self.fitting] = np.arange(len(self.fitting))
        self._mine = mine
        self._mattering = mattering

    def afresh(self, stretch: Stretch) -> Bounds:
        """Of a stretch, with all that is there; of a single moment exactly."""
        rows = self.asked.rows.of(self.stretches.are_in(self.asked.rows.wordings, stretch))
        documents = np.flatnonzero(self.stretches.are_in(self.fitting, stretch))
        nothing, none = np.zeros(len(self.fitting) + 1, np.int64), np.zeros(len(documents), np.int64)
        given = {
            name: Given(none.copy(), none + WEIGHTS[name] * WHOLE, none.copy(), none)
            for name in (HEADS, BODIES, *self._naming.lists)
        }
        throughout = self.stretches.are_throughout(rows.wordings, stretch)
        scores = self.asked.scores(rows, stretch, throughout)
        words = Words(rows, throughout, scores, dict.fromkeys(scores, ()))
        bounds = self._bounds(stretch, words, documents, given, (nothing, nothing))
        return replace(bounds, is_exact=stretch.is_one())

    def part(self, bounds: Bounds, place: int) -> Bounds:
        """Of the part of a stretch that has a place."""
        stretch, documents = bounds.stretch.part(place), bounds.documents
        first = self._are(self._mine)[documents] | (bounds.total[1][documents] >= bounds.enough)
        matter = first | self._are(self._mattering(stretch))[documents]
        matter &= self.stretches.are_in(self.fitting[documents], stretch)
        apart = np.where(first, NEGLIGIBLE, SLIGHT)[matter]
        documents, given = documents[matter], {name: each.of(matter, apart) for name, each in bounds.given.items()}
        words = self._closer(self._narrowed(bounds.words, stretch, documents, given), stretch)
        return self._bounds(stretch, words, documents, given, bounds.total)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _are(self, wordings: Numbers) -> Numbers:
        """Place → whether it is that of any of some wordings."""
        found = np.zeros(len(self.fitting) + 1, bool)
        found[self.places[wordings]] = True
        return found

    def _bounds(
        self,
        stretch: Stretch,
        words: Words,
        documents: Numbers,
        given: Mapping[str, Given],
        total: Both,
    ) -> Bounds:
        """Of some documents, of which it is known what they are given; brought closer where that is vague."""
        wordings = self.fitting[documents]
        for name, each in self._lists(stretch, words):
            known, which = given[name], given[name].vague()
            low, high = each.gives(wordings[which], known.ahead[which])
            known.low[which] = np.maximum(known.low[which], low)
            known.high[which] = np.minimum(known.high[which], high)
        low, high = total[0].copy(), total[1].copy()
        low[documents] = added([each.low for each in given.values()])
        high[documents] = added([each.high for each in given.values()])
        steady = documents[self.stretches.are_throughout(wordings, stretch)]
        over = self._over(steady, low[steady])
        enough = max(min(over, _at(self._best, low[steady])) if self._best else over, 1)
        first = wordings[high[documents] >= enough]
        return Bounds(
            stretch, False, self.places, (low, high), documents, given, words, low[steady], over, enough, first
        )

    def _lists(self, stretch: Stretch, words: Words) -> Iterator[tuple[str, _List]]:
        for name, scores in words.scores.items():
            yield name, _List(WEIGHTS[name], words.rows.wordings, scores, words.throughout, words.settled[name])
        for name, (wordings, scores) in self._naming.within(stretch).items():
            throughout = self.stretches.are_throughout(wordings, stretch)
            yield name, _List(WEIGHTS[name], wordings, scores, throughout)

    def _narrowed(self, words: Words, stretch: Stretch, documents: Numbers, given: Mapping[str, Given]) -> Words:
        """Of all that is looked at in the lists of words whatever may come before or behind a document of which it is
        vague what it is given; others are noted as ahead of it, or don't matter. Where a score isn't known yet, all of
        its file is kept; where it is, and the document is there throughout, the score alone."""
        rows, known = words.rows, words.are_known()
        throughout = self.stretches.are_throughout(rows.wordings, stretch)
        files, there = self.wordings.file[rows.wordings], self.stretches.are_in(rows.wordings, stretch)
        vague = {name: given[name].vague() for name in words.scores}
        places = {name: find(rows.wordings, self.fitting[documents[each]]) for name, each in vague.items()}
        doubtful, told = np.zeros(len(rows.wordings), bool), np.zeros(len(rows.wordings), bool)
        for name, (low, high) in words.scores.items():
            at = places[name]
            if len(at):
                least, most = np.sort(low[at]), np.sort(high[at])
                reached = np.searchsorted(least, high)  # what is equal stands before nobody
                doubtful |= (reached > np.searchsorted(most, low)) | ((reached > 0) & ~throughout)
                told[at] = True
        told |= self._with_files(files, (doubtful | told) & there & ~known)
        kept = (told | (doubtful & ~(known & throughout))) & there
        settled = known & throughout & ~kept
        for name, (low, high) in words.scores.items():
            others = np.sort(low[there & ~kept & ~settled])
            ahead = len(others) - np.searchsorted(others, high[places[name]], side="right")
            given[name].ahead[vague[name]] += ahead
        return words.of(kept, settled)

    def _closer(self, words: Words, stretch: Stretch) -> Words:
        """The same in a part of the stretch: what is known exactly is as it was."""
        throughout = self.stretches.are_throughout(words.rows.wordings, stretch)
        again = self._with_files(self.wordings.file[words.rows.wordings], ~words.are_known())
        for name, (low, high) in self.asked.scores(words.rows.of(again), stretch, throughout[again]).items():
            words.scores[name][0][again], words.scores[name][1][again] = low, high
        return replace(words, throughout=throughout)

    def _with_files(self, files: Numbers, which: Numbers) -> Numbers:
        """Some documents, told by a mask, with all others of their files."""
        whole = np.zeros(len(self.wordings.paths), bool)
        whole[files[which]] = True
        found: Numbers = whole[files]
        return found

    def _over(self, documents: Numbers, least: Numbers) -> int:
        """What documents have at least that take more than there is room for."""
        order = np.argsort(-least, kind="stable")[: np.count_nonzero(least)]
        costs = self.wordings.cost[self.fitting[documents[order]]]
        fit = int(np.searchsorted(np.cumsum(costs), self.room, side="right"))
        return int(least[order[fit]]) if fit < len(order) else 0


class _List:
    """One list, by scores of which only bounds are known."""

    def __init__(
        self, weight: int, wordings: Numbers, scores: Both, throughout: Numbers, settled: Sequence[Numbers] = ()
    ) -> None:
        self._whole = weight * WHOLE
        self._wordings = wordings
        self._low, self._high = scores
        self._settled = settled
        """The scores of others, in order, ..."""
        self._surely = np.sort(self._low[throughout & (self._low > 0)])
        """... of those alone that stand in each other's way at every moment, ..."""
        self._maybe = np.sort(self._high[self._high > 0])
        """... and of all that ever do."""

    def gives(self, wordings: Numbers, ahead: Numbers) -> Both:
        """What it gives some documents, whenever they are there, where so many others stand before each."""
        at, first = find(self._wordings, wordings), STEEPNESS + 1 + ahead
        low, high = (np.append(each, 0)[at] for each in (self._low, self._high))
        most = first + _better([self._maybe, *self._settled], low) - (high > low)
        fewest = first + _better([self._surely, *self._settled], high)
        return np.where(low > 0, self._whole // most, 0), np.where(high > 0, self._whole // fewest, 0)


def _better(lists: Sequence[Numbers], than: Numbers) -> Numbers:
    """How many scores in some lists, each in order, are better than each of some."""
    found = np.zeros(len(than), np.int64)
    for scores in lists:
        found += len(scores) - np.searchsorted(scores, than, side="right")
    return found


def find(every: Numbers, some: Numbers) -> Numbers:
    """Where some numbers stand among others that rise; -1 where they don't."""
    if not len(every):
        return np.full(len(some), -1)
    at = np.minimum(np.searchsorted(every, some), len(every) - 1)
    return np.where(every[at] == some, at, -1)


def _at(place: int, scores: Numbers) -> int:
    """What so many have at least; 0 where there are fewer."""
    if len(scores) < place:
        return 0
    return int(np.partition(scores, len(scores) - place)[len(scores) - place])
