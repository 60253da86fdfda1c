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
