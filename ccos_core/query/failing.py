"""`failures`: everything that failed, as far as the record knows: what lives, and what has ended and by which op.

The same test failing again renews a failure; once a pass has ended it, failing again begins another one. A failure
whose file is renamed stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more, node_name, op_row
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import FAILURE_SIGNS, count
from ccos_core.query.finding.columns import of_kind
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told, one_line
from ccos_core.query.whereby import Telling
from ccos_core.replay.past import Outage, failure_told, outages
from ccos_core.values.ids import path_of
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

CHANGES = ("edit", "write", "renamed", "gone")
ENDED = 8
"""Failures that have ended and are listed by default."""
LONGEST = 60
"""Columns of a failure's name, and of an op."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure, from its beginning to its end."""

    runner: str
    test: str
    """Empty if none is named."""

    part: str
    """Which part of the test, where it has several."""

    message: str
    anchor: str
    """The node where it is located; empty if unknown."""

    reaches: int
    """Nodes it presses on, or did at last."""

    since: Told
    """The first failing run, ..."""

    last: Told
    """... and the last one."""

    renewed: int
    """How many more times it was seen failing."""

    ended: Told | None
    """What ended it; null while it lives."""

    rerun_due: bool
    """Whether it lives, and files were changed since it failed last: nothing that covers it was run again since."""


@dataclass(frozen=True, slots=True)
class FailuresKnown:
    """The answer to `failures`."""

    schema: ClassVar[str] = "ccos.failures/1"
    at: int
    live: tuple[Failed, ...]
    """What failed then, as it began."""

    ended: tuple[Failed, ...]
    """What had ended by then, the last first."""

    ended_more: int
    """How many more had."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def failures(timeline: Timeline, at: int, *, all: bool) -> FailuresKnown:  # noqa: A002  (it is said --all)
    """What failed up to a step."""
    found, telling = outages(timeline.journal, timeline.at(at).last), Telling(timeline)
    changed = last_change(timeline, at)
    over = sorted((each for each in found if each.ended), key=lambda each: (-each.ended, -each.row))
    some = over if all else over[:ENDED]
    return FailuresKnown(
        at=at,
        live=tuple(_told(each, telling, changed) for each in found if not each.ended),
        ended=tuple(_told(each, telling, changed) for each in some),
        ended_more=len(over) - len(some),
    )


def last_change(timeline: Timeline, at: int) -> int:
    """Return the last step up to `at` that changed a file of the project; 0 if none did."""
    steps = changes(timeline)
    before = int(np.searchsorted(steps, at, "right"))
    return int(steps[before - 1]) if before else 0


def changes(timeline: Timeline) -> Numbers:
    """Return the steps at which a file of the project was edited, written, renamed or removed; an agent's plans and
    notes outside of it don't count."""
    found: Numbers = timeline.journal.once("changes of the project", lambda: _changes(timeline))
    return found


def _changes(timeline: Timeline) -> Numbers:
    steps = np.flatnonzero(of_kind(timeline, *CHANGES))
    numbers, places = np.unique(timeline.journal.steps["name"][steps], return_inverse=True)
    named = numbers >= 0
    is_inside = np.ones(len(numbers), bool)
    names = timeline.journal.spelled(numbers[named])
    is_inside[named] = [inside(path_of(name) or name) for name in names]
    return steps[is_inside[places]] + 1


def _told(outage: Outage, telling: Telling, changed: int) -> Failed:
    (runner, _, part), live = failure_told(telling.timeline.journal, outage.row)
    return Failed(
        runner=runner,
        test=live.failure.test,
        part=part,
        message=one_line(live.failure.message),
        anchor=live.anchors[0] if live.anchors else "",
        reaches=len(live.strengths),
        since=telling.at(live.since),
        last=telling.at(live.step),
        renewed=outage.renewed,
        ended=telling.at(outage.ended) if outage.ended else None,
        rerun_due=not outage.ended and changed > live.step,
    )


# ---- its rows ----


def _rows(answer: FailuresKnown) -> Iterator[Row]:
    """What lives first, then what has ended."""
    over, at = len(answer.ended) + answer.ended_more, f"step {answer.at:,}"
    due = sum(each.rerun_due for each in answer.live)
    if not answer.live and not over:
        yield title(f"nothing has failed up to {at}")
        return
    waiting = f", {due:,} not run again since a change" if due else ""
    yield title(f"at {at}: {len(answer.live) - due:,} failing now{waiting}, {over:,} ended")
    for each in (*sorted(answer.live, key=lambda each: each.rerun_due), *answer.ended):
        yield from _failed(each)
    yield from and_more(answer.ended_more, "that ended", "that ended")


def _failed(each: Failed) -> Iterator[Row]:
    """A failure and where it is located; below it its first failing run, and what came of it."""
    state = "ended" if each.ended is not None else "rerun due" if each.rerun_due else "failing"
    sign, spoken, role = FAILURE_SIGNS[state]
    name = clip(clean(each.test or each.message or "failed"), LONGEST)
    where = f"located at {node_name(each.anchor)}" if each.anchor else "location unknown"
    reaches = f", reaches {count(each.reaches, 'node')}" if each.anchor and each.ended is None else ""
    yield row(
        Span(f"  {sign} ", role, f"{spoken}: "),
        f"{clean(each.runner)}  {name}",
        Span(f"  {where}{reaches}", "quiet"),
        leads=Moment(node=each.anchor) if each.anchor else None,
    )
    yield op_row(each.since, Span("      first failing run: ", "quiet"), longest=LONGEST)
    if each.renewed:
        again = f"      seen {count(each.renewed, 'more time')}, last at "
        yield row(Span(again, "quiet"), Span(f"step {each.last.step:,}", "link"), leads=Moment(each.last.step))
    if each.rerun_due:
        yield note(f"      not run again since step {each.last.step:,}, and files were changed", "note")
    if each.ended is not None:
        yield op_row(each.ended, Span("      ended by ", "quiet"), longest=LONGEST)


QUESTIONS = {
    "failures": Question(
        ask=failures,
        answers=(FailuresKnown,),
        example="failures --all",
        arguments=(Argument("all", "switch", "also list failures that ended", default=False, flag=True),),
        nothing=lambda answer: not answer.live and not answer.ended,
        about="A passing run ends the failures of the tests it ran, and no others. If its extent is unknown, it "
        "ends none.",
    )
}
