"""`energy A B`: the heat that moved between two steps, node by node and by its cause, with the ops that moved it.

All of it is counted in reads: 1.00 is what a fresh read gives at the later step, other causes by their weight. Nothing
cools by itself in this figure, for it is taken as of one step: heat given before A is worth the same at both ends, only
less than it was at A (`fade` tells how much less). So what isn't touched in between hasn't moved, and heat falls only
where a failure ends, or is told anew of another place. What was renamed in between keeps its heat, and hasn't moved
either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.measure import hundredths, impulse_at
from ccos_core.replay.movement import Movement, Push
from ccos_core.replay.warmth import warmth
from ccos_core.state.rules import CAUSES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 12
"""Nodes that are told where nobody says how many."""
OPS = 3
"""Ops that are told of each."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Heat of one cause, in hundredths of a read."""

    cause: str
    """`read`, `edit`, `engaged`, or `failure`: the pressure of what fails."""

    moved: int
    """What came, less what went."""


@dataclass(frozen=True, slots=True)
class Mover:
    """An op, and what it moved of a node."""

    moved: int
    """In hundredths of a read."""

    causes: tuple[str, ...]
    op: Told


@dataclass(frozen=True, slots=True)
class Moved:
    """A node whose heat is another."""

    node: str
    """Its name at the later step."""

    before: int
    """Its heat at the first step, in hundredths of a read at the later one, ..."""

    after: int
    """... and at the later one."""

    moved: int
    causes: tuple[Cause, ...]
    """By cause; their sum is what moved."""

    ops: tuple[Mover, ...]
    """What moved it most, the most first; of equals what came last."""

    more: int
    """Ops that moved it besides."""

    course: tuple[int, ...]
    """How warm it was through the whole record, in as many columns as were asked for: the most of each. Its score in
    hundredths of a fresh read of a plain function at that very step, as `overview` tells the hottest of all."""


@dataclass(frozen=True, slots=True)
class Energy:
    """The answer to `energy`."""

    schema: ClassVar[str] = "ccos.energy/1"
    first: int
    last: int
    fade: int
    """What an impulse given at the first step is worth at the later one, in hundredths."""

    gained: int
    """The sum of what nodes gained, in hundredths of a read, ..."""

    lost: int
    """... and of what others lost."""

    totals: tuple[Cause, ...]
    """All that moved, by cause."""

    moved: int
    """How many nodes moved."""

    nodes: tuple[Moved, ...]
    """The first of them: what moved most, by name where it is the same."""


def energy(timeline: Timeline, at: int, *, span: tuple[int, int], limit: int, columns: int) -> Energy:
    """What moved between two steps, whichever was said first."""
    first, last = min(span), max(span)
    begin, end, journal = timeline.at(first).last, timeline.at(last).last, timeline.journal
    movement = Movement(timeline, begin, end)
    by = movement.after - movement.before
    moved = by.sum(axis=1)
    nodes = [(node, warmth(timeline, node, end, columns) if columns else ()) for node in movement.most(limit)]
    return Energy(
        first=first,
        last=last,
        fade=hundredths(impulse_at(journal, begin), impulse_at(journal, end)),
        gained=int(moved[moved > 0].sum()),
        lost=int(moved[moved < 0].sum()),
        totals=_causes(by.sum(axis=0).tolist()),
        moved=int(np.count_nonzero(np.any(by != 0, axis=1))),
        nodes=tuple(_told(movement, node, course, Telling(timeline)) for node, course in nodes),
    )


def _told(movement: Movement, node: str, course: tuple[int, ...], telling: Telling) -> Moved:
    before, after = movement.ends(node)
    pushes = sorted(movement.pushes(node), key=lambda push: (-abs(sum(push.moved)), -push.step))
    return Moved(
        node=node,
        before=sum(before),
        after=sum(after),
        moved=sum(after) - sum(before),
        causes=_causes([now - was for was, now in zip(before, after, strict=True)]),
        ops=tuple(_mover(push, node, telling) for push in pushes[:OPS]),
        more=max(0, len(pushes) - OPS),
        course=course,
    )


def _mover(push: Push, node: str, telling: Telling) -> Mover:
    causes = tuple(cause for cause, moved in zip(CAUSES, push.moved, strict=True) if moved)
    return Mover(sum(push.moved), causes, telling.of(push.step, node))


def _causes(moved: Sequence[int]) -> tuple[Cause, ...]:
    return tuple(Cause(cause, each) for cause, each in zip(CAUSES, moved, strict=True) if each)


QUESTION = Question(
    ask=energy,
    answers=(Energy,),
    example="energy 4 9",
    arguments=(
        Argument("span", "span", "from which step to which", required=True),
        Argument("limit", "count", "nodes to tell; 0 tells all", default=LIMIT, flag=True),
        Argument(
            "columns",
            "count",
            "columns of how warm each was, from the first step to the last; 0 tells none",
            default=0,
            flag=True,
        ),
    ),
    nothing=lambda answer: not answer.nodes,
    about="Counted in reads: 1.00 is what a fresh read gives at the later step. What isn't touched doesn't move.",
)
