"""What is warm at a step: looked for behind the last of the places at which that is known.

Whether a change leaves its node warm, in which tier and with which score, stands in the change and stays so; time
decides only whether it is still the last one of its node. So what was warm at a place is kept beside the change that
ended each, and of all that was cold or gone nobody hears again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import PLACES, Journal
from ccos_core.state.world import ANCHOR, AWAY


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
        warm = _warm(journal, journal.lasting(0, place))
        known[place] = _Place(warm, after[warm.rows])
    before, ended = known[place]
    before = before.where(np.nonzero((ended >= upto) & _matters(before, least))[0])
    since = _warm(journal, journal.lasting(place, upto))
    since = since.where(_matters(since, least))
    return Warm(*map(np.concatenate, zip(before, since, strict=True)))


def warm_among(rows: Numbers, tiers: Numbers, scores: Numbers) -> Warm:
    """Those of some changes that leave their nodes warm."""
    return Warm(rows, tiers, scores).where((tiers < AWAY) & ((scores > 0) | (tiers <= ANCHOR)))


def _matters(warm: Warm, least: int) -> Numbers:
    found: Numbers = (warm.tiers <= ANCHOR) | (warm.scores >= least)
    return found


def _warm(journal: Journal, rows: Numbers) -> Warm:
    return warm_among(rows, journal.changes["tier"][rows], journal.changes["score"][rows])
