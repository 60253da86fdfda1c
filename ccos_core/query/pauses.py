"""`pauses`: the longest times in which nothing was recorded, with the steps before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.parts import and_more, op_link
from ccos_core.present.rows import Moment, Row, Span, View, note, row, title
from ccos_core.present.words import count, duration
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told, told_op
from ccos_core.replay.codes import NO_TIME

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MINUTES, LIMIT = 5, 20
MINUTE_MILLIS = 60_000
OP_COLUMNS = 36


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which nothing was recorded."""

    millis: int
    """How long it lasted, in milliseconds."""

    before: Told
    """The step after which it began."""

    after: Told
    """The step that ended it."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """The answer to `pauses`."""

    schema: ClassVar[str] = "ccos.pauses/1"
    at: int
    """The step it was asked as of."""

    minutes: int
    """Pauses longer than this are found."""

    found: int
    """How many there are, listed or not."""

    millis: int
    """How long they lasted together, in milliseconds."""

    pauses: tuple[Pause, ...]
    """Those listed, the longest first."""

    longest: Pause | None
    """The longest of all, even if it is too short to be found; None if fewer than two steps have a time."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each pause; Enter leads to the step that ended it."""
        over = f"{f'over {self.minutes:,} min ' if self.minutes else ''}up to step {self.at:,}"
        if not self.found:
            rows = [title(f"no pause {over}")]
            return rows if self.longest is None else [*rows, note("the longest:"), _pause_row(self.longest)]
        head = title(f"{count(self.found, 'pause')} {over}, {duration(self.millis)} in all")
        return [head, *map(_pause_row, self.pauses), *and_more(self.found - len(self.pauses), "pause")]


def _pause_row(pause: Pause) -> Row:
    between = Span(" → ", "quiet", ", then ")
    before, after = op_link(pause.before, OP_COLUMNS), op_link(pause.after, OP_COLUMNS)
    return row(f"{duration(pause.millis):>11}  ", before, between, after, leads=Moment(pause.after.step))


def pauses(timeline: Timeline, at: int, minutes: int, limit: int) -> Pauses:
    """Find the pauses up to step `at` that lasted longer than `minutes`; a `limit` of 0 lists them all."""
    times = timeline.journal.steps["at"][:at]
    timed = np.flatnonzero(times != NO_TIME)
    waits = np.diff(times[timed])
    long = waits[waits > minutes * MINUTE_MILLIS]
    order = np.argsort(-waits, kind="stable")[: max(len(long), 1)][: limit or None]
    told = tuple(
        Pause(int(waits[each]), _told(timeline, timed[each]), _told(timeline, timed[each + 1])) for each in order
    )
    return Pauses(at, minutes, len(long), int(long.sum()), told if len(long) else (), told[0] if told else None)


def _told(timeline: Timeline, index: np.int64) -> Told:
    step = int(index) + 1
    return told_op(step, timeline.op(step), timeline.content)


QUESTION = Question(
    ask=pauses,
    answers=(Pauses,),
    example="pauses 0 --limit 3",
    arguments=(
        Argument("minutes", "count", "list pauses longer than this", default=MINUTES),
        Argument("limit", "count", "pauses to list; 0 lists all", default=LIMIT, flag=True),
    ),
    nothing=lambda answer: not answer.found,
)
