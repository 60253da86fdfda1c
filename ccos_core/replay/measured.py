"""How full the host's own windows were, as it said itself, and where they were cut: columns, looked up."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal

USAGE, CUTS = KIND_CODES["usage"], (KIND_CODES["compaction"], KIND_CODES["cleared"])


def counted(journal: Journal, context: int, first: int, last: int) -> Numbers:
    """The steps from one to another at which the host counted the tokens in a context."""
    steps = journal.steps
    begin = max(first, 1) - 1
    mine = (steps["kind"][begin:last] == USAGE) & (steps["context"][begin:last] == context)
    return np.nonzero(mine & (steps["tokens"][begin:last] > 0))[0] + begin + 1


def cuts(journal: Journal, context: int, first: int, last: int) -> list[int]:
    """The steps from one to another at which a context was shortened or emptied."""
    steps = journal.steps
    begin = max(first, 1) - 1
    mine = np.isin(steps["kind"][begin:last], CUTS) & (steps["context"][begin:last] == context)
    return (np.nonzero(mine)[0] + begin + 1).tolist()


def last_counted(journal: Journal, context: int, step: int) -> int | None:
    """The last step up to one at which the host counted, if the context wasn't cut since."""
    found = counted(journal, context, 1, step)
    if not len(found):
        return None
    last = int(found[-1])
    return last if not cuts(journal, context, last, step) else None
