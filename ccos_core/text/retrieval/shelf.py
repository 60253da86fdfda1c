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
        number = self.numbers.get(term)
        if number is None:
            return None
        span = slice(int(self.ends[number - 1]) if number else 0, int(self.ends[number]))
        return Rows(self.all.document[span], self.all.head[span], self.all.body[span])


class Shelf:
    """Files' postings, by path."""

    def __init__(self) -> None:
        self.files: dict[str, Postings] = {}
        self._collection: Collection | None = None

    def put(self, path: str, postings: Postings) -> None:
        """Learn a file, or what it has become."""
        self.files[path] = postings
        self._collection = None

    def drop(self, path: str) -> None:
        """Forget a file."""
        self.files.pop(path, None)
        self._collection = None

    def collection(self) -> Collection:
        """All of it, ready to be asked."""
        if self._collection is None:
            self._collection = _collected(sorted(self.files.items()))
        return self._collection


def _collected(files: list[tuple[str, Postings]]) -> Collection:
    numbers: dict[str, int] = {}
    documents: list[tuple[str, int]] = []
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    for path, each in files:
        known = np.array([numbers.setdefault(term, len(numbers)) for term in each.terms], dtype=np.int32)
        parts.append((each.unit + np.int32(len(documents)), known[each.term]))
        documents += [(path, symbol) for symbol in each.symbols]
    document = _joined([part[0] for part in parts], np.int32)
    term = _joined([part[1] for part in parts], np.int32)
    head = _joined([each.head for _, each in files], np.uint16)
    body = _joined([each.body for _, each in files], np.uint16)
    order = np.argsort(term, kind="stable")
    rows = Rows(document[order], head[order], body[order])
    term = term[order]
    ends = np.searchsorted(term, np.arange(len(numbers)), side="right").astype(np.int64)
    count = len(documents)
    lengths = {"head": _summed(rows.document, rows.head, count), "body": _summed(rows.document, rows.body, count)}
    places = np.repeat(np.arange(len(files), dtype=np.int32), [len(each.symbols) for _, each in files])
    return Collection(tuple(documents), places, numbers, ends, rows, term, lengths)


def _summed(document: NDArray[np.int32], values: NDArray[np.uint16], count: int) -> Numbers:
    found = np.zeros(count, dtype=np.int64)
    np.add.at(found, document, values.astype(np.int64))
    return found


def _joined(parts: list[NDArray], kind: type) -> NDArray:  # type: ignore[type-arg]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
