"""BM25 over heads: how well what a document is called and says of itself matches the words of a query."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ccos_core.text.retrieval.logs import UNIT, rarity
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
        said = rows.head.astype(np.int64) * UNIT
        rare = rarity(count, int(np.count_nonzero(said)))
        scores[rows.document] += weight * rare * (said * UNIT // (said + hurdle[rows.document]))
    return scores


def _hurdle(collection: Collection) -> Numbers:
    """Document → what its occurrences of a term are held against."""
    if "bm25" not in collection.kept:
        lengths = collection.lengths["head"]
        total = max(int(lengths.sum()), 1)
        steady = SATURATION - SATURATION // LENGTH_PART
        collection.kept["bm25"] = steady + SATURATION * lengths * len(lengths) // (LENGTH_PART * total)
    return collection.kept["bm25"]
