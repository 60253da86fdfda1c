"""`when`: which moment this is, on one line that can be copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.log.chain import GENESIS
from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
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


QUESTION = Question(ask=when, answers=(When,), example="when")
