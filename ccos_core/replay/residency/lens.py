"""From a lens to the residency of a node in its windows: the one door for whoever asks who was in what."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.errors import Usage
from ccos_core.replay.identity import life, name_at
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.nearby import Nearby
from ccos_core.replay.residency.runs import InWorkingSet, Residency
from ccos_core.replay.residency.sampled import Sampled
from ccos_core.replay.searching import is_search

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

Progress = Callable[[int, int], None]
"""Hears how much of how much is done; may raise to stop it."""
WORKING_SET = "working-set"
AROUND = "around:"
KEPT = 8
"""Nodes whose residency is kept at hand."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A node, through all of a session, in the windows of a lens."""

    lens: str
    names: Sequence[Name]
    residency: Residency

    def name(self, step: int) -> str:
        """What it was called at a step."""
        return name_at(self.names, step)


def unheard(done: int, total: int) -> None:
    """Nobody wants to know how far it has come."""


def watched(
    timeline: Timeline, node: str, lens: str, at: int, progress: Progress = unheard, marks: Sequence[Mark] = ()
) -> Watched:
    """The residency, in the windows of a lens, of the node that has this name at a step. Where not all moments can be
    looked at, those that the reader marked are among them."""
    names = life(timeline, node, at)
    if lens == WORKING_SET:
        return Watched(lens, names, _kept(timeline.journal, names))
    if lens.startswith(AROUND) and lens != AROUND:
        anchor = timeline.node(lens.removeprefix(AROUND), at)
        return Watched(lens, names, Nearby(timeline, names, life(timeline, anchor, at), progress))
    if is_search(lens):
        return Watched(lens, names, Sampled(timeline, names, lens, progress, (at, *(mark.step for mark in marks))))
    raise Usage("isn't known step by step", place=lens, hint=f"Ask for it in the {WORKING_SET}.")


def _kept(journal: Journal, names: Sequence[Name]) -> InWorkingSet:
    """What was worked out for one of the last nodes that were asked for holds for any budget. By all its names: two
    files may have got the same one in one look."""
    known: OrderedDict[tuple[Name, ...], InWorkingSet] = journal.once("residencies", OrderedDict)
    whole = tuple(names)
    found = known.pop(whole, None) or InWorkingSet(journal, names)
    known[whole] = found
    if len(known) > KEPT:
        known.popitem(last=False)
    return found
