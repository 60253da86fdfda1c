"""`overview`: a whole session, or a part of it, at a glance: how hot and how full it was, and where what happened.

It is worked out of the journal's columns, so it is there at once however long the session is; only for commits the
commands are read. Which model wrote a turn isn't in the columns, so a change of it has no lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.commits import Progress
from ccos_core.query.commits import commits as committed
from ccos_core.query.contexts import contexts_of, meant
from ccos_core.query.falls import falls
from ccos_core.query.finding.columns import CUTS, flagged, of_kind
from ccos_core.query.finding.tree import Flag
from ccos_core.query.overview_rows import overview_rows
from ccos_core.query.question import Argument, Question
from ccos_core.replay.measure import USAGE, Gauge
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

COLUMNS = 80
"""Columns by default."""
CHANGES = ("edit", "write")
RULES = ("epoch", "retune")
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Lane:
    """Where one sort of thing happened."""

    name: str
    """`failure`: something began to fail, as in `find fail`; `again`: something that fails did so once more, as in
    `find refail`; `error`: a call ended in an error, as in `find error`; `prompt`; `compaction`: a context was
    shortened or emptied; `fall`: one fell, and nothing says why; `edit`: a file was edited or written; `epoch`: other
    rules hold, as `epochs` lists them; `commit`: a history was changed, as `commits` lists it; `mark`: the reader's
    marks and notes."""

    steps: tuple[int, ...]
    """The steps at which it did, in order."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The answer to `overview`."""

    schema: ClassVar[str] = "ccos.overview/1"
    first: int
    last: int
    """The steps that are shown; the last lies before the first where there is none."""

    head: int
    """The last step there is."""

    at: int
    """Where the cursor stands."""

    begins: tuple[int, ...]
    """The first step of each column. Of `n` columns over `size` steps, column `k` begins `k * size // n` steps behind
    the first."""

    heat: tuple[int, ...]
    """How hot the hottest node of all was in each column, at its hottest: its score in hundredths of a fresh read of a
    plain function, each step's by what a read counted for at that step."""

    hottest: int | None
    """The first step at which it was as hot as it ever was here; nothing where all was cold."""

    held: tuple[int | None, ...]
    """The most tokens the host said its window held in each column; nothing where it didn't say. Of several main
    contexts the fullest; of a subagent's where it was asked for."""

    fullest: int | None
    """The first step at which it held as many as it ever did here."""

    cliffs: tuple[int, ...]
    """The steps at which one of those windows was shortened, emptied, or fell."""

    lanes: tuple[Lane, ...]
    """Where what happened; in the same order always, those with nothing in them as well."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(overview_rows(self, view))


def overview(
    timeline: Timeline,
    at: int,
    *,
    marks: tuple[Mark, ...],
    span: tuple[int, int] | None,
    columns: int,
    session: str | None,
    context: str | None,
    commits: str,
    progress: Progress,
) -> Overview:
    """The steps of a span, or of all there are, in so many columns."""
    first, last = (max(min(span), 1), max(span)) if span else (1, timeline.head)
    offsets = _split(last - first + 1, columns)
    heat = Gauge(timeline.journal).best()[first - 1 : last]
    theirs = _windows(timeline, session, context)
    held = _held(timeline, theirs)[first - 1 : last]
    cliffs = (of_kind(timeline, *CUTS) | _fallen(timeline)) & theirs
    made = _committed(timeline, progress) if commits == YES else None
    lanes = _lanes(timeline, session, context, made)
    noted = tuple(sorted({mark.step for mark in marks if first <= mark.step <= last}))
    return Overview(
        first=first,
        last=last,
        head=timeline.head,
        at=at,
        begins=tuple((offsets + first).tolist()),
        heat=tuple(_most(heat, offsets)),
        hottest=_peak(heat, first),
        held=tuple(each or None for each in _most(held, offsets)),
        fullest=_peak(held, first),
        cliffs=_steps(cliffs, first, last),
        lanes=(*(Lane(name, _steps(where, first, last)) for name, where in lanes), Lane("mark", noted)),
    )


def _split(size: int, columns: int) -> Numbers:
    """How many steps lie before each column; there are no more columns than steps."""
    count = min(columns or size, size)
    return np.arange(count, dtype=np.int64) * size // max(count, 1)


def _most(figures: Numbers, offsets: Numbers) -> list[int]:
    """The largest figure of each column."""
    return np.maximum.reduceat(figures, offsets).tolist() if len(offsets) else []


def _peak(figures: Numbers, first: int) -> int | None:
    """The first step with the largest figure, where it is one."""
    return first + int(np.argmax(figures)) if figures.any() else None


def _steps(where: Numbers, first: int, last: int) -> tuple[int, ...]:
    return tuple((np.nonzero(where[first - 1 : last])[0] + first).tolist())


# ---- masks and figures, with a place for every step ----


def _windows(timeline: Timeline, session: str | None, context: str | None) -> Numbers:
    """The steps of those contexts whose windows are told: the main ones, unless one is named."""
    every, found = contexts_of(timeline), meant(timeline, session, context)
    return _of(timeline, found if context is not None else [each for each in found if not every[each].context])


def _of(timeline: Timeline, contexts: list[int]) -> Numbers:
    return np.isin(timeline.journal.steps["context"], contexts)


def _held(timeline: Timeline, theirs: Numbers) -> Numbers:
    """What the host counted; 0 where it didn't."""
    steps = timeline.journal.steps
    return np.where((steps["kind"] == USAGE) & theirs, steps["tokens"], 0)


def _fallen(timeline: Timeline) -> Numbers:
    found = np.zeros(timeline.head, bool)
    found[[fall.step - 1 for fall in falls(timeline.journal, timeline.head)]] = True
    return found


def _committed(timeline: Timeline, progress: Progress) -> Numbers:
    found = np.zeros(timeline.head, bool)
    found[[each.step - 1 for each in committed(timeline, timeline.head, sha="", progress=progress).commits]] = True
    return found


def _lanes(
    timeline: Timeline, session: str | None, context: str | None, made: Numbers | None
) -> list[tuple[str, Numbers]]:
    """All but the reader's; that of commits where they were looked for."""
    named = session is not None or context is not None
    mine = _of(timeline, meant(timeline, session, context)) if named else np.ones(timeline.head, bool)
    return [
        ("failure", flagged(timeline, Flag("fail")) & mine),
        ("again", flagged(timeline, Flag("refail")) & mine),
        ("error", flagged(timeline, Flag("error")) & mine),
        ("prompt", of_kind(timeline, "prompt") & mine),
        ("compaction", of_kind(timeline, *CUTS) & mine),
        ("fall", _fallen(timeline) & mine),
        ("edit", of_kind(timeline, *CHANGES) & mine),
        ("epoch", of_kind(timeline, *RULES) & mine),
        *([("commit", made & mine)] if made is not None else []),
    ]


QUESTION = Question(
    ask=overview,
    answers=(Overview,),
    example="overview 1 400 --columns 40",
    arguments=(
        Argument("span", "span", "first and last step"),
        Argument("columns", "count", "number of columns; 0 makes one per step", default=COLUMNS, flag=True),
        Argument("session", "name", "only this session of the agent", flag=True),
        Argument("context", "name", "only this context: main or a subagent's name", flag=True),
        Argument(
            "commits",
            "word",
            "whether commands are read for commits and pushes",
            default=YES,
            flag=True,
            words=(YES, NO),
        ),
    ),
    needs=("marks", "progress"),
    about="Heat covers the whole record. The agent's window is that of its main context unless another one is "
    "named. Give a span to look at a part more closely.",
    nothing=lambda answer: not answer.begins,
)
