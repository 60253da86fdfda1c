"""What the failures, the circles and the losses of a session say: each about a file that is suspected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.words import (
    last_of,
    node_of,
    step_of,
    verdict_of,
    verdict_reread,
    verdict_returned,
)

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.finding import Found

WEIGHTS = {"certain": 900, "likely": 800, "possible": 420}
"""Of what a failure points to, by how sure that is."""
WEIGHT_RETURNED, WEIGHT_REREAD = 780, 400
MOST_DRIFTS = 5
"""Findings from failures; the other failures stand with the suspects."""


def find(work: Work, found: Found) -> Iterator[Finding]:
    """Yield what failures, circles and losses point to, each file once; their evidence stands with the suspects."""
    named: set[str] = set()
    for each in _every(work, found):
        if each.node not in named:
            named.add(each.node)
            yield each


def _every(work: Work, found: Found) -> Iterator[Finding]:
    for rank, drift in enumerate(found.drifts[:MOST_DRIFTS]):
        step = step_of(drift)
        yield Finding(
            drift.kind, drift.certainty, True, step, last_of(drift), verdict_of(drift), (),
            WEIGHTS[drift.certainty] - rank, node_of(work, drift.about.file),
        )  # fmt: skip
    for each in found.returned[:1]:
        certainty = "certain" if each.recorded else "likely"
        yield Finding(
            "loop", certainty, True, each.backs[0].step, each.backs[-1].step, verdict_returned(work, each), (),
            WEIGHT_RETURNED, node_of(work, each.file),
        )  # fmt: skip
    if found.rereads:
        first = found.rereads[0]
        last = max(each.step for each in found.rereads)
        certainty = "certain" if first.before.recorded else "likely"
        yield Finding(
            "reread", certainty, True, first.before.by, last, verdict_reread(found.rereads), (), WEIGHT_REREAD,
            node_of(work, first.file),
        )  # fmt: skip
