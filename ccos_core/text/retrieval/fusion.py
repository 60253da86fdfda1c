"""Reciprocal-rank fusion: several orders become one, by place alone.

Scores of different makes can't be added, places can: the first of a list gives it the most, the next a little less.
What is equal in a list shares a place, so no order of arrival shows through; what a list gives nothing has none in it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ccos_core.text.retrieval.shelf import Numbers

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
