"""The postings of many files, put together so that a query touches only the rows of its terms.

Put together when first asked after a change: that is a sort of numbers, no reading. The order files were put in leaves
no trace, for documents go by path and place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.postings import Postings

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
