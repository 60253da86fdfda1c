"""Failures that no run reports as ended, although the same command passes and no longer reports them.

A run ends a failure if it is known what the run covered. `make test` and its like hide that: they print what their tool
prints, and not what they asked of it. If the same command passes, the failure is taken to be over, and the answer says
that this is inferred.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccos_core.intake.failures.command import runs
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.replay.codes import KIND_CODES

CALLS_AFTER = 80
"""Calls after a failure was told last that are looked at."""
FILTERS = ("head", "tail", "grep", "egrep", "rg", "tee", "cat", "less", "sed", "awk", "sort", "wc")
"""They shorten what a run prints."""

Command = tuple[tuple[str, tuple[str, ...], str], ...]
"""What is run, with which words, in which folder."""


def presumed_end(deeds: Deeds, told: Sequence[int]) -> int:
    """The first step after a failure was told last at which the same command passes and tells nothing; 0 for none."""
    meant = {command for step in told if (command := _command(deeds, step))}
    if not meant:
        return 0
    kinds = deeds.journal.steps["kind"][told[-1] : deeds.upto]
    calls = (np.nonzero(kinds == KIND_CODES["tool"])[0][:CALLS_AFTER] + told[-1] + 1).tolist()
    return next((step for step in calls if _command(deeds, step) in meant and _tells_nothing(deeds, step)), 0)


def _command(deeds: Deeds, step: int) -> Command:
    """What a call ran, but for what shortens its output; nothing where that isn't known, or the shell's to work out."""
    known = deeds.commands
    if step not in known:
        known[step] = _read(deeds, step)
    return known[step]


def _read(deeds: Deeds, step: int) -> Command:
    found = [run for run in runs(deeds.command(step)) if run.tool not in FILTERS]
    if any(run.dynamic for run in found):
        return ()
    return tuple((run.tool, run.words, run.folder or deeds.op(step).get("cwd", ".")) for run in found)


def _tells_nothing(deeds: Deeds, step: int) -> bool:
    """Whether a run succeeded, and what it prints tells of passes and of no failure."""
    op = deeds.op(step)
    if op.get("outcome") != "ok":
        return False
    deeds.timeline.facts.under(deeds.timeline.sources.pins(step))
    report = deeds.timeline.facts.report(op)
    return report is not None and bool(report.passes) and not report.failures
