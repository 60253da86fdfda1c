"""All troubles of a session looked into, and what was found put in order."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from ccos_core.query.autopsy.case import Case, Work
from ccos_core.query.autopsy.judging import Drift, judged
from ccos_core.query.autopsy.loops import idle_runs
from ccos_core.query.autopsy.needs import by_need
from ccos_core.query.autopsy.rereads import Reread, needed_again
from ccos_core.query.autopsy.returning import Returned, returned
from ccos_core.query.autopsy.troubles import Trouble

MOST_CASES = 50
"""Troubles that are looked into, the most persistent ones."""
OFTEN = 5

Progress = Callable[[int, int], None]


class Found(NamedTuple):
    """What there is to say about a session."""

    drifts: tuple[Drift, ...]
    """The certain ones first, of these the gravest."""
    returned: tuple[Returned, ...]
    """What was put back time and again, and nothing failed."""
    rereads: tuple[Reread, ...]
    """What was dropped and needed, as far as that counts, each file once; the most needed first."""
    retried: int
    examined: int


def found_in(work: Work, progress: Progress) -> Found:
    """Look into everything that failed again after something was changed, or that was run again and again."""
    tries = {trouble: _tries(work, trouble) for trouble in work.troubles}
    retried = [trouble for trouble in work.troubles if tries[trouble]]
    persistent = sorted(retried, key=lambda trouble: (-tries[trouble], trouble.begin, trouble.keys))
    drifts = []
    for at, trouble in enumerate(persistent[:MOST_CASES]):
        if at % OFTEN == 0:
            progress(at, min(len(persistent), MOST_CASES))
        drift = judged(Case(work, trouble))
        if drift is not None:
            drifts.append(drift)
    drifts.sort(
        key=lambda drift: (
            drift.certainty != "certain",
            -drift.weight,
            drift.case.trouble.begin,
            drift.case.trouble.keys,
        )
    )
    return Found(
        drifts=tuple(drifts),
        returned=tuple(returned(work)),
        rereads=tuple(by_need(work, needed_again(work))),
        retried=len(retried),
        examined=min(len(retried), MOST_CASES),
    )


def _tries(work: Work, trouble: Trouble) -> int:
    return _changes(work, trouble) or len(idle_runs(work.deeds, trouble))


def _changes(work: Work, trouble: Trouble) -> int:
    """How many runs told it again after something was changed; one more where the last changes weren't run."""
    steps = work.deeds.edit_steps
    if not trouble.end:
        ends = [*trouble.told, work.deeds.upto]
    else:
        ends = list(trouble.told)
    places = [bisect_right(steps, end) for end in ends]
    return sum(after > before for before, after in itertools.pairwise(places))
