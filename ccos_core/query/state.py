"""`goto`, `state`, `next` and `prev`: standing at a step, and what is there.

The ends are walls: who runs into one stays there, and is told. `next NODE` goes on to where something becomes of a
node; that is a question of its own (`turning`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Row, Span, View, clean, note, row, title
from ccos_core.present.steps import step_row
from ccos_core.present.words import count, short
from ccos_core.query.failing import last_change
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.hosted.window import AgentWindow
from ccos_core.query.question import DELIVERED, HOST, THEIRS, Argument, Question
from ccos_core.query.telling import Told, one_line, told
from ccos_core.query.turning import Turn, turned, turned_there
from ccos_core.query.when import place, when
from ccos_core.query.windows import Shown, recall
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import GONE
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

FEW = 5
"""Failures that are named."""
WALLS = {"end": "This is the last step.", "start": "This is the start: there is no step before it."}
"""Where there is no further step → what to say of it."""


@dataclass(frozen=True, slots=True)
class State:
    """What there is at a step."""

    schema: ClassVar[str] = "ccos.state/1"
    step: int
    head: int
    """The last step there is."""

    percent: int
    """Of all steps, how many lie before; rounded down."""

    epoch: int
    """Which of the record's epochs it lies in; 0 before the first."""

    at: int | None
    """The time of its op, in milliseconds since 1970."""

    hash: str
    """The chain's hash."""

    moment: str
    """How it is written down: `ccos://WORKSPACE/step/N`."""

    op: Told | None
    """What made the step; nothing made step 0."""

    wall: str
    """`start` or `end`, where there was no further step to go to."""

    files: int
    symbols: int
    warm: int
    """Nodes that matter."""

    failures: int
    failing: tuple[str, ...]
    """The first of what fails."""

    rerun_due: int
    """Of the failures, those of which files were changed since, and that nothing ran again."""

    tokens: int | None
    """How full the agent's window was, when it was last recorded."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def state(timeline: Timeline, at: int, *, wall: str = "") -> State:
    """What there is at a step."""
    moment = timeline.at(at)
    files, symbols = _there(timeline, moment.last)
    live = list(moment.failures.live.items())
    changed = last_change(timeline, at)
    return State(
        **asdict(when(timeline, at)),
        op=told(timeline, at) if at else None,
        wall=wall,
        files=files,
        symbols=symbols,
        warm=_warm(timeline, moment.last),
        failures=len(live),
        failing=tuple(_named(key, each.failure.message) for key, each in live[:FEW]),
        rerun_due=sum(each.step < changed for _, each in live),
        tokens=_tokens(timeline, at),
    )


def state_in(
    timeline: Timeline,
    at: int,
    *,
    lens: str | None,
    budget: int,
    progress: Callable[[int, int], None],
    session: str | None,
    context: str | None,
) -> State | Shown | AgentWindow:
    """What there is at a step; or where a window is asked about, what is in that."""
    if lens is None:
        return state(timeline, at)
    return recall(timeline, at, budget=budget, lens=lens, progress=progress, session=session, context=context)


def goto(timeline: Timeline, at: int, *, step: int) -> State:
    """What there is at another step."""
    return state(timeline, step)


def forth(
    timeline: Timeline,
    at: int,
    *,
    node: str | None,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    marks: Sequence[Mark] = (),
    session: str | None = None,
    context: str | None = None,
) -> State | Turn:
    """One step on; or to where something becomes of a node."""
    if node is None:
        return stepped(timeline, at, 1)
    if is_theirs(lens):
        return turned_there(timeline, at, node, forward=True, lens=lens, session=session, context=context)
    return turned(timeline, at, node, forward=True, lens=lens, budget=budget, progress=progress, marks=marks)


def back(timeline: Timeline, at: int) -> State:
    """One step back."""
    return stepped(timeline, at, -1)


def stepped(timeline: Timeline, at: int, by: int) -> State:
    """So many steps further, as far as there are any."""
    step = min(max(at + by, 0), timeline.head)
    return state(timeline, step, wall="" if step == at + by else "end" if by > 0 else "start")


# ---- what is counted ----


def _there(timeline: Timeline, step: int) -> tuple[int, int]:
    """Files and symbols that are in the graph; a node's name begins with what it is."""
    journal = timeline.journal
    upto = journal.there.upto(step)
    last = np.zeros(len(journal.names), np.uint8)
    last[journal.there["node"][:upto]] = journal.there["there"][:upto]
    nodes = np.nonzero(last)[0]
    ends = journal.names.ends["end"]
    begins = np.where(nodes > 0, ends[nodes - 1], 0)
    initials = journal.names.body["byte"][begins]
    return int(np.count_nonzero(initials == ord("f"))), int(np.count_nonzero(initials == ord("s")))


def _warm(timeline: Timeline, step: int) -> int:
    changes = timeline.journal.changes
    rows = timeline.journal.latest(step)
    return int(np.count_nonzero((changes["score"][rows] > 0) & (changes["tier"][rows] < GONE)))


def _tokens(timeline: Timeline, step: int) -> int | None:
    steps = timeline.journal.steps
    said = np.nonzero(steps["kind"][:step] == KIND_CODES["usage"])[0]
    return int(steps["tokens"][said[-1]]) if len(said) else None


def _named(key: tuple[str, str, str], message: str) -> str:
    runner, test, _ = key
    return one_line(f"{runner}  {test or message}", 120)


# ---- its rows ----


def _rows(answer: State, view: View) -> Iterator[Row]:
    """Where this is, what happened, what there is, what fails."""
    yield title(*place(answer), Span(f"  {short(answer.hash)}", "quiet", ""))
    if answer.wall:
        yield note(WALLS[answer.wall], "note")
    if answer.op is not None:
        yield step_row(answer.op, answer.step, width=view.width)
    yield row(f"  {count(answer.files, 'file')}, {count(answer.symbols, 'symbol')}, {count(answer.warm, 'warm node')}")
    if answer.tokens is not None:
        yield row(f"  {answer.tokens:,} tokens in the agent's window when last recorded")
    due = f", {answer.rerun_due:,} not run again since a change" if answer.rerun_due else ""
    yield row(f"  {answer.failures - answer.rerun_due:,} failing now{due}")
    for failing in answer.failing:
        yield row(Span("    ✗ ", "bad"), clip(clean(failing), max(view.width - 6, 20)))
    yield from and_more(answer.failures - len(answer.failing), "failure")


QUESTIONS = {
    "goto": Question(
        ask=goto,
        answers=(State,),
        example="goto 57%",
        arguments=(Argument("step", "step", "the step to go to", required=True),),
        timeless=True,
        moves=lambda answer: answer.step,
    ),
    "state": Question(
        ask=state_in,
        answers=(State, AgentWindow, Shown),
        example="state",
        needs=("progress",),
        arguments=(
            Argument("lens", "lens", "show this window instead", flag=True, further=THEIRS),
            Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
            *WHOSE,
        ),
    ),
    "prev": Question(ask=back, answers=(State,), example="prev", moves=lambda answer: answer.step),
    "next": Question(
        ask=forth,
        answers=(State, Turn),
        example="next",
        needs=("progress", "marks"),
        nothing=lambda answer: answer.step is None,
        arguments=(
            Argument("node", "node", "file or symbol whose next change to go to"),
            Argument(
                "lens",
                "lens",
                "for a node: which window",
                default="working-set",
                flag=True,
                further=(HOST, DELIVERED),
            ),
            Argument("budget", "budget", "for a node: size of the window", default=DEFAULT_BUDGET, flag=True),
            *WHOSE,
        ),
        moves=lambda answer: answer.step,
    ),
}
