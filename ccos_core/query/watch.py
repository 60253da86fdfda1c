"""`watch NODE`: the residency of a node over a whole session, in figures and as a strip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.query.hosted import watch as hosted
from ccos_core.query.hosted.both import Compared, compared
from ccos_core.query.hosted.watch import HostWatch
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.leaving import crossed, looked_at
from ccos_core.query.missing import LIMIT
from ccos_core.query.question import BOTH, THEIRS, Argument, Question
from ccos_core.query.telling import Looked, Run, shares, told_runs
from ccos_core.replay.residency.lens import WORKING_SET, watched
from ccos_core.replay.residency.runs import STATES, InWorkingSet, runs
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark


@dataclass(frozen=True, slots=True)
class Share:
    """How long a node was something."""

    state: str
    steps: int


@dataclass(frozen=True, slots=True)
class Absence:
    """Steps at which nothing of a node was in, though something of it had been."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Watch:
    """The answer to `watch`."""

    schema: ClassVar[str] = "ccos.watch/1"
    node: str
    lens: str
    budget: int
    at: int
    """Where the cursor stands."""

    head: int
    """The last step there is."""

    state: str
    """What the node is at the cursor."""

    shares: tuple[Share, ...]
    """Steps, step 0 included, by what it was; only what it ever was."""

    evicted: int
    """How often it left, ..."""

    entered: int
    """... and how often it came in, the first time included."""

    longest: Absence | None
    """The longest time it was away, as far as that was looked at; of equals the first."""

    runs: tuple[Run, ...]

    looked: Looked | None = None
    """How many moments were looked at, in windows about a text; in others every step is known."""


@dataclass(frozen=True, slots=True)
class BothWatch:
    """The answer to `watch` in both windows."""

    schema: ClassVar[str] = "ccos.both-watch/1"
    ours: Watch
    theirs: HostWatch
    compared: Compared


def watch(
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
) -> Watch | HostWatch | BothWatch:
    """How long a node was in the windows of a lens, and how often it was not."""
    if not is_theirs(lens):
        return ours(timeline, at, node=node, lens=lens, budget=budget, progress=progress, marks=marks)
    theirs = hosted.watch(timeline, at, node=node, lens=lens, session=session, context=context)
    if lens != BOTH:
        return theirs
    own = ours(timeline, at, node=node, lens=WORKING_SET, budget=budget, progress=progress)
    gaps = compared(timeline, at, node=node, budget=budget, limit=LIMIT, session=session, context=context)
    return BothWatch(own, theirs, gaps)


def ours(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    marks: Sequence[Mark] = (),
) -> Watch:
    """The same in a window of ours."""
    seen = watched(timeline, node, lens, at, progress, marks)
    if isinstance(seen.residency, InWorkingSet):
        seen.residency.foresee(budget)
    stretches = runs(seen.residency.states(budget, 0, timeline.head))
    left, came = crossed(stretches)
    away = [Absence(each.step, each.until - 1 if each.until else timeline.head) for each in left]
    return Watch(
        node=seen.name(at),
        lens=lens,
        budget=budget,
        at=at,
        head=timeline.head,
        state=next(STATES[state] for first, last, state in stretches if first <= at <= last),
        shares=tuple(Share(*share) for share in shares(stretches)),
        evicted=len(left),
        entered=len(came),
        longest=max(away, key=lambda each: each.last - each.first, default=None),
        runs=told_runs(stretches),
        looked=looked_at(seen),
    )


def entered(answer: Watch | HostWatch | BothWatch) -> int:
    """How often it came in, into any of the windows that were asked about."""
    if isinstance(answer, BothWatch):
        return answer.ours.entered + answer.theirs.came
    return answer.entered if isinstance(answer, Watch) else answer.came


QUESTION = Question(
    ask=watch,
    answers=(Watch, HostWatch, BothWatch),
    example="watch src/db.py",
    arguments=(
        Argument("node", "node", "file or symbol", required=True),
        Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=THEIRS),
        Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
        *WHOSE,
    ),
    needs=("progress", "marks"),
    nothing=lambda answer: not entered(answer),
)
