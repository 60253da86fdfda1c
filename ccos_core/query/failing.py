"""`failures`: everything that failed, as far as the record knows: what lives, and what has ended and by which op.

The same test failing again renews a failure; once a pass has ended it, failing again begins another one. A failure
whose file is renamed stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.finding.columns import of_kind
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told, one_line
from ccos_core.query.whereby import Telling
from ccos_core.replay.past import Outage, failure_told, outages

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

CHANGES = ("edit", "write", "renamed", "gone")
ENDED = 8
"""Failures that have ended and are told where nobody asks for all."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure, from its beginning to its end."""

    runner: str
    test: str
    """Empty where nobody named one."""

    part: str
    """Which part of the test, where it has several."""

    message: str
    anchor: str
    """The node it is felt at; empty where nobody knows."""

    reaches: int
    """Nodes it presses on, or did at last."""

    since: Told
    """What told it first, ..."""

    last: Told
    """... and last."""

    renewed: int
    """How often it was told again."""

    ended: Told | None
    """What ended it; nothing where it lives."""

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
    """The last step up to `at` at which a file was edited, written, renamed or removed; 0 if none was."""
    steps = np.nonzero(of_kind(timeline, *CHANGES)[:at])[0]
    return int(steps[-1]) + 1 if len(steps) else 0


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
