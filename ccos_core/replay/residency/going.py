"""The documents of one step after another, with what each counts in a search: kept up with from version to version.

A version changes the words of a few documents, and by that how rare some terms are, and by that how long all documents
are that have one of these. Only that is worked out again; numbers come out as if all of it had been.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.wordings import NOBODY, Wordings
from ccos_core.text.retrieval.logs import rarities, roots
from ccos_core.text.retrieval.tfidf import weighed

FEW = 4
"""Where more than one part in so many of all terms' occurrences count otherwise, all are counted anew."""
MOST_ROWS = 3_000
"""Versions that are followed one by one; where more lie between, all is worked out anew."""


@dataclass(slots=True)
class Documents:
    """The wordings of one step."""

    alive: Numbers
    """The wordings that are documents, in order."""
    at: Numbers
    """Wording → its document, or -1."""
    own: Numbers
    """Document → how long it is by itself."""


class Going:
    """Where each node stands in which document, as of so many versions."""

    def __init__(self, wordings: Wordings, size: int) -> None:
        self.wordings = wordings
        self.holder = np.full(size, NOBODY, np.int32)
        """Node → the wording that holds it."""
        self.itself = np.full(size, NOBODY, np.int32)
        """Node → the wording of itself."""
        self._version = np.full(size, -1, np.int32)
        """Node of a file → its version."""
        self.upto = 0

    def move(self, files: list[int], upto: int) -> Numbers:
        """Go on to where so many versions have been; `files` has the files' nodes, version by version. Gives the nodes
        that another wording holds, or none any more."""
        turned = [np.zeros(0, np.int32)]
        for row in range(self.upto, upto):
            before = int(self._version[files[row]])
            here = self.wordings.nodes_of(row)
            nodes, holders = self.wordings.nodes[here], self.wordings.wording[here]
            was = self.holder[nodes]
            if before >= 0:
                gone = self.wordings.nodes[self.wordings.nodes_of(before)]
                self.holder[gone] = self.itself[gone] = NOBODY
            self.holder[nodes] = holders
            self.itself[nodes] = np.where(self.wordings.own[here], holders, NOBODY)
            self._version[files[row]] = row
            turned.append(nodes[was != holders])
            if before >= 0:
                turned.append(gone[self.holder[gone] == NOBODY])
        self.upto = upto
        return np.concatenate(turned)


class Lengths:
    """How long documents are, as of so many versions."""

    def __init__(self, wordings: Wordings) -> None:
        self.wordings = wordings
        self.upto = -1
        count = len(wordings.targets)
        self.alive = np.zeros(count, bool)
        self._held = np.zeros(len(wordings.terms), np.int64)
        """Term → how many documents have it."""
        self._rare = np.zeros(len(wordings.terms), np.int64)
        self._squares = np.zeros(count, np.int64)
        self._own = np.zeros(count, np.int64)
        self._whole = True
        """Whether nobody knows how long they are."""
        order = np.argsort(wordings.born, kind="stable"), np.argsort(wordings.died, kind="stable")
        self._coming, self._leaving = order
        self._comes, self._leaves = wordings.born[order[0]], wordings.died[order[1]]

    def move(self, upto: int) -> bool:
        """Go to where so many versions have been; gives whether any document is another one."""
        if upto == self.upto:
            return False
        if self.upto < 0 or not 0 < upto - self.upto <= MOST_ROWS:
            self._begin(upto)
            return True
        before, self.upto = self.upto, upto
        came = self._between(self._coming, self._comes, before)
        left = self._between(self._leaving, self._leaves, before)
        self.alive[came] = True
        self.alive[left] = False  # last, for some came and left again in between
        self._count(came[self.alive[came]], 1)
        self._count(left[self.wordings.born[left] < before], -1)
        return bool(len(came) or len(left))

    def documents(self) -> Documents:
        """All of them."""
        alive = np.flatnonzero(self.alive)
        at = np.full(len(self.alive), -1, np.int32)
        at[alive] = np.arange(len(alive), dtype=np.int32)
        self._weigh(len(alive))
        return Documents(alive, at, self._own[alive])

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self, upto: int) -> None:
        self.upto = upto
        self.alive = (self.wordings.born < upto) & (self.wordings.died >= upto)
        self._held[:] = np.bincount(
            self.wordings.term[self.alive[self.wordings.holder]], minlength=len(self.wordings.terms)
        )
        self._whole = True

    def _between(self, order: Numbers, versions: Numbers, before: int) -> Numbers:
        """The wordings that came, or left, by the versions since."""
        begin, end = np.searchsorted(versions, np.array([before, self.upto], np.int32)).tolist()
        found: Numbers = order[begin:end]
        return found

    def _count(self, wordings: Numbers, by: int) -> None:
        begins = self.wordings.begins
        for wording in wordings.tolist():
            self._held[self.wordings.term[begins[wording] : begins[wording + 1]]] += by  # no document has a term twice

    def _weigh(self, count: int) -> None:
        """How long all wordings are, be they documents now or not."""
        rare = rarities(count, self._held)
        turned = np.flatnonzero(rare != self._rare)
        ends = self.wordings.term_ends
        sizes = ends[turned] - np.where(turned > 0, ends[turned - 1], 0)
        before, self._rare = self._rare, rare
        if self._whole or int(sizes.sum()) * FEW > len(self.wordings.term):
            self._weigh_all()
        elif len(turned):
            self._weigh_again(turned, sizes, before)

    def _weigh_all(self) -> None:
        each = weighed(self._rare.astype(np.int32)[self.wordings.term], self.wordings.often).astype(np.int64)
        sums = np.append(0, np.cumsum(each * each))
        self._squares = sums[self.wordings.begins[1:]] - sums[self.wordings.begins[:-1]]
        self._own = roots(self._squares)
        self._whole = False

    def _weigh_again(self, turned: Numbers, sizes: Numbers, before: Numbers) -> None:
        """Those that have a term which became rarer, or less so."""
        pairs = np.concatenate([self.wordings.pairs(term) for term in turned.tolist()])
        often, holders = self.wordings.often[pairs].astype(np.int64), self.wordings.holder[pairs]
        now, was = (weighed(np.repeat(each[turned], sizes), often) for each in (self._rare, before))
        np.add.at(self._squares, holders, now * now - was * was)
        self._own[holders] = roots(self._squares[holders])
