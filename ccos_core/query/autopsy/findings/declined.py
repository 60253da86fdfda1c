"""The user refuses what the agent wants to do, several times in a row: they don't understand each other.

Three refusals count, or two and an interruption: to refuse once or twice is how users steer.
Calls of one message that are refused together count once. An interruption right after a refusal belongs to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.sentences import listed_steps, times
from ccos_core.query.autopsy.words import evidence_of
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.findings.calls import Failed

APART_STEPS = 25
SOON_STEPS = 5
"""Steps after a refusal in which an interruption belongs to it."""
SEVERAL, MANY = 2, 3
WEIGHT_MANY, WEIGHT_SEVERAL = 700, 500


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each row of refusals."""
    row: list[list[Failed]] = []
    for call in (call for call in work.calls.failed if call.is_refused):
        if row and not _said_between(work, row[-1][-1].step, call.step):
            row[-1].append(call)
        elif row and work.deeds.distance(row[-1][-1].step, call.step) <= APART_STEPS:
            row.append([call])
        else:
            yield from _told(work, row)
            row = [[call]]
    yield from _told(work, row)


def _said_between(work: Work, after: int, upto: int) -> bool:
    """Whether the agent said something between two calls, so that they are not of one message."""
    kinds = work.deeds.journal.steps["kind"][after : upto - 1]
    return bool(np.isin(kinds, (KIND_CODES["turn"], KIND_CODES["usage"], KIND_CODES["thought"])).any())


def _told(work: Work, row: list[list[Failed]]) -> Iterator[Finding]:
    if not row:
        return
    steps = [calls[0].step for calls in row]
    last = row[-1][-1].step
    soon = work.deeds.after(last, SOON_STEPS)
    interrupted = next((at for at in work.prompts.interruptions if last < at <= soon), 0)
    if len(row) < (SEVERAL if interrupted else MANY):
        return
    names = Counter(calls[0].name for calls in row)
    most, count = max(names.items(), key=lambda each: each[1])
    tools = most if count == len(row) else f"mostly {most}" if 2 * count > len(row) else "several tools"
    then = " and then interrupted it" if interrupted else ""
    where = f"{tools}, {listed_steps(steps)}"
    says = f"The user refused what the agent wanted to do {times(len(row))} in a row ({where}){then}."
    notes = [(call.step, "the user refuses the call") for calls in row for call in calls[:1]]
    notes += [(calls[0].reason, "the user says why") for calls in row if calls[0].reason]
    if interrupted:
        notes.append((interrupted, "the user interrupts the agent"))
    weight = (WEIGHT_MANY if len(row) >= MANY else WEIGHT_SEVERAL) + min(len(row), 20)
    yield Finding("declined", "certain", True, steps[0], interrupted or last, says, evidence_of(work, notes), weight)
