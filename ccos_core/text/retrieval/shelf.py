"""What one file gives to a search, and the postings of many files, so that a query touches only the rows of its terms.

Postings are made from one file alone, kept and dropped with it; terms are words there. They are put together when
first asked after a change, by a sort of numbers. Documents go by path and place, whatever order files came in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.tokenize import Unit

MOST = 2**16 - 1
"""Occurrences that still count."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The units of one file, and which terms stand where: four columns, a row for each pair of unit and term."""

    symbols: tuple[int, ...]
    terms: tuple[str, ...]
    unit: NDArray[np.int32]
    term: NDArray[np.int32]
    head: NDArray[np.uint16]
    body: NDArray[np.uint16]


def postings(units: Sequence[Unit]) -> Postings:
    """The postings of a file's units."""
    numbers: dict[str, int] = {}
    at: list[int] = []
    term: list[int] = []
    head: list[int] = []
    body: list[int] = []
    for place, unit in enumerate(units):
        found = {**unit.body, **unit.head}
        at += [place] * len(found)
        term += [numbers.setdefault(each, len(numbers)) for each in found]
        head += [unit.head.get(each, 0) for each in found]
        body += [unit.body.get(each, 0) for each in found]
    return Postings(
        tuple([unit.symbol for unit in units]),
        tuple(map(intern, numbers)),
        np.array(at, dtype=np.int32),
        np.array(term, dtype=np.int32),
        _bounded(head),
        _bounded(body),
    )


def _bounded(counts: list[int]) -> NDArray[np.uint16]:
    return np.minimum(np.array(counts, dtype=np.int64), MOST).astype(np.uint16)


Numbers = NDArray[np.int64]


@dataclass(slots=True)
class Rows:
    """The rows of one term: documents, rising, and how often each has it in head and body."""

    document: NDArray[np.int32]
    head: NDArray[np.uint16]
    body: NDArray[np.uint16]


@dataclass(slots=True)
class Collection:
    """Everything on the shelf at one time."""

    documents: Sequence[tuple[str, int]]
    """(path, symbol) of each, in order."""
    file: NDArray[np.int32]
    """Document → its file's place among the paths."""
    numbers: Mapping[str, int]
    ends: Numbers
    """Term → where its rows end, and the next one's begin."""
    all: Rows
    term: NDArray[np.int32]
    lengths: Mapping[str, Numbers]
    """`head` and `body`: how many words each document has there."""
    kept: dict[str, Numbers] = field(default_factory=dict)
    """What a score worked out once for all its queries."""

    def rows(self, term: str) -> Rows | None:
        """The rows of a term, if any document has it."""
        number = self.numbers.get(term, len(self.ends))
        if number >= len(self.ends):
            return None
        span = slice(int(self.ends[number - 1]) if number else 0, int(self.ends[number]))
        if span.start == span.stop:
            return None
        return Rows(self.all.document[span], self.all.head[span], self.all.body[span])


class Shelf:
    """Files' postings, by path."""

    def __init__(self) -> None:
        self.files: dict[str, Postings] = {}
        self._numbers: dict[str, int] = {}
        """Term → its number on this shelf, whether or not any file still has it."""
        self._terms: dict[str, NDArray[np.int32]] = {}
        """Path → the number of the term of each of its rows."""
        self._collection: Collection | None = None

    def put(self, path: str, postings: Postings) -> None:
        """Learn a file, or what it has become."""
        numbers = [self._numbers.setdefault(term, len(self._numbers)) for term in postings.terms]
        self._terms[path] = np.array(numbers, dtype=np.int32)[postings.term]
        self.files[path] = postings
        self._collection = None

    def drop(self, path: str) -> None:
        """Forget a file."""
        if self.files.pop(path, None) is not None:
            del self._terms[path]
        self._collection = None

    def collection(self) -> Collection:
        """All of it, ready to be asked."""
        if self._collection is None:
            self._collection = self._collected(sorted(self.files))
        return self._collection

    def _collected(self, paths: list[str]) -> Collection:
        each = [self.files[path] for path in paths]
        counts = [len(postings.symbols) for postings in each]
        places = np.repeat(np.arange(len(paths), dtype=np.int32), counts)
        begins = np.cumsum([0, *counts], dtype=np.int32)
        rows = [postings.unit + begin for postings, begin in zip(each, begins[:-1], strict=True)]
        document, term = _joined(rows, np.int32), _joined([self._terms[path] for path in paths], np.int32)
        keys = (term.astype(np.int64) << 32) | np.arange(len(term))  # sorting these is a third of a stable argsort
        keys.sort()
        order = keys & 0xFFFFFFFF
        head = _joined([postings.head for postings in each], np.uint16)[order]
        body = _joined([postings.body for postings in each], np.uint16)[order]
        document, term = document[order], term[order]
        ends = np.searchsorted(term, np.arange(len(self._numbers)), side="right").astype(np.int64)
        count = int(begins[-1])
        lengths = {"head": _summed(document, head, count), "body": _summed(document, body, count)}
        documents = tuple([(path, symbol) for path in paths for symbol in self.files[path].symbols])
        return Collection(documents, places, self._numbers, ends, Rows(document, head, body), term, lengths)


def _summed(document: NDArray[np.int32], values: NDArray[np.uint16], count: int) -> Numbers:
    return np.bincount(document, values, count).astype(np.int64)  # sums below 2**53 are exact as floats


def _joined(parts: list[NDArray], kind: type) -> NDArray:  # type: ignore[type-arg]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
