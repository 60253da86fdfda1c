"""Where the recorded usage of a context fell, and nothing recorded says why.

The fold marks as uncertain what such a context held before; this tells where, for all who tell of steps. A compaction
or a clearing explains what follows it, and a message that was never sent counts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.state.host import FALL

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal

CUTS = tuple(KIND_CODES[kind] for kind in ("compaction", "cleared"))


class Fall(NamedTuple):
    """A context had fewer tokens than the time before."""

    step: int
    context: int
    before: int
    after: int


def falls(journal: Journal, upto: int) -> list[Fall]:
    """All of them up to a step, in the order of the steps."""
    kinds, tokens, contexts = (journal.steps[name][:upto] for name in ("kind", "tokens", "context"))
    is_cut = np.isin(kinds, CUTS)
    at = np.nonzero(is_cut | ((kinds == KIND_CODES["usage"]) & (tokens > 0)))[0]
    at = at[np.argsort(contexts[at], kind="stable")]
    windows = np.where(is_cut[at], 0, tokens[at])
    before, after = windows[:-1], windows[1:]
    same = contexts[at[:-1]] == contexts[at[1:]]
    fell = np.nonzero(same & (after > 0) & (after * FALL[1] < before * FALL[0]))[0]
    rows = (at[fell + 1] + 1, contexts[at[fell + 1]], before[fell], after[fell])
    return sorted(Fall(*row) for row in zip(*(row.tolist() for row in rows), strict=True))


def fell_at(journal: Journal, step: int) -> Fall | None:
    """The fall a step tells of, if it tells of one."""
    if not 0 < step <= len(journal.steps) or int(journal.steps["kind"][step - 1]) != KIND_CODES["usage"]:
        return None
    found = falls(journal, step)
    return found[-1] if found and found[-1].step == step else None
