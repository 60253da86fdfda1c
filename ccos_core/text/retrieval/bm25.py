"""BM25 over heads: how well what a document is called and says of itself matches the words of a query."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.logs import STEP, UNIT, rarity
from ccos_core.text.retrieval.shelf import Collection, Numbers

SATURATION = UNIT
"""k1: how often a term must occur for half of what it can say, in a document of usual length, ..."""
LENGTH_PART = 2
"""... and b: one part in so many of that goes with the length."""


def bm25(collection: Collection, query: Mapping[str, int]) -> Numbers:
    """The score of each document; 0 where its head has none of the terms."""
    count = len(collection.file)
    scores = np.zeros(count, dtype=np.int64)
    hurdle = _hurdle(collection)
    for term, weight in query.items():
        rows = collection.rows(term)
        if rows is None:
            continue
        rare = rarity(count, int(np.count_nonzero(rows.head)))
        scores[rows.document] += weight * rare * told(rows.head, hurdle[rows.document])
    return scores


def told(occurrences: NDArray[np.uint16], hurdle: Numbers) -> Numbers:
    """What occurrences of a term say, whichever term it is."""
    said = occurrences.astype(np.int64) * UNIT
    found: Numbers = said * UNIT // (said + hurdle)
    return found


def usual(total: int, count: int) -> int:
    """How long a head is as a rule, where so many have so many words together."""
    return max(UNIT * total // max(count, 1) // STEP * STEP, STEP)


def hurdles(lengths: Numbers, usual: int) -> Numbers:
    """What occurrences of a term are held against in heads that have so many words, where so many are usual."""
    steady = SATURATION - SATURATION // LENGTH_PART
    found: Numbers = steady + SATURATION * lengths * UNIT // (LENGTH_PART * usual)
    return found


def _hurdle(collection: Collection) -> Numbers:
    """Document → what its occurrences of a term are held against."""
    if "bm25" not in collection.kept:
        lengths = collection.lengths["head"]
        collection.kept["bm25"] = hurdles(lengths, usual(int(lengths.sum()), len(lengths)))
    return collection.kept["bm25"]
