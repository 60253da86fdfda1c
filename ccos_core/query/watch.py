"""`watch NODE`: the residency of a node over a whole session, in figures and as a strip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.parts import legend, looked, skipped, strip, times
from ccos_core.present.rows import Part, Row, Span, View, note, row, table, title
from ccos_core.present.words import STATES as SIGNS
from ccos_core.present.words import count
from ccos_core.query.hosted.both import Compared, compared
from ccos_core.query.hosted.both_rows import gap_words, two_strips
from ccos_core.query.hosted.rows import item_title, often, state_words, window_words
from ccos_core.query.hosted.rows import legend as agent_legend
from ccos_core.query.hosted.watch import AgentWatch, Share, agent_watch
from ccos_core.query.hosted.whose import WHOSE, is_theirs, item_called
from ccos_core.query.leaving import crossed, looked_at
from ccos_core.query.missing_rows import DEFAULT_LIMIT
from ccos_core.query.question import BOTH, THEIRS, Argument, Question
from ccos_core.query.telling import Looked, Run, shares, told_runs
from ccos_core.replay.residency.lens import WORKING_SET, Watched, watched
from ccos_core.replay.residency.runs import STATES, InWorkingSet, runs
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark


@dataclass(frozen=True, slots=True)
class Absence:
    """Steps at which nothing of a node was in, though something of it had been."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SuggestedWatch:
    """How long a node was in a suggested window."""

    lens: str
    budget: int
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
class Watch:
    """The answer to `watch`: about a suggested window, about the agent's, or about both."""

    schema: ClassVar[str] = "ccos.watch/2"
    node: str
    at: int
    """Where the cursor stands."""

    head: int
    """The last step there is."""

    suggested: SuggestedWatch | None
    agent: AgentWatch | None
    compared: Compared | None
    """If both windows were asked about: what the suggested one held and the agent's had lost."""

    item: str = ""
    """What an item of the agent's window is called, or what a statement says; empty for code."""

    def as_rows(self, view: View) -> list[Row]:
        return _rows(self, view)


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
) -> Watch:
    """Tell how long a node was in the windows of a lens, and how often it was not."""
    name, suggested, agent, gaps = node, None, None, None
    if not is_theirs(lens) or lens == BOTH:
        seen = watched(timeline, node, WORKING_SET if lens == BOTH else lens, at, progress, marks)
        name, suggested = seen.name(at), _suggested(timeline, at, seen, budget)
    if is_theirs(lens):
        name, agent = agent_watch(timeline, at, node=node, lens=lens, session=session, context=context)
    if lens == BOTH:
        gaps = compared(timeline, at, node=node, budget=budget, limit=DEFAULT_LIMIT, session=session, context=context)
    return Watch(name, at, timeline.head, suggested, agent, gaps, item_called(timeline, name, at))


def _suggested(timeline: Timeline, at: int, seen: Watched, budget: int) -> SuggestedWatch:
    if isinstance(seen.residency, InWorkingSet):
        seen.residency.foresee(budget)
    stretches = runs(seen.residency.states(budget, 0, timeline.head))
    left, came = crossed(stretches)
    away = [Absence(each.step, each.until - 1 if each.until else timeline.head) for each in left]
    return SuggestedWatch(
        lens=seen.lens,
        budget=budget,
        state=next(STATES[state] for first, last, state in stretches if first <= at <= last),
        shares=tuple(Share(*share) for share in shares(stretches)),
        evicted=len(left),
        entered=len(came),
        longest=max(away, key=lambda each: each.last - each.first, default=None),
        runs=told_runs(stretches),
        looked=looked_at(seen),
    )


def entered(answer: Watch) -> int:
    """Count how often it came in, into any of the windows that were asked about."""
    return (answer.suggested.entered if answer.suggested else 0) + (answer.agent.came if answer.agent else 0)


# ---- its rows ----


def _rows(answer: Watch, view: View) -> list[Row]:
    """Show the strip, how long the node was what, how often it left."""
    suggested, agent = answer.suggested, answer.agent
    rows = [title(f"{item_title(answer.node, answer.item)}  ", Span(window_words(suggested, agent), "quiet"))]
    room = view.columns - 4 if view.columns is not None else None
    if suggested is not None and agent is not None and answer.compared is not None:
        return [*rows, *two_strips(suggested.runs, agent.runs, view), row(f"  {gap_words(answer.compared)}")]
    if suggested is not None:
        rows += [row("  ", *strip(suggested.runs, room)), row("  ", legend(suggested.runs))]
        rows += table([_share(answer, suggested.state, each) for each in suggested.shares], right={2})
        rows.append(row(f"  {_often(suggested)}"))
        rows += [note(f"  {looked(suggested.looked)}")] if suggested.looked is not None else []
    if agent is not None:
        rows += [row("  ", *strip(agent.runs, room, state_words)), row("  ", agent_legend(agent.runs))]
        rows += table([_share(answer, agent.state, each, theirs=True) for each in agent.shares], right={2})
        rows.append(row(f"  {_often_there(agent)}"))
    return rows


def _share(answer: Watch, state: str, share: Share, *, theirs: bool = False) -> list[Part]:
    sign, word = SIGNS[share.state]
    word = state_words(share.state) if theirs else word
    of = answer.head + 1
    percent = "under 1 %" if 100 * share.steps < of else f"{100 * share.steps // of} %"
    return [Span(sign, share.state, ""), word, f"{share.steps:,}", percent + ("  now" if share.state == state else "")]


def _often(side: SuggestedWatch) -> str:
    if not side.entered:
        return f"it never was in the window{' as far as was looked' if skipped(side.looked) else ''}"
    left = f"left {times(side.evicted)}" if side.evicted else "never left"
    said = f"it came in {times(side.entered)}, and {left}"
    return f"{said}; away {_longest(side.longest.first, side.longest.last)}" if side.longest is not None else said


def _often_there(side: AgentWatch) -> str:
    said, longest = often(side.came, side.lost), side.longest
    return said if longest is None else f"{said}; {state_words(longest.state)} {_longest(longest.first, longest.last)}"


def _longest(first: int, last: int) -> str:
    return f"at the longest for {count(last - first + 1, 'step')}, {first:,} to {last:,}"


QUESTION = Question(
    ask=watch,
    answers=(Watch,),
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
