"""`last NODE` and `next NODE`: run back or on to where the residency of a node changed. The reverse watchpoint.

Only as many steps are looked at as it takes. Where there is no further change the cursor stays, and is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.query.hosted import turn as hosted
from ccos_core.query.hosted.turn import HostTurn
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.leaving import Came, Entrance, Eviction, Left, witness_of
from ccos_core.query.question import DELIVERED, HOST, Argument, Question
from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.residency.lens import WORKING_SET, Watched, unheard, watched
from ccos_core.replay.residency.runs import STATES, WITHIN, turns
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

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


def last(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    session: str | None = None,
    context: str | None = None,
) -> Turn | HostTurn:
    """Back to where something became of a node."""
    if is_theirs(lens):
        return hosted.turned(timeline, at, node, forward=False, lens=lens, session=session, context=context)
    return turned(timeline, at, node, forward=False, lens=lens, budget=budget, progress=progress)


def turned(
    timeline: Timeline,
    at: int,
    node: str,
    *,
    forward: bool,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None] = unheard,
) -> Turn:
    """To where something becomes of a node, or became of it."""
    seen = watched(timeline, node, lens, at, progress)
    step = (_later if forward else _earlier)(seen, budget, at, timeline.head)
    if step is None:
        state = STATES[int(seen.residency.states(budget, at, at)[0])]
        wall = "end" if forward else "start"
        return Turn(seen.name(at), lens, budget, at, None, wall, state, state, None, None, None)
    before, after = seen.residency.states(budget, step - 1, step).tolist()
    eviction, entrance = _told(timeline, seen, budget, step, before, after)
    op = eviction.op if eviction else entrance.op if entrance else Telling(timeline).of(step, seen.name(step))
    states = STATES[before], STATES[after]
    return Turn(seen.name(step), lens, budget, at, step, "", *states, op, eviction, entrance)


def _told(
    timeline: Timeline, seen: Watched, budget: int, step: int, before: int, after: int
) -> tuple[Eviction | None, Entrance | None]:
    if (before in WITHIN) == (after in WITHIN):
        return None, None
    witness = witness_of(timeline, seen, budget)
    if after in WITHIN:
        return None, witness.entered(Came(step, after))
    return witness.evicted(Left(step, after, _back(seen, budget, step, timeline.head))), None


def _back(seen: Watched, budget: int, step: int, head: int) -> int | None:
    """The step after `step` at which something of the node is in again."""
    while True:
        later = _later(seen, budget, step, head)
        if later is None or int(seen.residency.states(budget, later, later)[0]) in WITHIN:
            return later
        step = later


def _later(seen: Watched, budget: int, at: int, head: int) -> int | None:
    """The first step behind `at` at which the state became another."""
    size = FEWEST
    while at < head:
        end = min(at + size, head)
        if len(found := turns(seen.residency.states(budget, at, end))):
            return at + int(found[0])
        at, size = end, 4 * size
    return None


def _earlier(seen: Watched, budget: int, at: int, _: int) -> int | None:
    """The last step before `at` at which it did."""
    end, size = at - 1, FEWEST
    while end > 0:
        begin = max(end - size, 0)
        if len(found := turns(seen.residency.states(budget, begin, end))):
            return begin + int(found[-1])
        end, size = begin, 4 * size
    return None


QUESTIONS = {
    "last": Question(
        ask=last,
        answers=(Turn, HostTurn),
        example="last src/db.py",
        arguments=(
            Argument("node", "node", "the node", required=True),
            Argument("lens", "lens", "in whose window", default=WORKING_SET, flag=True, further=(HOST, DELIVERED)),
            Argument("budget", "budget", "tokens of that window", default=DEFAULT_BUDGET, flag=True),
            *WHOSE,
        ),
        about="Goes back to the step at which a node came into the window, left it, or came into being.",
        needs=("progress",),
        moves=lambda answer: answer.step,
        nothing=lambda answer: answer.step is None,
    ),
}
