"""When a failure is known to have been all right before: from the runs that came before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.intake.failures.paths import Known, placed
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.troubles import Trouble
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.past import failure_told
from ccos_core.values.outcome import Pass, Report, ends

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

RUNS_BACK = 60
"""Calls before a failure whose outputs are looked at."""


def last_green(deeds: Deeds, trouble: Trouble) -> int:
    """The last step before a trouble at which all of its failures are known to have been all right; 0 if none is."""
    kinds = deeds.journal.steps["kind"][trouble.since : trouble.begin - 1]
    runs = np.nonzero((kinds == KIND_CODES["tool"]) | (kinds == KIND_CODES["passed"]))[0] + trouble.since + 1
    rows = {int(deeds.journal.failures["key"][row]): row for row in trouble.rows}
    failures = [failure_told(deeds.journal, row)[1].failure for row in rows.values()]
    for step in reversed(runs[-RUNS_BACK:].tolist()):
        passes = _passes(deeds, step)
        if all(any(ends(passing, failure) for passing in passes) for failure in failures):
            return int(step)
    return trouble.since


def _passes(deeds: Deeds, step: int) -> tuple[Pass, ...]:
    """What a run says that passes, each run read once."""
    if step not in deeds.passes:
        deeds.passes[step] = _read(deeds, deeds.op(step), step)
    return deeds.passes[step]


def _read(deeds: Deeds, op: Plain, step: int) -> tuple[Pass, ...]:
    known = Known(deeds.every_path, op.get("cwd", "."))
    if op["kind"] == "passed":
        told = Report((), (Pass(op["runner"], op["scope"], tuple(op.get("tests", ())), tuple(op.get("paths", ()))),))
        return placed(told, known).passes if op["scope"] != "nodes" else ()
    deeds.timeline.facts.under(deeds.timeline.sources.pins(step))
    report = deeds.timeline.facts.report(op)
    return placed(report, known).passes if report else ()
