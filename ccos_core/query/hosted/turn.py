"""`last NODE` and `next NODE` with `--lens host`: run to where a context began to hold a node otherwise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.query.hosted.happening import Happening, Witness
from ccos_core.query.hosted.whose import Whose, chosen, watched_there
from ccos_core.replay.residency.runs import STATES, turns

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class HostTurn:
    """The answer to `last NODE` and `next NODE` in a host's window."""

    schema: ClassVar[str] = "ccos.host-turn/1"
    node: str
    whose: Whose
    at: int
    """Where the cursor stood."""

    step: int | None
    """Where it stands now; nothing where there is no such change, and it stays."""

    wall: str
    """`start` or `end`, where that is what one ran into."""

    state: str
    """What the node is where the cursor stands now."""

    happening: Happening | None
    """What happened there."""


def turned(
    timeline: Timeline, at: int, node: str, *, forward: bool, lens: str, session: str | None, context: str | None
) -> HostTurn:
    """To where something becomes of a node in a context, or became of it."""
    number, whose = chosen(timeline, lens, session, context)
    seen = watched_there(timeline, node, at, number, lens)
    states = seen.residency.states(0, 0, timeline.head)
    every = turns(states).tolist()
    place = bisect_right(every, at) if forward else bisect_left(every, at) - 1
    if not 0 <= place < len(every):
        return HostTurn(seen.name(at), whose, at, None, "end" if forward else "start", STATES[int(states[at])], None)
    step = every[place]
    before, state = int(states[step - 1]), int(states[step])
    told = Witness(timeline, number).told(seen, step, before, state)
    return HostTurn(seen.name(step), whose, at, step, "", STATES[state], told)
