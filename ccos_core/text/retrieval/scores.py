"""Scores of documents against a query in whole numbers, the same on every machine: BM25, TF-IDF, and rank fusion.

BM25 over heads says how well what a document is called and says of itself matches the query; TF-IDF over bodies, how
much of its words are words of the query, the rare ones counting most. The length TF-IDF divides by lies between the
document's own, by its words alone, and the usual one, or the smallest documents would come first. Reciprocal-rank
fusion makes one order of several by place alone: equal entries share a place, and unscored ones have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.shelf import Collection, Numbers

UNIT = 1024
"""One, in the fixed point all weights of this room are in."""
STEP = UNIT // 4
"""What is told of all documents together is told in steps of so much. So it stays the same while a few of them become
others, and with it stays every score of all that didn't."""
_BITS = 10
_MANTISSA = 31


def log2(number: int) -> int:
    """The binary logarithm of a number from 1 on, in 1024ths, rounded down."""
    whole = number.bit_length() - 1
    mantissa = (number << _MANTISSA) >> whole
    found = whole
    for _ in range(_BITS):
        mantissa = mantissa * mantissa >> _MANTISSA
        found <<= 1
        if mantissa >> (_MANTISSA + 1):
            mantissa >>= 1
            found += 1
    return found


@lru_cache(maxsize=2**14)
def rarity(documents: int, holding: int) -> int:
    """How much a term says that so many of the documents hold: the less, the more do."""
    return max(log2(2 * (documents + 1)) - log2(2 * holding + 1), 0) // STEP * STEP


def roots(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    """The whole parts of square roots: a float comes within one of each, and whole numbers settle it."""
    found = np.sqrt(squares.astype(np.float64)).astype(np.int64)
    found -= found * found > squares
    found += (found + 1) * (found + 1) <= squares
    return found


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


def told(occurrences: NDArray[np.integer], hurdle: Numbers) -> Numbers:
    """What occurrences of a term say, whichever term it is."""
    said = occurrences.astype(np.int64) * UNIT
    found: Numbers = said * UNIT // (said + hurdle)
    return found


def usual_head(total: int, count: int) -> int:
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
        collection.kept["bm25"] = hurdles(lengths, usual_head(int(lengths.sum()), len(lengths)))
    return collection.kept["bm25"]


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


def usual_body(total: int, count: int) -> int:
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
        collection.kept["tfidf"] = divisors(own, usual_body(int(own.sum()), count))
    return collection.kept["tfidf"]


STEEPNESS = 5
"""Added to each place; the smaller it is, the more the first places stand out."""
WHOLE = 1 << 20


def shares(weight: int, scores: Numbers) -> Numbers:
    """What a list of some weight gives to each by its place in it; nothing where it has no score there."""
    given = np.zeros(len(scores), dtype=np.int64)
    found = np.flatnonzero(scores > 0)
    given[found] = weight * WHOLE // (STEEPNESS + places(scores[found]))
    return given


def added(given: Iterable[Numbers]) -> Numbers:
    """The fused scores: what all lists gave. There is at least one, and they have the same documents."""
    one, *others = given
    total = one.astype(np.int64)
    for each in others:
        total += each
    return total


def best_first(scores: Numbers, least: int = 1) -> list[int]:
    """All that have a score of at least so much, the best first, in their own order where they are equal."""
    found = np.flatnonzero(scores >= max(least, 1))
    return [int(at) for at in found[np.argsort(-scores[found], kind="stable")]]


def first(scores: Numbers, most: int) -> list[int]:
    """So many of those that have a score, the best first: the head of `best_first`, without putting all in order."""
    found = np.flatnonzero(scores > 0)
    if len(found) > most:
        given = scores[found]
        found = found[given >= np.partition(given, len(given) - most)[len(given) - most]]
    return [int(at) for at in found[np.argsort(-scores[found], kind="stable")][:most]]


def places(scores: Numbers) -> Numbers:
    """Each one's place from 1 on: one more than how many are better."""
    order = np.argsort(-scores)  # in whichever order equals come, they share a place
    given = scores[order]
    begins = np.flatnonzero(np.append(True, given[1:] != given[:-1])[: len(given)])
    found = np.empty(len(scores), dtype=np.int64)
    found[order] = 1 + np.repeat(begins, np.diff(begins, append=len(given)))
    return found
