"""TF-IDF over bodies: the angle between the words of a query and all the words of a document.

The length a score is divided by lies between the document's own and the usual one, or else the smallest documents
would come first for holding one word of the query and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.logs import UNIT, log2, rarity
from ccos_core.text.retrieval.shelf import Collection, Numbers

OWN, OF = 4, 10
"""The part a document's own length has in what its score is divided by."""
_SHIFT = UNIT.bit_length() - 1
_MOST = 255
_OFTEN = np.array([0, *(UNIT + log2(count) for count in range(1, _MOST + 1))], dtype=np.int64)
"""Occurrences → what they say together."""


def tfidf(collection: Collection, query: Mapping[str, int]) -> Numbers:
    """The score of each document; 0 where its body has none of the terms."""
    count = len(collection.documents)
    scores = np.zeros(count, dtype=np.int64)
    for term, weight in query.items():
        rows = collection.rows(term)
        if rows is not None:
            rare = rarity(count, len(rows.document))
            scores[rows.document] += weight * rare * _said(rare, rows.body)
    return (scores << _SHIFT) // _lengths(collection)


def _said(rare: int | Numbers, occurrences: NDArray[np.uint16]) -> Numbers:
    said: Numbers = (rare * _OFTEN[np.minimum(occurrences, _MOST)]) >> _SHIFT
    return said


def _lengths(collection: Collection) -> Numbers:
    """Document → what its score is divided by."""
    if "tfidf" not in collection.kept:
        count = len(collection.documents)
        sizes = np.diff(collection.ends, prepend=0)
        rare = np.array([rarity(count, int(size)) for size in sizes], dtype=np.int64)
        said = _said(np.repeat(rare, sizes), collection.all.body)
        squares = np.zeros(count, dtype=np.int64)
        np.add.at(squares, collection.all.document, said * said)
        own = np.array([isqrt(int(square)) for square in squares], dtype=np.int64)
        usual = int(own.sum()) // max(count, 1)
        collection.kept["tfidf"] = np.maximum((OWN * own + (OF - OWN) * usual) // OF, 1)
    return collection.kept["tfidf"]
