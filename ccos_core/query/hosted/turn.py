"""`last NODE` and `next NODE` with `--lens host`: run to where a context began to hold a node otherwise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.query.hosted.happening import Happening, Witness
from ccos_core.query.hosted.whose import Whose, chosen, watched_there
from ccos_core.replay.residency.runs import STATES, turns

if TYPE_CHECKING:
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What became of a node in the agent's window."""

    whose: Whose
    happening: Happening | None
    """What happened there; None where there is no such change."""


def agent_turn(
    timeline: Timeline, at: int, node: str, forward: bool, lens: str, session: str | None, context: str | None
) -> tuple[Watched, int | None, str, str, AgentTurn]:
    """Find the next change of a node in a context, or the last one: its step and the states around it."""
    number, whose = chosen(timeline, at, lens, session, context)
    seen = watched_there(timeline, node, at, number, lens)
    states = seen.residency.states(0, 0, timeline.head)
    every = turns(states).tolist()
    place = bisect_right(every, at) if forward else bisect_left(every, at) - 1
    if not 0 <= place < len(every):
        here = STATES[int(states[at])]
        return seen, None, here, here, AgentTurn(whose, None)
    step = every[place]
    before, after = int(states[step - 1]), int(states[step])
    happening = Witness(timeline, number).told(seen, step, before, after)
    return seen, step, STATES[before], STATES[after], AgentTurn(whose, happening)
