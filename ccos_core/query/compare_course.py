"""How a session went, in the figures by which two of them are compared: its outcome, its edits, its failures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.intake.git_deeds import DONE, MAKING, PUSH
from ccos_core.query.commits import commits
from ccos_core.query.cost import cost
from ccos_core.query.recoveries import DUE, ENDED, FAILING, Recovery, recoveries
from ccos_core.query.step_outline import how_bit, outline_of
from ccos_core.replay.codes import HOW_CODES, KIND_CODES, NO_TIME
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.prices import Prices

MOST_EDITED = 5
EDITS = ("edit", "write")


@dataclass(frozen=True, slots=True)
class Edited:
    """A file, and how often a session changed it."""

    path: str
    times: int
    """How often."""


@dataclass(frozen=True, slots=True)
class Course:
    """How one session went."""

    outcome: str
    """At its end: `failing`, `rerun due` (files were changed since the last failing run), `passed` (nothing fails that
    ever failed) or `unknown` (no run reported anything)."""

    failing: int
    """Failures at the end, whether they were run again or not."""

    model: str
    """The model that wrote last; empty if unknown."""

    millis: int | None
    """From the first step with a time to the last."""

    first_edit: int
    """The step of the first edit; 0 if there is none."""

    read_before: int
    """Files that were read before it."""

    edits: int
    """Calls that changed files."""

    failed_runs: int
    """Calls that reported failures."""

    commits: int
    """Commits and merges that were made."""

    pushes: int
    """Pushes that arrived."""

    most_edited: tuple[Edited, ...]
    """The files that were changed most often."""

    edited: tuple[str, ...]
    """All files that were changed, sorted."""

    met: tuple[Recovery, ...]
    """Failures, those that last first."""

    micros: int | None = None
    """What it cost at list prices, in millionths of a dollar; null if no model has a price."""

    unpriced: int = 0
    """Requests of models without a price, which that leaves out."""


def course_of(timeline: Timeline, progress: Callable[[int, int], None], prices: Prices) -> Course:
    """Work out how a session went up to its end."""
    outline, steps = outline_of(timeline), timeline.journal.steps
    spent = cost(timeline, timeline.head, None, None, prices=prices)
    met = recoveries(timeline, timeline.head, calls=False).failures
    bits = how_bit(HOW_CODES["edit"]) | how_bit(HOW_CODES["write"])
    edits = np.flatnonzero(outline.kinds & bits)
    first_edit = int(outline.step[edits[0]]) if len(edits) else 0
    changed = _changed(timeline)
    deeds = [
        each for each in commits(timeline, timeline.head, sha="", progress=progress).commits if each.outcome == DONE
    ]
    times = steps["at"][steps["at"] != NO_TIME]
    return Course(
        outcome=_outcome(met, bool((steps["kind"] == KIND_CODES["passed"]).any())),
        failing=sum(1 + len(each.others) for each in met if each.state != ENDED),
        model=_model(timeline),
        millis=int(times.max() - times.min()) if len(times) else None,
        first_edit=first_edit,
        read_before=_read_before(timeline, first_edit),
        edits=len(edits),
        failed_runs=int(np.count_nonzero(outline.fails)),
        commits=sum(each.kind in MAKING for each in deeds),
        pushes=sum(each.kind == PUSH for each in deeds),
        most_edited=tuple(Edited(path, times) for path, times in changed[:MOST_EDITED]),
        edited=tuple(sorted(path for path, _ in changed)),
        met=met,
        micros=spent.micros,
        unpriced=spent.unpriced,
    )


def _outcome(met: tuple[Recovery, ...], passes: bool) -> str:
    states = {each.state for each in met}
    if FAILING in states:
        return "failing"
    if DUE in states:
        return "rerun due"
    return "passed" if met or passes else "unknown"


def _changed(timeline: Timeline) -> list[tuple[str, int]]:
    """(path, how often it was changed), the most changed first."""
    steps = timeline.journal.steps
    changed = steps["name"][np.isin(steps["how"], [HOW_CODES[how] for how in EDITS])].tolist()
    counted = Counter(path_of(timeline.journal.name(number)) or "" for number in changed)
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def _read_before(timeline: Timeline, step: int) -> int:
    steps = timeline.journal.steps
    upto = step - 1 if step else timeline.head
    return len(np.unique(steps["name"][:upto][steps["how"][:upto] == HOW_CODES["read"]]))


def _model(timeline: Timeline) -> str:
    turns = np.flatnonzero(np.isin(timeline.journal.steps["kind"], [KIND_CODES["turn"], KIND_CODES["usage"]])) + 1
    for step in reversed(turns[-8:].tolist()):
        if model := timeline.op(step).get("model"):
            return str(model)
    return ""
