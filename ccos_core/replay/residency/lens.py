"""From a lens to the residency of a node in its windows: the one door for callers. Windows about a text are sampled.

The window of `task:TEXT` or `hybrid:TEXT` changes only when a source, a failure or a link does: between two of these
*turns* it is the same. Up to `Sampled.most` turns all are looked at, and the answer is exact. Beyond that a window is
made where something relevant changed (the node's own file, failures, compactions, marks), then half-way between two
neighbours that differ, until these stand side by side or the looks are used up. What was skipped is `NOT_LOOKED_AT`.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import Usage
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.renames import Name, life, name_at
from ccos_core.replay.residency.nearby import Nearby
from ccos_core.replay.residency.runs import IN, NOT_LOOKED_AT, OUT, PARTIAL, InWorkingSet, Residency, presence
from ccos_core.replay.searching import is_search, searched
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

MOST_LOOKS, FEWEST_LOOKS = 200, 50
"""Windows that are made for one question: the most, and the most where a tree is so large that each takes long."""
FILES_LOOKED_THROUGH = 300_000
"""Files, times windows, that one question looks through. A window of 5,000 files takes about 0.25 s."""
LOOKS_AT_FIRST = 150
"""Windows before any two neighbours are bisected: this many of `MOST_LOOKS`."""
CUTS = (KIND_CODES["compaction"], KIND_CODES["cleared"])


@dataclass
class Sampled:
    """The residency of a node in the windows about a text."""

    timeline: Timeline
    names: Sequence[Name]
    """What the node was called, from step 0 to the head."""
    lens: str
    progress: Progress
    marks: Sequence[int] = ()
    """Steps that the reader marked."""
    turns: Sequence[int] = ()
    """The first step of each stretch in which the window stays the same, from step 0 on."""
    looked: dict[tuple[int, int], int] = field(default_factory=dict)
    """(budget, turn) → the state seen there."""
    most: int = MOST_LOOKS
    """Windows that may be made."""

    def __post_init__(self) -> None:
        self.most = _looks(len(self.timeline.at(self.timeline.head).paths()))
        self.presence = presence(self.timeline.journal, self.names)
        self.turns = self._turns()

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        turns = range(self._turn(first), self._turn(last) + 1)
        for turn in self._chosen(turns):
            self._look(budget, turn)
        self._bisect(budget, turns)
        found = self.presence[first : last + 1].copy()
        ends = [*self.turns, len(self.presence)]
        for turn in turns:
            here = slice(max(ends[turn] - first, 0), min(ends[turn + 1], last + 1) - first)
            found[here][found[here] == OUT] = self.looked.get((budget, turn), NOT_LOOKED_AT)
        return found

    @property
    def moments(self) -> int:
        """How many windows it would take to know every step."""
        return sum(map(self._is_open, range(len(self.turns))))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _turns(self) -> list[int]:
        journal = self.timeline.journal
        tables = (journal.versions, journal.failures, journal.uses)
        steps = np.concatenate([table["step"] for table in tables])
        return [0, *np.unique(journal.begun(steps[steps > 0])).tolist()]

    def _turn(self, step: int) -> int:
        """The stretch a step is in."""
        return bisect_right(self.turns, step) - 1

    def _chosen(self, turns: range) -> list[int]:
        """The turns that are looked at first, in order: all where there are few; else the ends and those at which
        something relevant changed, thinned out evenly."""
        left = self.most - len(self.looked)
        asked = [turn for turn in turns if self._is_open(turn)]
        if len(asked) <= left:
            return asked
        ends = [asked[-1], asked[0]][: max(left, 0)]
        relevant = sorted({*map(self._turn, self._relevant())}.intersection(asked).difference(ends))
        return sorted(
            [*ends, *_thinned(relevant, max(min(left, self.most * LOOKS_AT_FIRST // MOST_LOOKS) - len(ends), 0))]
        )

    def _relevant(self) -> Iterable[int]:
        """Steps at which something changed that is likely to matter."""
        journal = self.timeline.journal
        files = {journal.id(file_node(path_of(name.node) or "")) for name in self.names}
        own = journal.versions["step"][np.isin(journal.versions["path"], sorted(files))]
        cuts = np.nonzero(np.isin(journal.steps["kind"], CUTS))[0] + 1
        return (*own.tolist(), *journal.failures["step"].tolist(), *cuts.tolist(), *self.marks)

    def _is_open(self, turn: int) -> bool:
        """Whether only a window can tell: the node is in the graph at the beginning of the stretch or later in it."""
        ends = [*self.turns[turn : turn + 2], len(self.presence)]
        return bool((self.presence[ends[0] : ends[1]] == OUT).any())

    def _look(self, budget: int, turn: int) -> int:
        """What a real window says."""
        if (budget, turn) not in self.looked:
            self.progress(min(len(self.looked), self.most), self.most)
            step = self.turns[turn]
            window = searched(self.timeline.at(step), self.lens, budget)
            self.looked[budget, turn] = _state(name_at(self.names, step), [item.uri for item in window.items])
        return self.looked[budget, turn]

    def _bisect(self, budget: int, turns: range) -> None:
        """Look half-way between neighbours that differ, the widest gap first."""
        known = [turn for turn in turns if not self._is_open(turn) or (budget, turn) in self.looked]
        while len(self.looked) < self.most:
            gaps = [
                (one - other, one)
                for one, other in pairwise(known)
                if other > one + 1 and self._known(budget, one) != self._known(budget, other)
            ]
            if not gaps:
                return
            size, one = min(gaps)
            middle = one - size // 2
            self._look(budget, middle)
            insort(known, middle)

    def _known(self, budget: int, turn: int) -> int:
        """What is known of a stretch that was looked at, or needn't be."""
        return self.looked.get((budget, turn), int(self.presence[self.turns[turn]]))


def _looks(files: int) -> int:
    """How many windows one question may make of a tree of this size."""
    return min(MOST_LOOKS, max(FILES_LOOKED_THROUGH // max(files, 1), FEWEST_LOOKS))


def _thinned(turns: Sequence[int], most: int) -> Sequence[int]:
    """So many of some turns, evenly spread."""
    return turns if len(turns) <= most else [turns[at * len(turns) // most] for at in range(most)]


def _state(node: str, members: Sequence[str]) -> int:
    if node in members:
        return IN
    is_part = node.startswith("file:") and path_of(node) in map(path_of, members)
    return PARTIAL if is_part else OUT


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
    raise Usage("has no step-by-step history", place=lens, hint=f"Use --lens {WORKING_SET}.")


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
