"""`missing NODE [BUDGET]`: since when a node is in the graph, and every time it left a window and came back, with why.

The window of the working set is looked at by entry budgets, so any budget can be asked about; other lenses show less of
the why. Where there are many, the last are told in full; how many there were, and when, is always told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.query.hosted.both import Compared, compared
from ccos_core.query.hosted.missing import AgentMissing, agent_missing
from ccos_core.query.hosted.whose import WHOSE, is_theirs, item_called
from ccos_core.query.leaving import Entrance, Eviction, crossed, looked_at, witness_of
from ccos_core.query.missing_rows import missing_rows
from ccos_core.query.question import BOTH, THEIRS, Argument, Question
from ccos_core.query.telling import Looked, Run, Told, told_runs
from ccos_core.query.whereby import Telling
from ccos_core.replay.residency.lens import WORKING_SET, watched
from ccos_core.replay.residency.runs import STATES, UNBORN, runs
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.residency.runs import Run as Stretch
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

LIMIT = 20
"""Evictions, and entrances, that are told in full by default."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a node was called."""

    node: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SuggestedMissing:
    """When a node was in a suggested window, and why not."""

    lens: str
    budget: int
    born: Told | None
    """How it came into the graph; None where it never did."""

    state: str
    """What it is at the cursor."""

    since: int
    """Since which step it is that."""

    runs: tuple[Run, ...]
    """Its state at every step, from step 0 to the last: `unborn`, `in`, `partial`, `out`, `gone`; of windows about a
    text `not looked at` as well."""

    evicted: int
    """How often it left, ..."""

    entered: int
    """... and how often it came in, the first time included."""

    evictions: tuple[Eviction, ...]
    """The last of them, in order."""

    entrances: tuple[Entrance, ...]

    looked: Looked | None = None
    """How many moments were looked at, in windows about a text; in others every step is known."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The answer to `missing`: about a suggested window, about the agent's, or about both."""

    schema: ClassVar[str] = "ccos.missing/2"
    node: str
    """Its name at the cursor."""

    at: int
    """Where the cursor stands."""

    head: int
    """The last step there is."""

    names: tuple[Called, ...]
    """What it was called, from step 0 to the last; a renamed source is the same one."""

    limit: int
    """How many changes are told in full; 0 where all are."""

    suggested: SuggestedMissing | None
    agent: AgentMissing | None
    compared: Compared | None
    """If both windows were asked about: what the suggested one held and the agent's had lost."""

    item: str = ""
    """What an item of the agent's window is called, or what a statement says; empty for code."""

    def as_rows(self, view: View) -> list[Row]:
        return missing_rows(self, view)


def missing(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    budget: int,
    lens: str,
    limit: int,
    progress: Callable[[int, int], None],
    marks: Sequence[Mark] = (),
    session: str | None = None,
    context: str | None = None,
) -> Missing:
    """Tell when a node was in the windows of a lens, and why not."""
    seen, suggested, agent, gaps = None, None, None, None
    if not is_theirs(lens) or lens == BOTH:
        seen = watched(timeline, node, WORKING_SET if lens == BOTH else lens, at, progress, marks)
        suggested = _suggested(timeline, at, seen, budget, limit)
    if is_theirs(lens):
        seen, agent = agent_missing(timeline, at, node=node, lens=lens, limit=limit, session=session, context=context)
    if lens == BOTH:
        gaps = compared(timeline, at, node=node, budget=budget, limit=limit, session=session, context=context)
    assert seen is not None
    names = tuple(Called(*name) for name in seen.names)
    name = seen.name(at)
    return Missing(name, at, timeline.head, names, limit, suggested, agent, gaps, item_called(timeline, name, at))


def _suggested(timeline: Timeline, at: int, seen: Watched, budget: int, limit: int) -> SuggestedMissing:
    stretches = runs(seen.residency.states(budget, 0, timeline.head))
    left, came = crossed(stretches)
    here = next(each for each in stretches if each[0] <= at <= each[1])
    born = _born(timeline, seen, stretches)
    witness = witness_of(timeline, seen, budget)
    return SuggestedMissing(
        lens=seen.lens,
        budget=budget,
        born=born,
        state=STATES[here[2]],
        since=max(here[0], born.step) if born is not None and here[2] != UNBORN else here[0],
        runs=told_runs(stretches),
        evicted=len(left),
        entered=len(came),
        evictions=tuple(witness.evicted(each) for each in left[-limit:]),
        entrances=tuple(witness.entered(each) for each in came[-limit:]),
        looked=looked_at(seen),
    )


def _born(timeline: Timeline, seen: Watched, stretches: Sequence[Stretch]) -> Told | None:
    """Return the op that brought the node into the graph. Of a look at several files it is the op about this one, which
    may stand behind the step at which the look begins."""
    if stretches[-1][2] == UNBORN:
        return None
    step = stretches[0][1] + 1
    return Telling(timeline).of(step, seen.name(step))


def entered(answer: Missing) -> int:
    """Count how often it came in, into any of the windows that were asked about."""
    return (answer.suggested.entered if answer.suggested else 0) + (answer.agent.came if answer.agent else 0)


QUESTION = Question(
    ask=missing,
    answers=(Missing,),
    example="missing src/db.py 40",
    arguments=(
        Argument("node", "node", "file or symbol", required=True),
        Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET),
        Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=THEIRS),
        Argument(
            "limit", "count", "how many of the last evictions to explain; 0 explains all", default=LIMIT, flag=True
        ),
        *WHOSE,
    ),
    about="It covers the whole session, wherever the cursor is. A file is in the window if its own node is, and "
    "partly if only some of its symbols are. The agent's window (`--lens host`) has no budget: the answer "
    "names the steps that showed the node, dropped it, or changed it without the agent seeing it. `--lens "
    "both` shows what the suggested window held while the agent's window had lost it. A window about a "
    "text is computed at 200 moments at most (fewer on trees of more than 1,500 files), those where something "
    "relevant changed; the answer tells how "
    "many.",
    needs=("progress", "marks"),
    nothing=lambda answer: not entered(answer),
)
