"""How full the host's own windows were, as it said itself, and where they were cut or fell: columns, looked up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.state.host import FALL

USAGE, CUTS = KIND_CODES["usage"], (KIND_CODES["compaction"], KIND_CODES["cleared"])


class Fall(NamedTuple):
    """The host counted far fewer tokens than before, and said nothing of a cut."""

    step: int
    before: int
    after: int


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


def falls(journal: Journal, context: int, first: int, last: int) -> list[Fall]:
    """Where, between two steps, a context held far less than when it was counted before."""
    steps = counted(journal, context, 1, last)
    tokens = journal.steps["tokens"][steps - 1]
    fell = np.nonzero(tokens[1:] * FALL[1] < tokens[:-1] * FALL[0])[0] + 1
    cut = np.asarray(cuts(journal, context, 1, last), np.int64)
    same = np.searchsorted(cut, steps[fell]) == np.searchsorted(cut, steps[fell - 1])
    found = fell[same & (steps[fell] >= first)].tolist()
    return [Fall(int(steps[at]), int(tokens[at - 1]), int(tokens[at])) for at in found]
