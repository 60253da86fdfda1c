"""`last NODE` and `next NODE`: run back or on to where the residency of a node changed. The reverse watchpoint.

Only as many steps are looked at as it takes. Where there is no further change the cursor stays, and is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ccos_core.query.hosted import turn as hosted
from ccos_core.query.hosted.turn import HostTurn
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.leaving import Came, Entrance, Eviction, Left, looked_at, witness_of
from ccos_core.query.question import DELIVERED, HOST, Argument, Question
from ccos_core.query.telling import Looked, Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.residency.lens import WORKING_SET, Watched, unheard, watched
from ccos_core.replay.residency.runs import NOT_LOOKED_AT, STATES, WITHIN, turns
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

FEWEST = 500
"""Steps that are looked at first; then four times as many, and so on."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to `last NODE` and `next NODE`."""

    schema: ClassVar[str] = "ccos.turn/1"
    node: str
    lens: str
    budget: int
    at: int
    """Where the cursor stood."""

    step: int | None
    """Where it stands now; nothing where there is no such change, and it stays."""

    wall: str
    """`start` or `end`, where that is what one ran into."""

    before: str
    """What the node was before that step, or where there is none, all the way: `unborn`, `in`, `partial`, `out`,
    `gone`, ..."""

    after: str
    """What it is from there on."""

    op: Told | None
    """What happened there."""

    eviction: Eviction | None
    """How it left, if it did, ..."""

    entrance: Entrance | None
    """... or how it came in."""

    looked: Looked | None = None
    """How many moments were looked at, in windows about a text; in others every step is known."""


def last(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    marks: Sequence[Mark] = (),
    session: str | None = None,
    context: str | None = None,
) -> Turn | HostTurn:
    """Back to where something became of a node."""
    if is_theirs(lens):
        return hosted.turned(timeline, at, node, forward=False, lens=lens, session=session, context=context)
    return turned(timeline, at, node, forward=False, lens=lens, budget=budget, progress=progress, marks=marks)


def turned(
    timeline: Timeline,
    at: int,
    node: str,
    *,
    forward: bool,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None] = unheard,
    marks: Sequence[Mark] = (),
) -> Turn:
    """To where something becomes of a node, or became of it."""
    seen = watched(timeline, node, lens, at, progress, marks)
    here = int(seen.residency.states(budget, at, at)[0])
    found = (_later if forward else _earlier)(seen, budget, at, timeline.head)
    if found is None:
        state = STATES[here]
        wall = "end" if forward else "start"
        return Turn(seen.name(at), lens, budget, at, None, wall, state, state, None, None, None, looked_at(seen))
    eviction, entrance = _told(timeline, seen, budget, found)
    step = found.step
    op = eviction.op if eviction else entrance.op if entrance else Telling(timeline).of(step, seen.name(step))
    states = STATES[found.before], STATES[found.after]
    return Turn(seen.name(step), lens, budget, at, step, "", *states, op, eviction, entrance, looked_at(seen))


class Change(NamedTuple):
    """The state of a node became another."""

    step: int
    before: int
    after: int
    known: int | None
    """The last step at which it was still known to be `before`, where that isn't the step before."""


def _told(timeline: Timeline, seen: Watched, budget: int, change: Change) -> tuple[Eviction | None, Entrance | None]:
    step, before, after, known = change
    if (before in WITHIN) == (after in WITHIN):
        return None, None
    witness = witness_of(timeline, seen, budget)
    if after in WITHIN:
        return None, witness.entered(Came(step, after, known))
    return witness.evicted(Left(step, after, _back(seen, budget, step, timeline.head), known)), None


def _back(seen: Watched, budget: int, step: int, head: int) -> int | None:
    """The step after `step` at which something of the node is in again."""
    while (later := _later(seen, budget, step, head)) is not None:
        if later.after in WITHIN:
            return later.step
        step = later.step
    return None


def _later(seen: Watched, budget: int, at: int, head: int) -> Change | None:
    """The first change behind `at`."""
    size = FEWEST
    while at < head:
        end = min(at + size, head)
        states = seen.residency.states(budget, at, end)
        if len(found := turns(states)):
            return _change(states, at, int(found[0]))
        at, size = end, 4 * size
    return None


def _earlier(seen: Watched, budget: int, at: int, _: int) -> Change | None:
    """The last change before `at`."""
    end, size = at - 1, FEWEST
    while end > 0:
        begin = max(end - size, 0)
        states = seen.residency.states(budget, begin, end)
        if len(found := turns(states)):
            return _change(states, begin, int(found[-1]))
        end, size = begin, 4 * size
    return None


def _change(states: Numbers, first: int, place: int) -> Change:
    """The change at a place of some states, the first of which is that of step `first`."""
    known = int(np.flatnonzero(states[:place] != NOT_LOOKED_AT)[-1])
    exact = known + 1 == place
    return Change(first + place, int(states[known]), int(states[place]), None if exact else first + known)


QUESTIONS = {
    "last": Question(
        ask=last,
        answers=(Turn, HostTurn),
        example="last src/db.py",
        arguments=(
            Argument("node", "node", "file or symbol", required=True),
            Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=(HOST, DELIVERED)),
            Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
            *WHOSE,
        ),
        about="A change is a step at which the node entered the window, left it, or was first recorded.",
        needs=("progress", "marks"),
        moves=lambda answer: answer.step,
        nothing=lambda answer: answer.step is None,
    ),
}
