"""Heat by the column: the numbers of `state.heat` and `World.score` for many nodes at once, and what is warm at a step.

Integers throughout, each step the one taken for a single heat; a test holds the two together. The first looks read all
changes up to their step; after a few dozen a sorted column of all changes by node, cause and row is made, and a look
costs what is asked for. A change keeps its tier and score, so what was warm at a place is kept beside the change that
ended each, and cold or gone nodes are never read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import PLACES, Journal
from ccos_core.state.heat import BITS
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, AWAY

Heats = NDArray[np.int64]

_MANTISSA = np.uint64((1 << BITS) - 1)
_BITS = np.uint64(BITS)
_FOUR = 4


def scores(heats: Sequence[Heats], priors: Heats, weights: Mapping[str, int]) -> Heats:
    """The score of each node, from its heats in the order of CAUSES and its prior."""
    found = np.zeros(len(priors), np.int64)
    for cause, heat in zip(CAUSES, heats, strict=True):
        if heat.any():
            found = added(found, scaled(heat, weights[cause], _FOUR))
    return scaled(found, priors, _FOUR)


def added(one: Heats, other: Heats) -> Heats:
    """Both together, row by row."""
    more, less = np.maximum(one, other), np.minimum(one, other)
    apart = np.minimum((more >> BITS) - (less >> BITS), 63).astype(np.uint64)
    mantissa = (more.view(np.uint64) & _MANTISSA) + ((less.view(np.uint64) & _MANTISSA) >> apart)
    over = mantissa >> _BITS
    mantissa >>= over
    return np.where(less == 0, more, _joined((more >> BITS) + over.astype(np.int64), mantissa))


def scaled(heat: Heats, times: int | Heats, parts: int = 0) -> Heats:
    """`heat` · `times` / 2^`parts`, row by row."""
    factors = np.broadcast_to(np.asarray(times, np.int64), heat.shape)
    lengths = np.maximum(_bit_lengths(factors), 1)
    product = (heat.view(np.uint64) & _MANTISSA) * factors.astype(np.uint64)
    longer = product >> (lengths + (BITS - 1)).astype(np.uint64)  # it has as many bits as both together, or one less
    shift = lengths - 1 + longer.astype(np.int64)
    exponent = (heat >> BITS) + shift - parts
    return np.where((product > 0) & (exponent > 0), _joined(exponent, product >> shift.astype(np.uint64)), 0)


def _joined(exponent: Any, mantissa: Any) -> Heats:
    joined: Heats = (exponent << BITS) | mantissa.astype(np.int64)
    return joined


def _bit_lengths(numbers: Heats) -> Heats:
    """Of small numbers, where a float is exact."""
    return np.frexp(numbers.astype(np.float64))[1].astype(np.int64)


FEW = 6
"""Looks before the column is sorted: a process that answers one question makes no more."""
ROW_BITS = 31
"""Of a row in the sorted column; a journal numbers its rows in so many."""


def latest_heats(journal: Journal, nodes: Sequence[int], step: int) -> dict[int, tuple[int, ...]]:
    """Number of a node → its heats by cause at a step, in the order of CAUSES."""
    if journal.rows(step) == len(journal.changes):
        at_end: _HeatsAtEnd = journal.growing("heats at the end", _HeatsAtEnd)
        if at_end.is_worth_it():
            return at_end.of(journal, nodes)
    looks: list[int] = journal.once("looks at heats", list)
    if len(looks) < FEW:
        looks.append(step)
        return journal.heats_of(nodes, step)
    upto, known = journal.rows(step), _sorted(journal)
    wanted = _key(np.repeat(np.asarray(nodes, np.int64), len(CAUSES)), np.tile(np.arange(len(CAUSES)), len(nodes)))
    places = np.searchsorted(known, wanted << ROW_BITS | upto) - 1
    there = (places >= 0) & (known[places] >> ROW_BITS == wanted) if len(known) else np.zeros(len(wanted), bool)
    found = np.zeros(len(wanted), np.int64)
    found[there] = journal.changes["value"][known[places[there]] & ((1 << ROW_BITS) - 1)]
    heats = found.reshape(len(nodes), len(CAUSES)).tolist()
    return {node: tuple(each) for node, each in zip(nodes, heats, strict=True)}


class _HeatsAtEnd:
    """The heats of all nodes at a journal's end, which go on with it: a server is asked at each new step, and to read
    all changes each time takes 1 ms for 150,000 of them."""

    def __init__(self) -> None:
        self._heats: Numbers = np.zeros((0, len(CAUSES) + 1), np.int64)
        self._rows = 0
        self._is_asked_again = False

    def is_worth_it(self) -> bool:
        """Whether this was asked before: a process that answers one question makes no table."""
        before, self._is_asked_again = self._is_asked_again, True
        return before

    def of(self, journal: Journal, nodes: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """What `latest_heats` gives at the end."""
        missing = len(journal.names) - len(self._heats)
        if missing > 0:
            room = np.zeros((missing + len(journal.names) // 4, len(CAUSES) + 1), np.int64)
            self._heats = np.concatenate([self._heats, room])
        node, cause, value = (journal.changes[name][self._rows :] for name in ("node", "cause", "value"))
        self._heats[node, cause] = value
        self._rows = len(journal.changes)
        heats = self._heats[np.asarray(nodes, np.int64), :-1].tolist()
        return {node: tuple(each) for node, each in zip(nodes, heats, strict=True)}

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first changes are what they were."""
        if sizes["changes"] < self._rows:
            self._heats[:], self._rows = 0, 0


