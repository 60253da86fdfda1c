"""`--lens both`: our working set beside the window the host really had, and what ours held that theirs had lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.hosted.happening import Happening, Witness
from ccos_core.query.hosted.whose import chosen, names_of, watched_there
from ccos_core.query.question import HOST
from ccos_core.query.telling import Told
from ccos_core.replay.renames import name_at
from ccos_core.replay.residency.hosted import Hosted
from ccos_core.replay.residency.lens import WORKING_SET, watched
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, STALE, STATES, UNBORN, UNCERTAIN, runs, turns

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.linearize import Item

HELD, LOST = (IN, PARTIAL), (OUT, STALE, UNCERTAIN)
"""States in which a window shows a node as it is, and in which one that knew it doesn't any more, for sure."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Steps at which our window held a node, and theirs had lost it."""

    first: int
    last: int
    state: str
    """What it was in theirs: `out`, `stale`, `uncertain`."""

    by: Happening
    """How theirs came to that."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A node in both windows, over the whole session."""

    gaps: tuple[Gap, ...]
    """Where ours held it and theirs had lost it, in order; of many the last, ..."""

    more: int
    """... and how many there were before."""

    lost: int
    """Steps of all of them together, ..."""

    never: int
    """... steps at which ours held it and theirs had never been shown it, ..."""

    behind: int
    """... steps at which theirs held it and ours did not, ..."""

    together: int
    """... and steps at which both held it."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Something our window holds at a step, and theirs had and lost."""

    node: str
    level: str
    """How ours shows it."""

    tokens: int
    """What that takes there."""

    state: str
    """What it is in theirs: `out`, `stale`, `uncertain`."""

    since: int
    what: str
    """Since when, and what made it that, as in `missing`."""

    op: Told
    """By which op."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """What our window holds at a step, by what theirs holds of it."""

    lost: tuple[Lost, ...]
    """What theirs had lost, in the order of our window."""

    held: int
    """How many of our items theirs holds as well, in whole or in part, ..."""

    never: int
    """... and how many it was never shown."""


def compared(
    timeline: Timeline, at: int, *, node: str, budget: int, limit: int, session: str | None, context: str | None
) -> Compared:
    """A node in our working set beside a context of the host, step by step."""
    number, _ = chosen(timeline, at, HOST, session, context)
    theirs = watched_there(timeline, node, at, number, HOST)
    ours_in = np.isin(watched(timeline, node, WORKING_SET, at).residency.states(budget, 0, timeline.head), HELD)
    states = theirs.residency.states(0, 0, timeline.head)
    lost = ours_in & np.isin(states, LOST)
    stretches = [each for each in runs(np.where(lost, states, UNBORN)) if each[2] != UNBORN]
    witness, every = Witness(timeline, number), turns(states)
    gaps = []
    for first, last, state in stretches[-limit:]:
        since = int(every[int(np.searchsorted(every, first, side="right")) - 1])
        gaps.append(Gap(first, last, STATES[state], witness.told(theirs, since, int(states[since - 1]), state)))
    theirs_in = np.isin(states, HELD)
    return Compared(
        gaps=tuple(gaps),
        more=len(stretches) - len(gaps),
        lost=int(np.count_nonzero(lost)),
        never=int(np.count_nonzero(ours_in & (states == UNBORN))),
        behind=int(np.count_nonzero(theirs_in & ~ours_in)),
        together=int(np.count_nonzero(theirs_in & ours_in)),
    )


def overlap(timeline: Timeline, at: int, items: Iterable[Item], *, session: str | None, context: str | None) -> Overlap:
    """What a context of the host holds, at a step, of these items of a window of ours."""
    number, _ = chosen(timeline, at, HOST, session, context)
    witness = Witness(timeline, number)
    lost, held, never = [], 0, 0
    for item in items:
        names = names_of(timeline, item.uri, at)
        state, since, before = Hosted(timeline.journal, names, number).lately(at)
        held += state in HELD
        never += state == UNBORN
        if state in LOST:
            what, op = witness.what(since, name_at(names, since), before, state)
            lost.append(Lost(item.uri, item.level, item.tokens, STATES[state], since, what, op))
    return Overlap(tuple(lost), held, never)
