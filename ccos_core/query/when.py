"""`when`: which moment this is, on one line that can be copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.log.chain import GENESIS
from ccos_core.present import words
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, row
from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.query.state import State
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class When:
    """One moment."""

    schema: ClassVar[str] = "ccos.when/1"
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

    unbroken: ClassVar[bool] = True
    """It is one line, to be copied."""

    def as_rows(self, view: View) -> Sequence[Row]:
        hash_ = Span(f"  {self.hash}", spoken=f"  hash {self.hash}")
        return [row(*place(self), hash_, f"  {clean(self.moment)}", leads=Moment(self.step))]


def when(timeline: Timeline, at: int) -> When:
    """The moment of a step."""
    return When(
        step=at,
        head=timeline.head,
        percent=100 * at // max(timeline.head, 1),
        epoch=epoch_at(timeline, at),
        at=timeline.time(at),
        hash=timeline.hash(at) if at else GENESIS.hex(),
        moment=f"ccos://{workspace_name(timeline)}/step/{at}",
    )


def workspace_name(timeline: Timeline) -> str:
    """What the workspace is called, wherever it lies."""
    return timeline.name.replace("\\", "/").rpartition("/")[2]


def epoch_at(timeline: Timeline, step: int) -> int:
    """How many epochs have begun."""
    return int(np.count_nonzero(timeline.journal.steps["kind"][:step] == KIND_CODES["epoch"]))


def place(answer: When | State) -> list[Part]:
    """Return `step 412 of 5,010  8%  epoch 1  2026-02-14 09:31:45 UTC` as parts of a row."""
    at = [f"  {words.moment(answer.at)} UTC"] if answer.at is not None else []
    percent = Span(f"  {answer.percent}%", spoken=f"  {answer.percent} percent")
    return [f"step {answer.step:,} of {answer.head:,}", percent, f"  epoch {answer.epoch}", *at]


QUESTION = Question(ask=when, answers=(When,), example="when")