def _sorted(journal: Journal) -> Numbers:
    found: Numbers = journal.once("changes by node", lambda: _sort(journal))
    return found


def _sort(journal: Journal) -> Numbers:
    changes = journal.changes
    keys = _key(changes["node"].astype(np.int64), changes["cause"])
    return np.sort(keys << ROW_BITS | np.arange(len(keys)))


def _key(nodes: Numbers, causes: Numbers) -> Numbers:
    found: Numbers = nodes * (len(CAUSES) + 1) + causes
    return found


class Warm(NamedTuple):
    """Changes that leave their nodes warm, there, and not sent away; side by side."""

    rows: Numbers
    tiers: Numbers
    scores: Numbers

    def where(self, these: Numbers) -> Warm:
        """Some of them."""
        return Warm(*(column[these] for column in self))


class _Place(NamedTuple):
    """What is warm after so many changes, ..."""

    warm: Warm
    ended: Numbers
    """... and the change that ended each."""


def warm_at(journal: Journal, step: int, least: int = 0) -> Warm:
    """The last change of all that is warm at a step; only of what comes first by its tier, or scores at least so much,
    for whoever asks for no more."""
    upto, after = journal.rows(step), journal.after
    known: dict[int, _Place] = journal.once("warm at places", dict)
    place = upto - upto % PLACES
    if place not in known:
        warm = _since(journal, 0, place, 0)
        known[place] = _Place(warm, after[warm.rows])
    before, ended = known[place]
    before = before.where(np.nonzero((ended >= upto) & _matters(before.tiers, before.scores, least))[0])
    return Warm(*map(np.concatenate, zip(before, _since(journal, place, upto, least), strict=True)))


def warm_among(rows: Numbers, tiers: Numbers, scores: Numbers) -> Warm:
    """Those of some changes that leave their nodes warm."""
    return Warm(rows, tiers, scores).where(_matters(tiers, scores, 0))


def _since(journal: Journal, begin: int, upto: int, least: int) -> Warm:
    """The same of the changes from one on that none of the first so many ended."""
    rows = journal.lasting(begin, upto)
    tiers, scores = journal.changes["tier"][rows], journal.changes["score"][rows]
    at = np.nonzero(_matters(tiers, scores, least))[0]
    return Warm(rows[at], tiers[at], scores[at])


def _matters(tiers: Numbers, scores: Numbers, least: int) -> Numbers:
    """Which of them are warm, and come first by their tiers or score at least so much."""
    found: Numbers = (tiers < AWAY) & ((scores >= max(least, 1)) | (tiers <= ANCHOR))
    return found
