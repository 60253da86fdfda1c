"""The user says that it doesn't work, or pastes a failure, after the agent changed something.

Once is part of the work, unless the user says that it is *still* so. Several times in one stretch, with changes in
between, is what an engineer names: the agent took it for done, and it wasn't.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.phrases import claims_done, says_not_working, says_still
from ccos_core.query.autopsy.findings.sentences import files_named, listed_steps, times, were
from ccos_core.query.autopsy.words import Note, evidence_of
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

APART_STEPS = 150
"""Steps from one report to the next, beyond which it is another matter."""
MOST_REPORTS = 40
MANY = 3
WEIGHT_MANY, WEIGHT_TWO, WEIGHT_STILL, WEIGHT_PASTED = 860, 760, 560, 350


class Report(NamedTuple):
    """The user says that something doesn't work."""

    step: int
    is_still: bool
    """Whether the user says that it is as before."""
    is_said: bool
    """Whether it is said, and not only pasted."""


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each stretch of reports, one for every single "still", and one for pasted failures."""
    stretches: list[list[Report]] = []
    for report in _reports(work):
        if stretches and _goes_on(work, stretches[-1][-1], report):
            stretches[-1].append(report)
        else:
            stretches.append([report])
    single = [stretch[0] for stretch in stretches if len(stretch) == 1]
    yield from (_again(work, stretch) for stretch in stretches if len(stretch) > 1 and _is_one_matter(work, stretch))
    yield from _still(work, [each for each in single if each.is_still and _was_changed(work, each.step)])
    yield from _pasted(work, [each for each in single if not each.is_said and not _is_recorded(work, each.step)])


def _reports(work: Work) -> Iterator[Report]:
    edits = work.deeds.edit_steps
    for prompt in work.prompts.every:
        if prompt.is_channelled or not edits or edits[0] > prompt.step:
            continue  # nothing was changed yet, so that it isn't the agent's work that fails
        is_still = says_still(prompt.words)
        is_said = is_still or says_not_working(prompt.words)
        if is_said or prompt.pastes_failure:
            yield Report(prompt.step, is_still, is_said)


def _goes_on(work: Work, before: Report, report: Report) -> bool:
    """Whether something was changed between two reports of one stretch."""
    is_near = work.deeds.distance(before.step, report.step) <= APART_STEPS
    return is_near and bool(work.deeds.edits_in(before.step, report.step))


def _is_one_matter(work: Work, stretch: list[Report]) -> bool:
    """Whether reports are of one matter: the user says "still", or at least half of the changes in between are of one
    file. Other reports in a row are of one thing after another, as in any work."""
    counts = Counter(deed.file for deed in work.deeds.edits_in(stretch[0].step, stretch[-1].step))
    return any(each.is_still for each in stretch[1:]) or 2 * max(counts.values()) >= counts.total()


def _again(work: Work, stretch: list[Report]) -> Finding:
    first, last = stretch[0].step, stretch[-1].step
    counts = Counter(deed.file for deed in work.deeds.edits_in(first, last))
    weight = WEIGHT_MANY if len(stretch) >= MANY else WEIGHT_TWO
    says = (
        f"Between steps {first:,} and {last:,} the user reported {times(len(stretch))} that it did not work; meanwhile "
        f"{files_named(work, counts)} {were(counts)} changed."
    )
    return _finding(work, "reported", True, weight, says, stretch)


def _still(work: Work, reports: list[Report]) -> Iterator[Finding]:
    if reports:
        says = f"At {listed_steps([each.step for each in reports])} the user reported that it still did not work."
        yield _finding(work, "reported", True, WEIGHT_STILL, says, reports)


def _pasted(work: Work, reports: list[Report]) -> Iterator[Finding]:
    if reports:
        which = "a failure" if len(reports) == 1 else f"{len(reports):,} failures"
        at = listed_steps([each.step for each in reports])
        says = f"The user pasted {which} into the prompt at {at}. No recorded run had reported that."
        yield _finding(work, "pasted", False, WEIGHT_PASTED, says, reports)


def _finding(work: Work, kind: str, is_drift: bool, weight: int, says: str, stretch: list[Report]) -> Finding:
    notes: list[Note] = []
    for each in stretch[:MOST_REPORTS]:
        claim = _claim(work, each.step)
        if claim:
            notes.append((claim, "the agent takes it for done"))
        said = "the user reports that it is still so" if each.is_still else "the user reports that it does not work"
        notes.append((each.step, said if each.is_said else "the user pastes a failure"))
    return Finding(
        kind=kind,
        certainty="certain",
        drift=is_drift,
        step=stretch[0].step,
        last=stretch[-1].step,
        says=says,
        evidence=evidence_of(work, notes),
        weight=weight + min(len(stretch), 30),
    )


def _was_changed(work: Work, step: int) -> bool:
    return bool(work.deeds.edits_in(work.deeds.before(step, APART_STEPS), step))


def _is_recorded(work: Work, step: int) -> bool:
    """Whether a recorded failure was alive when the user pasted one: it is probably the same."""
    return any(trouble.begin <= step <= trouble.lasts(work.deeds.upto) for trouble in work.troubles)


def _claim(work: Work, step: int) -> int:
    """The step before a prompt at which the agent says that it is done; 0 if it doesn't."""
    turns = _turns(work)
    at = bisect_left(turns, step) - 1
    prompts = [prompt.step for prompt in work.prompts.every]
    asked = bisect_right(prompts, step - 1)
    if at < 0 or (asked and turns[at] < prompts[asked - 1]):
        return 0
    said = work.deeds.op(turns[at]).get("said")
    try:
        text = work.deeds.timeline.content(said["blob"]).decode("utf-8", "replace") if said else ""
    except CcosError:
        return 0
    return turns[at] if claims_done(text) else 0


def _turns(work: Work) -> list[int]:
    kinds = work.deeds.journal.steps["kind"][: work.deeds.upto]
    found: list[int] = (np.nonzero(kinds == KIND_CODES["turn"])[0] + 1).tolist()
    return found
