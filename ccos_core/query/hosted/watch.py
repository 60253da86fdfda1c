"""`watch NODE --lens host`: how long a context held a node, over the whole session, in figures and as a strip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.query.hosted.happening import often
from ccos_core.query.hosted.whose import Whose, chosen, watched_there
from ccos_core.query.telling import Run, shares, told_runs
from ccos_core.replay.residency.runs import IN, PARTIAL, STATES, UNBORN, runs

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Share:
    """How long a node was something."""

    state: str
    steps: int


@dataclass(frozen=True, slots=True)
class AgentWatch:
    """How long a node was in the agent's window."""

    whose: Whose
    state: str
    """What the node is at the cursor."""

    shares: tuple[Share, ...]
    """Steps, step 0 included, by what it was; only what it ever was."""

    lost: int
    """How often it was worth less than before, ..."""

    came: int
    """... and how often more."""

    longest: Run | None
    """The longest time in which something of it was known and none of it was in; of equals the first."""

    runs: tuple[Run, ...]


def agent_watch(
    timeline: Timeline, at: int, *, node: str, lens: str, session: str | None, context: str | None
) -> tuple[str, AgentWatch]:
    """Return what the node is called, and how long it was in a context of the agent."""
    number, whose = chosen(timeline, at, lens, session, context)
    seen = watched_there(timeline, node, at, number, lens)
    stretches = runs(seen.residency.states(0, 0, timeline.head))
    lost, came = often(stretches)
    away = [Run(first, last, STATES[state]) for first, last, state in stretches if state not in (IN, PARTIAL, UNBORN)]
    return seen.name(at), AgentWatch(
        whose=whose,
        state=next(STATES[state] for first, last, state in stretches if first <= at <= last),
        shares=tuple(Share(*share) for share in shares(stretches)),
        lost=lost,
        came=came,
        longest=max(away, key=lambda each: each.last - each.first, default=None),
        runs=told_runs(stretches),
    )
