"""`missing NODE --lens host`: since when a context knew a node, and each time it lost it and got it back, with why."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ccos_core.query.hosted.happening import Counted, Happening, Witness, often, standing_in
from ccos_core.query.hosted.whose import Whose, chosen, watched_there
from ccos_core.query.spoken import Spoken
from ccos_core.query.telling import Run, told_runs
from ccos_core.replay.residency.runs import STATES, runs
from ccos_core.state.holding import PATCHED

if TYPE_CHECKING:
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class AgentMissing:
    """When a node was in the agent's window, and why not."""

    whose: Whose
    state: str
    """What it is at the cursor."""

    since: int
    """Since which step it is that."""

    patched: bool
    """Whether an edit is what showed it there, or part of it."""

    tokens: int
    """What is held of it at the cursor, ..."""

    delivered: int
    """... and the step of the last delivery that counts; 0 where none does."""

    counted: Counted | None
    """How full the context was then, as the host said."""

    runs: tuple[Run, ...]
    """Its state at every step, from step 0 to the last: `unborn` until something of it came into this context, `in`,
    `partial`, `stale`, `uncertain`, `out`, and `gone` where it isn't in the graph any more."""

    lost: int
    """How often it was worth less than before, ..."""

    came: int
    """... and how often more."""

    happenings: tuple[Happening, ...]
    """The last of them, in order."""

    unsaid: bool = False
    """Of words: whether the user never said them."""


def agent_missing(
    timeline: Timeline, at: int, *, node: str, lens: str, limit: int, session: str | None, context: str | None
) -> tuple[Watched, AgentMissing]:
    """Tell when a node was in a context of the agent, and why not."""
    number, whose = chosen(timeline, at, lens, session, context)
    seen = watched_there(timeline, node, at, number, lens)
    stretches = runs(seen.residency.states(0, 0, timeline.head))
    here = next(each for each in stretches if each[0] <= at <= each[1])
    turns = [(now[0], before[2], now[2]) for before, now in pairwise(stretches)]
    lost, came = often(stretches)
    witness = Witness(timeline, number)
    standing = standing_in(seen).standing(at)
    return seen, AgentMissing(
        whose=whose,
        state=STATES[here[2]],
        since=here[0],
        patched=standing.state == PATCHED,
        tokens=standing.tokens,
        delivered=standing.step,
        counted=witness.counted(at),
        runs=told_runs(stretches),
        lost=lost,
        came=came,
        happenings=tuple(witness.told(seen, *turn) for turn in turns[-limit:]),
        unsaid=isinstance(seen.residency, Spoken) and not seen.residency.by_user,
    )
