"""The same few commands failing again and again in one stretch: a push that is rejected over and over.

Tests, builds and checks don't count, since they fail until the work is done, nor do searches that find nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.calls import is_check, runs_of, what_failed
from ccos_core.query.autopsy.findings.sentences import times
from ccos_core.query.autopsy.words import evidence_of

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

APART_CALLS = 8
"""Calls from one failure to the next, beyond which the stretch ends."""
MANY = 4
"""Failures of the same command in a stretch."""
FEW_COMMANDS = 3
"""Different commands that fail in a stretch, all in all, most of the time."""
MOST_TOLD = 8
WEIGHT = 680


class _Failure(NamedTuple):
    step: int
    call: int
    """Which call of the session it was."""
    context: int
    what: str


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each stretch."""
    by_context: dict[int, list[_Failure]] = {}
    for failure in _failures(work):
        by_context.setdefault(failure.context, []).append(failure)
    for failures in by_context.values():
        stretch = failures[:1]
        for before, failure in pairwise(failures):
            if failure.call - before.call > APART_CALLS:
                yield from _told(work, stretch)
                stretch = []
            stretch.append(failure)
        yield from _told(work, stretch)


def _failures(work: Work) -> Iterator[_Failure]:
    places = {step: at for at, step in enumerate(work.calls.steps)}
    for call in work.calls.failed:
        if call.is_refused or call.is_unread_edit:
            continue
        command = work.calls.command(call.step)
        if not command or any(is_check(run) for run in runs_of(command)):
            continue
        what = what_failed(command)
        if what:
            yield _Failure(call.step, places[call.step], call.context, what)


def _told(work: Work, stretch: list[_Failure]) -> Iterator[Finding]:
    counts = Counter(failure.what for failure in stretch)
    if not counts:
        return
    what, count = max(counts.items(), key=lambda each: (each[1], each[0]))
    if count < MANY or 2 * count < len(stretch) or len(counts) > FEW_COMMANDS:
        return
    first, last = stretch[0].step, stretch[-1].step
    says = f"Between steps {first:,} and {last:,} `{what}` failed {times(count)}, one attempt after another."
    notes = [(failure.step, f"`{failure.what}` fails") for failure in stretch[:MOST_TOLD]]
    yield Finding("thrash", "certain", True, first, last, says, evidence_of(work, notes), WEIGHT + min(count, 20))
