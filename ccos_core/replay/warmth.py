"""How warm one node was through a whole record, column by column: what a small curve beside its name is drawn from.

A score stays as it is until something touches the node, while a read counts for more with every step. So in a column a
node is warmest where the column begins, where something touched it, or where other rules came to hold; only those steps
are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.identity import life
from ccos_core.replay.measure import Gauge
from ccos_core.replay.residency.course import rows_of

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.timeline import Timeline


def warmth(timeline: Timeline, node: str, at: int, columns: int) -> tuple[int, ...]:
    """The most a node's score came to in each column, in hundredths of a fresh read of a plain function at each step.

    The node is the one that is called so at a step, under all its names. With 0 columns each step has its own; there
    are no more of them than steps."""
    journal = timeline.journal
    head = journal.head
    count = min(columns or head, head)
    if not count:
        return ()
    begins = np.arange(count, dtype=np.int64) * head // count + 1
    found = np.zeros(count, np.int64)
    for name in life(timeline, node, at):
        rows = np.asarray(rows_of(journal, journal.id(name.node))[::-1], np.int64)
        steps = _looked_at(timeline, name, begins, journal.stamps[rows])
        last = np.searchsorted(journal.stamps[rows], steps, side="right") - 1
        steps, last = steps[last >= 0], last[last >= 0]
        scores = Gauge(journal).scored(steps, journal.changes["score"][rows[last]])
        np.maximum.at(found, np.searchsorted(begins, steps, side="right") - 1, scores)
    return tuple(found.tolist())


def _looked_at(timeline: Timeline, name: Name, begins: Numbers, touched: Numbers) -> Numbers:
    """The steps in the time of a name at which the node may be warmer than at any other of their column."""
    rules = timeline.journal.rules["step"].astype(np.int64)
    first = max(name.first, 1)
    steps = np.unique(np.concatenate([begins, touched.astype(np.int64), rules, [first]]))
    found: Numbers = steps[(steps >= first) & (steps <= name.last)]
    return found
