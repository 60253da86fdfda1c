"""`autopsy`: where a session went wrong, what an engineer would name first, and which files are suspected.

From the record alone. Each failure that remained after something was changed is examined: what it depends on, what was
changed last before it began and when it ended, what of that the agent's window held, and where the work went instead.
Files that were put back several times, and files that had to be read again after a cut, are found without a failure.
What the user said, which calls were refused, and how the session ended are evidence too (`findings`).

    findings   one file for each kind of finding, and the table of all
    deeds      who read and changed what        held       what a host's window held of a file
    troubles   failures as stretches            attempts   what was tried against one
    green      when it was all right before     case       one of them with all that bears on it
    weighing   how suspicious a file is         judging    whether work went astray
    loops      the same, tried again            rereads    dropped, and read again
    returning  put back, though nothing failed
    needs      which of these mattered          aims       what a run was for
    finding    all of them, in order            words      suspects and verdicts in sentences
    ours       what the suggested window held of it then
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Autopsy, Failing, Finding, Looked, Suspect
from ccos_core.query.autopsy.case import Work
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.finding import Found, Progress, found_in
from ccos_core.query.autopsy.findings.table import findings_of
from ccos_core.query.autopsy.judging import Drift
from ccos_core.query.autopsy.ours import ours_of
from ccos_core.query.autopsy.rereads import Reread
from ccos_core.query.autopsy.returning import Returned
from ccos_core.query.autopsy.troubles import is_placed, names_of
from ccos_core.query.autopsy.weighing import Weighed
from ccos_core.query.autopsy.words import (
    certainty_of,
    certainty_of_other,
    failure_of,
    suspect_again,
    suspect_of,
    suspect_returned,
)
from ccos_core.query.failing import last_change
from ccos_core.query.falls import cause_of
from ccos_core.query.question import Argument, Question

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SUSPECTS = 5
"""Suspects listed unless the caller wants more."""
MOST_FAILING = 10
"""Failures that haven't ended that are listed."""
FEW_NAMES = 3
"""Names of failures in the verdict."""
MOST_CHANGED = 200
"""Changed files whose texts are looked at."""
MOST_OF_ONE = 8
"""Suspects there are for one failure."""
MOST_FINDINGS = 12
"""Findings listed."""


def unheard(done: int, total: int) -> None:
    """Ignore the progress."""


def autopsy(timeline: Timeline, at: int, *, suspects: int = SUSPECTS, progress: Progress = unheard) -> Autopsy:
    """Find where the session went wrong, looking at the steps up to `at`."""
    upto = timeline.journal.last_moment(at)
    work = Work(Deeds(timeline, upto))
    found = found_in(work, progress)
    findings = findings_of(work, found)
    every = _suspected(found)
    failing = _failing(work)
    drifted = any(each.drift for each in findings)
    return Autopsy(
        at=at,
        drifted=drifted,
        step=findings[0].step if drifted else None,
        verdict=_verdict(work, findings, failing),
        failure=failure_of(found.drifts[0]) if found.drifts else "",
        suspects=tuple(_told(work, *each) for each in every[: max(suspects, 1)]),
        further=max(len(every) - max(suspects, 1), 0),
        looked=_looked(work, found, len(failing)),
        failing=failing[:MOST_FAILING],
        findings=findings[:MOST_FINDINGS],
        later=0 if drifted else _first_trouble(timeline, upto, progress),
    )


def _first_trouble(timeline: Timeline, upto: int, progress: Progress) -> int:
    """Return the step at which the first trouble begins that the whole session shows and the steps `upto` don't; 0 if
    there is none."""
    if upto >= timeline.head:
        return 0

    def found() -> int:
        work = Work(Deeds(timeline, timeline.head))
        return min((each.step for each in findings_of(work, found_in(work, progress)) if each.drift), default=0)

    first: int = timeline.journal.once("first trouble", found)
    return first


def _suspected(found: Found) -> list[tuple[Drift | None, Weighed | Returned | Reread]]:
    """Return the suspects: of failures before those that no failure speaks of, and certain ones first. A file comes
    once, where it comes up first."""
    named: dict[int, tuple[Drift | None, Weighed | Returned | Reread]] = {}
    for drift in found.drifts:
        for each in drift.weighed[:MOST_OF_ONE]:
            named.setdefault(each.file, (drift, each))
    others: list[Returned | Reread] = [*found.returned, *found.rereads]
    for other in others:
        named.setdefault(other.file, (None, other))
    return sorted(named.values(), key=lambda each: (each[0] is None, _certainty(*each) != "certain"))


