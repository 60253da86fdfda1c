"""By which op something came: of a change of the journal, of a look at the tree, of an answer that tells many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.telling import Told, told
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import NO_CAUSE
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


class Telling:
    """Ops as they are told, each read once."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._told: dict[int, Told] = {}

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


def own_step(timeline: Timeline, row: int, since: int) -> int | None:
    """The step of the last change of a node's heat up to a row of it, among the rows from `since` on; where it has
    changed in other ways only, that of the last of these; None where nothing of its own has."""
    journal = timeline.journal
    causes, before = journal.changes["cause"], journal.changes["before"]
    at = row
    while at >= since and causes[at] == NO_CAUSE:
        at = int(before[at])
    at = at if at >= since else row
    return stamp(timeline, at) if at >= since else None


def stamp(timeline: Timeline, row: int) -> int:
    """The step of one change."""
    return int(np.searchsorted(timeline.journal.steps["rows"], row, side="right")) + 1
