"""The user corrects what the agent claimed or did: twice in one stretch, or once soon after the context was cut.

A prompt corrects work as well if the agent had changed something and answers that the user is right.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.phrases import concedes, says_wrong
from ccos_core.query.autopsy.findings.sentences import listed_steps, times
from ccos_core.query.autopsy.words import evidence_of
from ccos_core.query.op_text import text_of
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

APART_STEPS = 150
AFTER_CUT_STEPS = 60
"""Steps after a cut in which a correction may come from what was lost by it."""
CHANGED_STEPS = 60
"""Steps before a prompt in which the agent changed what that corrects."""
WEIGHT_SEVERAL, WEIGHT_AFTER_CUT = 540, 330


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each stretch of corrections."""
    conceded = {*_conceded(work)}
    steps = [
        prompt.step
        for prompt in work.prompts.every
        if not prompt.is_by_agent
        and (says_wrong(prompt.words) or prompt.step in conceded)
        and _has_answered(work, prompt.step)
    ]
    stretch: list[int] = []
    for step in steps:
        if stretch and work.deeds.distance(stretch[-1], step) > APART_STEPS:
            yield from _told(work, stretch)
            stretch = []
        stretch.append(step)
    if stretch:
        yield from _told(work, stretch)


def _conceded(work: Work) -> Iterator[int]:
    """Yield the prompts after a change which the agent answers by saying that the user is right."""
    kinds = work.deeds.journal.steps["kind"][: work.deeds.upto]
    turns = (np.flatnonzero(kinds == KIND_CODES["turn"]) + 1).tolist()
    prompts = [prompt.step for prompt in work.prompts.every]
    for step, following in pairwise([*prompts, work.deeds.upto + 1]):
        if work.deeds.edits_in(work.deeds.before(step, CHANGED_STEPS), step):
            mine = (work.deeds.op(turn) for turn in turns[bisect_right(turns, step) : bisect_right(turns, following)])
            answers = (text_of(work.deeds.timeline, op.get("said")) for op in mine)
            if concedes(next(filter(str.strip, answers), "")):  # some hosts record an empty turn before the words
                yield step


def _has_answered(work: Work, step: int) -> bool:
    """Whether the agent had done anything that could be wrong."""
    calls = work.calls.steps
    return bool(calls) and calls[0] < step


def _told(work: Work, steps: list[int]) -> Iterator[Finding]:
    cut = _cut_before(work, steps[0])
    notes = [(step, "the user corrects the agent") for step in steps]
    if cut:
        notes.append((cut, "the context is cut"))
    if len(steps) > 1:
        says = f"The user corrected the agent {times(len(steps))}, at {listed_steps(steps)}."
        yield Finding("corrected", "certain", True, steps[0], steps[-1], says, evidence_of(work, notes), WEIGHT_SEVERAL)
    elif cut:
        says = f"At step {steps[0]:,} the user corrected the agent, {steps[0] - cut:,} steps after its context was cut."
        yield Finding(
            "corrected", "likely", False, steps[0], steps[0], says, evidence_of(work, notes), WEIGHT_AFTER_CUT
        )


def _cut_before(work: Work, step: int) -> int:
    """The last recorded cut within reach before a step; 0 if there is none."""
    context = work.deeds.context(step)
    begin = work.deeds.before(step, AFTER_CUT_STEPS)
    cuts = [at for at, recorded in work.deeds.cuts.get(context, []) if recorded and begin <= at < step]
    return cuts[-1] if cuts else 0