def _certainty(drift: Drift | None, each: Weighed | Returned | Reread) -> str:
    if isinstance(each, Weighed):
        assert drift is not None
        return certainty_of(drift, each)
    return certainty_of_other(each)


def _told(work: Work, drift: Drift | None, each: Weighed | Returned | Reread) -> Suspect:
    if isinstance(each, Returned):
        return suspect_returned(work, each)
    if drift is None or isinstance(each, Reread):
        assert isinstance(each, Reread)
        found = suspect_again(work, each)
    else:
        found = suspect_of(drift, each)
    return replace(found, ours=ours_of(work.deeds.timeline, work.deeds.upto, found.node, each))


def _verdict(work: Work, findings: Sequence[Finding], failing: Sequence[Failing]) -> str:
    """Say what was found first; or that nothing went wrong, and what is worth knowing all the same."""
    if any(each.drift for each in findings):
        return findings[0].says
    if findings:
        return f"No drift found. {findings[0].says}"
    if (work.troubles or work.deeds.turns) and not work.deeds.reads and not work.deeds.edits:
        return "No drift found, but nothing is recorded of what the agent read or changed."
    if failing:
        now = [each.name for each in failing if not each.rerun_due]
        due = [each.name for each in failing if each.rerun_due]
        said = [_named("fails now" if len(now) == 1 else "fail now", now)] if now else []
        said += [_named("not run again since a change", due)] if due else []
        return f"No drift found; {'; '.join(said)}."
    return "No drift found."


def _named(state: str, names: Sequence[str]) -> str:
    """Return how many failures are in a state, and the names of the first few."""
    count = "1 failure" if len(names) == 1 else f"{len(names):,} failures"
    more = f" and {len(names) - FEW_NAMES:,} more" if len(names) > FEW_NAMES else ""
    return f"{count} {state}: {', '.join(names[:FEW_NAMES])}{more}"


def _failing(work: Work) -> tuple[Failing, ...]:
    """Return the failures that haven't ended: those that fail now, then those not run again, the latest first."""
    changed = last_change(work.deeds.timeline, work.deeds.upto)
    found = [
        Failing(trouble.told[-1], name, changed > trouble.told[-1])
        for trouble in work.troubles
        if not trouble.end
        for name in names_of(work.deeds, trouble.keys)
    ]
    return tuple(sorted(found, key=lambda each: (each.rerun_due, -each.step, each.name)))


def _unplaced(work: Work) -> int:
    """Return how many failures that haven't ended are at no place that the record has a source of."""
    left = [trouble for trouble in work.troubles if not trouble.end]
    return sum(len(trouble.keys) for trouble in left if not is_placed(work.deeds, trouble))


def _partial(work: Work) -> int:
    """Return how many of the files changed last have lines that the record doesn't know."""
    deeds = work.deeds
    newest = sorted((changes[-1] for changes in deeds.changes.values()), key=lambda change: -change.step)[:MOST_CHANGED]
    return sum(deeds.is_edit(change.step) and not deeds.is_whole(change) for change in newest)


def _looked(work: Work, found: Found, failing: int) -> Looked:
    deeds = work.deeds
    losses = sum(len(cuts) for cuts in deeds.cuts.values())
    return Looked(
        steps=deeds.upto,
        failures=sum(len(trouble.keys) for trouble in work.troubles),
        retried=found.retried,
        examined=found.examined,
        edits=len(deeds.edits),
        reads=len(deeds.reads),
        losses=losses,
        falls=sum(not cause_of(deeds.timeline, fall) for fall in deeds.falls),
        failing=failing,
        unplaced=_unplaced(work),
        partial=_partial(work),
        prompts=len(work.prompts.every),
        failed_calls=len(work.calls.failed_steps),
    )


QUESTION = Question(
    ask=autopsy,
    answers=(Autopsy,),
    example="autopsy",
    arguments=(Argument("suspects", "count", "how many suspects to list", default=SUSPECTS),),
    about="A file is in the agent's window from the step that showed it or changed it until the agent dropped "
    "it. `certain` means recorded, `likely` means inferred from the record, `possible` means that nothing "
    "recorded excludes it.",
    needs=("progress",),
)
