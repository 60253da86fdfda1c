"""By which op something came: of a change of the journal, of a look at the tree, of an answer that tells many."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.telling import Told, told
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import GONE
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


class Telling:
    """Ops as they are told, each read once."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._told: dict[int, Told] = {}

    def have_ready(self, steps: Iterable[int]) -> None:
        """Read the ops of these steps in one sweep: somebody is going to ask for each."""
        self.timeline.have_ready([step for step in dict.fromkeys(steps) if step not in self._told])

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


def raised(timeline: Timeline, row: int, since: int) -> int | None:
    """The step at which a node came up in the order last, by itself, up to a row of it: its score grew, or its tier
    became a better one. Among the rows from `since` on; None where it didn't in these."""
    return _turned(timeline, row, since, lambda score, was, tier, had: score > was or tier < had)


def lowered(timeline: Timeline, row: int, since: int) -> int | None:
    """The step at which it went down last, by itself."""
    return _turned(timeline, row, since, lambda score, was, tier, had: score < was or tier > had)


def _turned(timeline: Timeline, row: int, since: int, is_so: Callable[[int, int, int, int], bool]) -> int | None:
    changes = timeline.journal.changes
    scores, tiers, before = changes["score"], changes["tier"], changes["before"]
    while row >= since:
        was = int(before[row])
        score, tier = (int(scores[was]), int(tiers[was])) if was >= 0 else (0, GONE)
        if is_so(int(scores[row]), score, int(tiers[row]), tier):
            return stamp(timeline, row)
        row = was
    return None


def stamp(timeline: Timeline, row: int) -> int:
    """The step of one change."""
    return int(np.searchsorted(timeline.journal.steps["rows"], np.int32(row), side="right")) + 1
