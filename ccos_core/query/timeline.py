"""`timeline`: what happened, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, View, clean, note, row
from ccos_core.present.steps import step_rows
from ccos_core.present.words import count
from ccos_core.query.contexts import contexts_of, meant
from ccos_core.query.falls import falls
from ccos_core.query.question import Argument, Question
from ccos_core.query.step_outline import outline_of
from ccos_core.query.telling import Told, told_op, with_fall
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 500
"""Steps that are listed by default."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The answer to `timeline`."""

    schema: ClassVar[str] = "ccos.timeline/1"
    at: int
    """Where the cursor stands."""

    head: int
    """The last step there is."""

    steps: tuple[Told, ...]
    before: int
    """Steps of those that were asked for that stand before the ones listed, ..."""

    after: int
    """... and behind them."""

    marks: tuple[Mark, ...]
    """The reader's, on the steps listed."""

    contexts: tuple[str, ...] = ()
    """Of each step listed the subagent's name; empty for the main thread."""

    turns: tuple[int, ...] = ()
    """Of each step listed the step of the user's prompt before it; 0 before the first one."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def timeline(
    timeline: Timeline,
    at: int,
    *,
    marks: tuple[Mark, ...],
    span: tuple[int, int] | None,
    limit: int,
    session: str | None,
    context: str | None,
) -> Steps:
    """The steps of a span, or of all there are; of too many those around the cursor."""
    first, last = (max(min(span), 1), max(span)) if span else (1, timeline.head)
    wanted = np.arange(first, last + 1)
    if session is not None or context is not None:
        wanted = wanted[np.isin(timeline.journal.steps["context"][first - 1 : last], meant(timeline, session, context))]
    begin, end = _around(int(np.searchsorted(wanted, at)), len(wanted), limit)
    listed = wanted[begin:end].tolist()
    steps = tuple(_told(timeline, listed))
    there, contexts, outline = set(listed), contexts_of(timeline), outline_of(timeline)
    return Steps(
        at=at,
        head=timeline.head,
        steps=steps,
        before=begin,
        after=len(wanted) - end,
        marks=tuple(mark for mark in marks if mark.step in there),
        contexts=tuple(contexts[number].context for number in _column(timeline, "context", listed)),
        turns=tuple(outline.turn[np.searchsorted(outline.first, listed, "right") - 1].tolist()),
    )


def _column(timeline: Timeline, name: str, steps: list[int]) -> list[int]:
    found: list[int] = timeline.journal.steps[name][np.array(steps, np.int64) - 1].tolist()
    return found


def _told(timeline: Timeline, steps: list[int]) -> list[Told]:
    if not steps:
        return []
    there = set(steps)
    rows = timeline.between(steps[0], steps[-1])
    fell = {fall.step: fall for fall in falls(timeline.journal, steps[-1])}
    return [
        with_fall(timeline, told_op(step, op, timeline.content), fell.get(step)) for step, op in rows if step in there
    ]


def _around(at: int, size: int, limit: int) -> tuple[int, int]:
    """Which of `size` steps are listed: as many on either side of the cursor, where there are so many."""
    if not 0 < limit < size:
        return 0, size
    begin = min(max(at - limit // 2, 0), size - limit)
    return begin, begin + limit


# ---- its rows ----


def _rows(answer: Steps, view: View) -> Iterator[Row]:
    """The steps, each with the reader's marks below it."""
    yield from _left_out(answer.before, "earlier")
    for each in step_rows(answer.steps, answer.at, view):
        yield each
        for mark in answer.marks:
            if each.leads is not None and mark.step == each.leads.step:
                yield row(Span(f"{'':>9}{_words(mark)}", "note"), leads=each.leads)
    yield from _left_out(answer.after, "later")
    if not answer.steps:
        yield note("no steps")
    yield note(f"(cursor at step {answer.at:,} of {answer.head:,})")


def _left_out(number: int, which: str) -> list[Row]:
    said = f"  … {count(number, f'{which} step')} left out; give a span, or --limit 0 for all"
    return [note(said)] if number else []


def _words(mark: Mark) -> str:
    said = f"mark {mark.name}" if mark.name else "note"
    return clip(clean(f"{said}: {mark.text}" if mark.text else said), 200)


QUESTION = Question(
    ask=timeline,
    answers=(Steps,),
    example="timeline 40 60",
    arguments=(
        Argument("span", "span", "first and last step"),
        Argument("limit", "count", "steps to list around the cursor; 0 lists all", default=LIMIT, flag=True),
        Argument("session", "name", "only this session of the agent", flag=True),
        Argument("context", "name", "only this context: main or a subagent's name", flag=True),
    ),
    needs=("marks",),
)
