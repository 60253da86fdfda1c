"""TF-IDF over bodies: the angle between the words of a query and all the words of a document.

The length a score is divided by lies between the document's own and the usual one, or else the smallest documents
would come first for holding one word of the query and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.logs import UNIT, log2, rarities, rarity, roots
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
            scores[rows.document] += weight * rare * _said(rare, rows.body)
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


def weighed(rare: int | NDArray[np.integer], often: NDArray[np.integer]) -> Numbers:
    """What occurrences say of a term that is so rare."""
    found: Numbers = (rare * often) >> _SHIFT
    return found


def divisors(own: Numbers) -> Numbers:
    """What each score is divided by: from how long each document is by itself, and all are together."""
    return divisors_by(own, int(own.sum()) // max(len(own), 1))


def divisors_by(own: Numbers, usual: int) -> Numbers:
    """The same, where somebody knows how long one is on an average."""
    found: Numbers = np.maximum((OWN * own + (OF - OWN) * usual) // OF, 1)
    return found


def _said(rare: int | Numbers, occurrences: NDArray[np.uint16]) -> Numbers:
    """What so many occurrences of a term say that is so rare."""
    return weighed(rare, often(occurrences))


def _lengths(collection: Collection) -> Numbers:
    """Document → what its score is divided by."""
    if "tfidf" not in collection.kept:
        count = len(collection.file)
        sizes = np.diff(collection.ends, prepend=0)
        each = _said(np.repeat(rarities(count, sizes), sizes), collection.all.body)
        squares = np.zeros(count, dtype=np.int64)
        np.add.at(squares, collection.all.document, each * each)
        collection.kept["tfidf"] = divisors(roots(squares))
    return collection.kept["tfidf"]
