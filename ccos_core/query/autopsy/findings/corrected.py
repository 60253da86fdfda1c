"""The user corrects what the agent claimed: twice in one stretch, or once soon after the context was cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.phrases import says_wrong
from ccos_core.query.autopsy.findings.sentences import listed_steps, times
from ccos_core.query.autopsy.words import evidence_of

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

APART_STEPS = 150
AFTER_CUT_STEPS = 60
"""Steps after a cut in which a correction may come from what was lost by it."""
WEIGHT_SEVERAL, WEIGHT_AFTER_CUT = 540, 330


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each stretch of corrections."""
    steps = [
        prompt.step
        for prompt in work.prompts.every
        if not prompt.is_by_agent and says_wrong(prompt.words) and _has_answered(work, prompt.step)
    ]
    stretch: list[int] = []
    for step in steps:
        if stretch and work.deeds.distance(stretch[-1], step) > APART_STEPS:
            yield from _told(work, stretch)
            stretch = []
        stretch.append(step)
    if stretch:
        yield from _told(work, stretch)


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
