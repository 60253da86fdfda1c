"""TF-IDF over bodies: how much of all the words of a document are words of a query, the rare ones counting most.

The length a score is divided by lies between the document's own and the usual one, or else the smallest documents
would come first for holding one word of the query and nothing else. A document's own length goes by its words alone,
however rare these are: so it is the same for as long as the document is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.logs import STEP, UNIT, log2, rarity, roots
from ccos_core.text.retrieval.shelf import Collection, Numbers

OWN, OF = 4, 10
"""The part a document's own length has in what its score is divided by."""
_SHIFT = UNIT.bit_length() - 1
_MOST = 255
_OFTEN = np.array([0, *(UNIT + log2(count) for count in range(1, _MOST + 1))], dtype=np.int64)
"""Occurrences → what they say together."""


def tfidf(collection: Collection, query: Mapping[str, int]) -> Numbers:
    """The score of each document; 0 where its body has none of the terms."""
    count = len(collection.file)
    scores = np.zeros(count, dtype=np.int64)
    for term, weight in query.items():
        rows = collection.rows(term)
        if rows is not None:
            rare = rarity(count, len(rows.document))
            scores[rows.document] += weight * said(rare, often(rows.body))
    return divided(scores, _lengths(collection))


def divided(scores: Numbers, by: Numbers) -> Numbers:
    """Scores by how long documents are; in place."""
    fits = np.flatnonzero(scores)
    scores[fits] = (scores[fits] << _SHIFT) // by[fits]
    return scores


def often(occurrences: NDArray[np.uint16]) -> Numbers:
    """What so many occurrences say together, whichever term it is."""
    found: Numbers = _OFTEN[np.minimum(occurrences, _MOST)]
    return found


def said(rare: int | NDArray[np.integer], often: NDArray[np.integer]) -> Numbers:
    """What occurrences say of a term that is so rare."""
    found: Numbers = rare * ((rare * often) >> _SHIFT)
    return found


def usual(total: int, count: int) -> int:
    """How long a document is as a rule, where so many are so long together."""
    return total // max(count, 1) // STEP * STEP


def divisors(own: Numbers, usual: int) -> Numbers:
    """What each score is divided by: from how long a document is by itself, and documents are as a rule."""
    found: Numbers = np.maximum((OWN * own + (OF - OWN) * usual) // OF, 1)
    return found


def _lengths(collection: Collection) -> Numbers:
    """Document → what its score is divided by."""
    if "tfidf" not in collection.kept:
        count = len(collection.file)
        squares = np.zeros(count, dtype=np.int64)
        np.add.at(squares, collection.all.document, often(collection.all.body) ** 2)
        own = roots(squares)
        collection.kept["tfidf"] = divisors(own, usual(int(own.sum()), count))
    return collection.kept["tfidf"]
