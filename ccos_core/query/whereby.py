"""By which op something came: of a change of the journal, of a look at the tree, of an answer that tells many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.telling import Told, told, told_all
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import GONE
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline


class Telling:
    """Ops as they are told, each read once."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._told: dict[int, Told] = {}

    def have_ready(self, steps: Iterable[int]) -> None:
        """Read and describe the ops of these steps in one sweep, before each is asked for."""
        self._told |= told_all(self.timeline, [step for step in dict.fromkeys(steps) if step not in self._told])

    def at(self, step: int) -> Told:
        """The op that made a step."""
        if step not in self._told:
            self._told[step] = told(self.timeline, step)
        return self._told[step]

    def of(self, step: int, node: str) -> Told:
        """The op by which something of a node changed at a step."""
        return self.at(step_of(self.timeline, step, node))


def step_of(timeline: Timeline, step: int, node: str) -> int:
    """What a look at the tree changed stands under its first step; this gives the one that is about the node's file,
    the last of several. Other steps are as they are."""
    journal = timeline.journal
    if not step or not journal.steps["look"][step - 1]:
        return step
    path, last = path_of(node) or "", journal.last_moment(step)
    about = np.nonzero(journal.steps["name"][step - 1 : last] == journal.id(file_node(path)))[0]
    kinds = journal.steps["kind"][step - 1 : last]
    moved = (np.nonzero(kinds == KIND_CODES["renamed"])[0] + step).tolist()
    here = [each for each in moved if timeline.op(each)["to"] == path]
    return max([*here, *(int(at) + step for at in about[-1:])], default=step)


def raised(journal: Journal, rows: Sequence[int], since: int) -> list[int]:
    """Of some nodes, up to a row of each, the step at which it came up in the order last, by itself: its score grew,
    or its tier became a better one. Among the rows from `since` on; 0 where it didn't in these."""
    return _turned(journal, rows, since, lambda score, was, tier, had: (score > was) | (tier < had))


def lowered(journal: Journal, rows: Sequence[int], since: int) -> list[int]:
    """The step at which each went down last, by itself."""
    return _turned(journal, rows, since, lambda score, was, tier, had: (score < was) | (tier > had))


def _turned(journal: Journal, rows: Sequence[int], since: int, is_so: Callable[..., Numbers]) -> list[int]:
    """All of them go back together, a change at a time, as far as they have to."""
    scores, tiers, before = (journal.changes[name] for name in ("score", "tier", "before"))
    at = np.array(rows, np.int32)
    going = np.nonzero(at >= since)[0]
    while len(going):
        here = at[going]
        was = before[here]
        began = was < 0
        score, tier = np.where(began, 0, scores[was]), np.where(began, GONE, tiers[was])
        on = ~is_so(scores[here], score, tiers[here], tier)
        going, was = going[on], was[on]
        at[going] = was
        going = going[was >= since]
    found: list[int] = np.where(at >= since, np.searchsorted(journal.steps["rows"], at, side="right") + 1, 0).tolist()
    return found
