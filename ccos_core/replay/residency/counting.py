"""How often each term is in each of many wordings: they are short, so many are counted at one go.

A wording is put down as the numbers of its pieces, and a piece is read once for all that are counted together.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tokenize import pieces, terms_of

MANY = 1 << 20
"""Characters of the wordings that are counted at one go, or of one that is longer."""


class Numbered(dict[str, int]):
    """Texts by number, in the order they are met."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


class Counts(NamedTuple):
    """Wording after wording."""

    size: Numbers
    """Wording → how many terms it has."""
    term: Numbers
    """The terms of one after the other, those of its body first, in the order they are met, ..."""
    head: Numbers
    """... and how often each is in its head, ..."""
    body: Numbers
    """... and in its body."""


class Counting:
    """Whoever counts."""

    def __init__(self) -> None:
        self.terms = Numbered()
        self._counts: list[Counts] = []
        self._begin()

    def add(self, own: str, head: str) -> None:
        """One more wording, by its own lines and what is in its head."""
        for text in (own, head):
            met = pieces(text)
            self._met += map(self._pieces.__getitem__, met)
            self._ends.append(len(met))
        self._held += len(own) + len(head) + 1
        if self._held >= MANY:
            self._count()

    def counts(self) -> Counts:
        """Of all of them."""
        self._count()
        return Counts(*map(np.concatenate, zip(*self._counts, strict=True)))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._pieces = Numbered()
        self._met: list[int] = []
        """The pieces of all wordings, ..."""
        self._ends: list[int] = []
        """... how many of them each body has, and each head, in turn, ..."""
        self._held = 0
        """... and how many characters."""

    def _count(self) -> None:
        said = list(map(terms_of, self._pieces))
        terms = np.array(list(map(self.terms.__getitem__, chain.from_iterable(said))), np.int64)
        sizes = np.array(list(map(len, said)), np.int64)
        met = np.array(self._met, np.int64)
        half = np.repeat(np.arange(len(self._ends)), self._ends)  # twice the wording, and one more for its head
        self._counts.append(_counts(*_spoken(terms, sizes, met, half), len(self._ends) // 2))
        self._begin()


def _spoken(terms: Numbers, sizes: Numbers, met: Numbers, half: Numbers) -> tuple[Numbers, Numbers]:
    """The terms of pieces in a row, and which half each belongs to, given the terms of all pieces there are."""
    begins, taken = np.cumsum(sizes) - sizes, sizes[met]
    shifts = np.repeat(begins[met] - (np.cumsum(taken) - taken), taken)
    return terms[shifts + np.arange(len(shifts))], np.repeat(half, taken)


def _counts(term: Numbers, half: Numbers, count: int) -> Counts:
    """The counts of so many wordings."""
    wording = half >> 1
    order = np.lexsort((_narrow(term), _narrow(wording)))
    other = (np.diff(term[order], prepend=-1) != 0) | (np.diff(wording[order], prepend=-1) != 0)
    begins = np.flatnonzero(other)
    all_ = np.diff(np.append(begins, len(order)))
    head = np.add.reduceat(half[order] & 1, begins) if len(begins) else all_
    met = np.argsort(order[begins])  # of those that are alike, the order has the first one first
    first = order[begins][met]
    return Counts(
        np.bincount(wording[first], minlength=count),
        term[first],
        np.minimum(head, MOST)[met],
        np.minimum(all_ - head, MOST)[met],
    )


def _narrow(numbers: Numbers) -> Numbers:
    """Small numbers are sorted without comparing them."""
    return numbers.astype(np.uint16) if numbers.max(initial=0) <= MOST else numbers
