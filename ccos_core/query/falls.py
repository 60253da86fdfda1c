"""Where the recorded usage of a context fell, and nothing recorded says why.

The fold marks as uncertain what such a context held before; this tells where, for all who tell of steps. A compaction
or a clearing explains what follows it, and a message that was never sent counts nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ccos_core.intake.importers.record import RESUMED
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import STATES
from ccos_core.replay.measure import CUTS, USAGE
from ccos_core.state.holding import OUT
from ccos_core.state.host import FALL

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

NOTE = KIND_CODES["annotation"]


class Fall(NamedTuple):
    """A context had fewer tokens than the time before."""

    step: int
    context: int
    before: int
    after: int


def falls(journal: Journal, upto: int) -> list[Fall]:
    """All of them up to a step, in the order of the steps."""
    every = _all(journal)
    return every[: bisect_right(every, upto, key=_STEP)]


def fell_at(journal: Journal, step: int) -> Fall | None:
    """The fall a step tells of, if it tells of one."""
    every = _all(journal)
    at = bisect_left(every, step, key=_STEP)
    return every[at] if at < len(every) and every[at].step == step else None


def cause_of(timeline: Timeline, fall: Fall) -> str:
    """Why a context fell, as a key of `telling.FALL_CAUSES`: a note of the host says so between the two counts."""
    steps = timeline.journal.steps
    mine = steps["context"][: fall.step] == fall.context
    counted = np.nonzero(mine[:-1] & (steps["kind"][: fall.step - 1] == USAGE))[0]
    since = int(counted[-1]) + 1 if len(counted) else 0
    notes = np.nonzero(mine[since:] & (steps["kind"][since : fall.step] == NOTE))[0] + since + 1
    return "resumed" if any(_is_resumption(timeline.op(step)) for step in notes.tolist()) else ""


def _is_resumption(op: Mapping[str, Any]) -> bool:
    return op.get("phase") == RESUMED and op.get("actor") == "host"


_STEP = attrgetter("step")


def _all(journal: Journal) -> list[Fall]:
    found: list[Fall] = journal.once("falls", lambda: _found(journal))
    return found


def _found(journal: Journal) -> list[Fall]:
    kinds, tokens, contexts = (journal.steps[name] for name in ("kind", "tokens", "context"))
    is_cut = np.isin(kinds, CUTS)
    at = np.nonzero(is_cut | ((kinds == USAGE) & (tokens > 0)))[0]
    at = at[np.argsort(contexts[at], kind="stable")]
    windows = np.where(is_cut[at], 0, tokens[at])
    before, after = windows[:-1], windows[1:]
    same = contexts[at[:-1]] == contexts[at[1:]]
    fell = np.nonzero(same & (after > 0) & (after * FALL[1] < before * FALL[0]))[0]
    rows = (at[fell + 1] + 1, contexts[at[fell + 1]], before[fell], after[fell])
    found = [_without_thoughts(journal, Fall(*row)) for row in zip(*(row.tolist() for row in rows), strict=True)]
    return sorted(fall for fall in found if fall.after * FALL[1] < fall.before * FALL[0])


def _without_thoughts(journal: Journal, fall: Fall) -> Fall:
    """Take the thoughts of earlier turns off the count before: services drop them once the user speaks again."""
    held = journal.held
    rows = np.flatnonzero(held["context"] == fall.context)
    rows = rows[: np.searchsorted(held["step"][rows], fall.step, side="right")]
    now = rows[held["step"][rows] == fall.step]
    gone = held["item"][now[held["state"][now] == STATES.index(OUT)]].tolist()
    thoughts = [item for item in gone if journal.name(item).startswith("thought:")]
    earlier = rows[(held["step"][rows] < fall.step) & np.isin(held["item"][rows], thoughts)]
    last = dict(zip(held["item"][earlier].tolist(), held["tokens"][earlier].tolist(), strict=True))
    return fall._replace(before=fall.before - sum(last.values()))
