"""Going forward through the moments of a session, and saying at each whether a node is in the window about a text.

In a `task` what fails comes first; as long as that fills a window, no text has to be looked at. In a `hybrid` all
speaks together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.identity import name_at
from ccos_core.replay.residency.asked import Asked
from ccos_core.replay.residency.bounds import Bounds, Weighing
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.closely import Closely
from ccos_core.replay.residency.edges import Edges
from ccos_core.replay.residency.failing import Failing
from ccos_core.replay.residency.fitting import Fitting, Standing
from ccos_core.replay.residency.foremost import foremost_of
from ccos_core.replay.residency.going import Going
from ccos_core.replay.residency.linked import Linked
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.nearing import Nearing
from ccos_core.replay.residency.pressed import Pressed, strongest
from ccos_core.replay.residency.prospects import Prospects, WithAll
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL
from ccos_core.replay.residency.stretches import Stretch, stretches_of
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import NOBODY, Wordings, wordings_of
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.retrieval.report import report
from ccos_core.values.ids import file_node, path_of
from ccos_core.window import ranking
from ccos_core.window.layout import opening
from ccos_core.window.ranking import query
from ccos_core.window.task import room_in

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.residency.lens import Progress
    from ccos_core.replay.timeline import Timeline

MOST_AT_FIRST = 200
"""Nodes that are pressed on most, which are looked at before the others: seldom is there room for more."""


class Walk:
    """A node, called so, and a text. All that is read of a record is read before the first moment: what comes behind is
    for another process as well, which mustn't read by what this one has open."""

    def __init__(self, timeline: Timeline, names: Sequence[Name], text: str, budget: int, progress: Progress) -> None:
        self.timeline = timeline
        self.names = names
        self.text = text
        self.progress = progress
        self.journal = timeline.journal
        self.wordings: Wordings = wordings_of(timeline, progress)
        self.stretches = stretches_of(self.wordings, self.journal)
        openings = np.array([opening(path) for path in self.wordings.paths], np.int64)
        self.fitting = Fitting(self.wordings, openings, room_in(budget))
        self.going = Going(self.wordings, len(self.journal.names))
        self.pressed = Pressed(self.journal)
        self._files: list[int] = self.journal.versions["path"].tolist()

    def state(self, step: int) -> int:
        """What the node is at a step, not before the last one that was asked for."""
        last = self.journal.last_moment(step)
        upto = self.journal.versions.upto(last)
        files = self._files[self.going.upto : upto]
        nodes = self.going.move(self._files, upto)
        return self._after(step, last, files, nodes, self.pressed.move(last))

    # -- for those below ------------------------------------------------------------------------------------------

    def _after(self, step: int, last: int, files: Sequence[int], nodes: Numbers, is_pressed: bool) -> int:
        """The same where these files have other versions since, other wordings hold these nodes, and maybe other
        failures press."""
        raise NotImplementedError

    @cached_property
    def mine(self) -> Numbers:
        """All wordings of the node; of a file those of all that ever was in it."""
        numbers = [self.journal.id(name.node) for name in self.names]
        if self.names[-1].node.startswith("file:"):
            paths = [path_of(name.node) for name in self.names]
            return np.flatnonzero(
                np.isin(self.wordings.file, [at for at, path in enumerate(self.wordings.paths) if path in paths])
            )
        return np.unique(self.wordings.wording[np.isin(self.wordings.nodes, numbers) & self.wordings.own])

    def _nearing(self, best: int, mattering: Callable[[Stretch], Numbers]) -> Nearing:
        said = report(self.text)
        told = mentions(said.text)
        asked = Asked(self.wordings, query(said), self.stretches)
        called = Called(self.timeline, self.wordings, told)
        naming = Naming(called, self.journal.versions["path"], told, self.stretches, self.progress)
        return Nearing(Weighing(asked, naming, self.fitting.room, best, self.mine, mattering))

    def _there(self, step: int) -> tuple[int, Numbers]:
        """(the wording of the node itself, or less than 0; all documents that say anything of it)."""
        node, upto = name_at(self.names, step), self.going.upto
        number = self.journal.id(node)
        own = int(self.going.itself[number]) if number >= 0 else NOBODY
        every = self.wordings.in_file(path_of(node) or "") if node.startswith("file:") else [own] if own >= 0 else []
        mine = np.array(every, np.int32)
        return own, mine[self.wordings.are_there(mine, upto)]


def _found(own: int, mine: Numbers, is_in: Callable[[Numbers], bool | None]) -> int | None:
    """What a node is by whether its documents are in; None where that can't be told."""
    found = is_in(mine)
    if found and own >= 0 and len(mine) > 1:
        itself = is_in(np.array([own]))
        return itself if itself is None else IN if itself else PARTIAL
    return found if found is None else OUT if not found else IN if mine[0] == own else PARTIAL


class InHybrid(Walk):
    """In windows in which all speaks together."""

    def __init__(self, timeline: Timeline, names: Sequence[Name], text: str, budget: int, progress: Progress) -> None:
        super().__init__(timeline, names, text, budget, progress)
        self.prospects = WithAll(self.stretches, self.mine, self.wordings, self.journal, self.pressed)
        foremost = foremost_of(self.journal, self.wordings, self.stretches)
        self.nearing = self._nearing(ranking.AROUND_THEM, foremost.within)
        self._edges = Edges(self.wordings, Using(self.journal))
        self._failing = Failing(self.fitting, self.pressed)
        self._linked = Linked(self.fitting, self._edges)
        self.closely = Closely(self.fitting, self._failing)
        self._turned = np.zeros(len(self.journal.names), bool)
        """Node → whether another wording holds it since a window was looked at closely."""
        self._known, self._by = OUT, _By(None, frozenset(), (NOBODY, b""))

    def _after(self, step: int, last: int, files: Sequence[int], nodes: Numbers, is_pressed: bool) -> int:
        self._turned[nodes] = True
        is_other, (own, mine) = self._edges.move(last, nodes), self._there(step)
        told = own, mine.tobytes()
        is_same = not is_other and self._by.holds(self.stretches.place(self.going.upto), files, told)
        if not is_same or is_pressed or not self._bears(nodes, mine):
            self._known, bounds = self._looked(own, mine, is_same) if len(mine) else (OUT, None)
            self._by = _By(bounds, self._files_of(bounds), told)
        return self._known

    def _bears(self, nodes: Numbers, mine: Numbers) -> bool:
        """Whether it makes no difference that other wordings hold some nodes, where neither text nor links do."""
        if not self._failing.is_on(nodes):
            return True
        handed = self._failing.hand_on(self.going.holder, nodes)
        return handed is not None and self.closely.bears(handed, mine)

    def _looked(self, own: int, mine: Numbers, is_same: bool) -> tuple[int, Bounds | None]:
        """(what the node is, by which bounds a look at the window says so; none, if nobody looked)."""
        for bounds in self.nearing.looks(self.going.upto):
            if not self.prospects.may_be_in(bounds, self.going.holder):
                return OUT, None
            self.look(bounds, is_same)
            found = _found(own, mine, self.closely.is_in)
            if found is not None:
                return found, bounds
        raise AssertionError("exact bounds settle everything")

    def look(self, bounds: Bounds, is_same: bool) -> None:
        """Look at the moment closely, with all that is looked at only where it must."""
        turned, holder = np.flatnonzero(self._turned), self.going.holder
        self._turned[turned] = False
        before = self._linked.look(bounds, self.going.upto, holder, is_same)
        self.closely.look(bounds, before, self._failing.move(holder, turned) or not is_same)

    def _files_of(self, bounds: Bounds | None) -> frozenset[int]:
        """The files of all that may be among the first."""
        if bounds is None:
            return frozenset()
        if bounds is self._by.bounds:
            return self._by.files
        return frozenset(self.wordings.numbers[self.wordings.file[bounds.first]].tolist())


@dataclass(frozen=True, slots=True)
class _By:
    """By what it was told of a node what it is."""

    bounds: Bounds | None
    files: frozenset[int]
    """Files of which it matters what is in them."""
    documents: tuple[int, bytes]
    """Those of the node."""

    def holds(self, place: int, files: Sequence[int], documents: tuple[int, bytes]) -> bool:
        """Whether that is still so, where these files have other versions since."""
        return (
            self.bounds is not None
            and place in self.bounds.stretch
            and self.documents == documents
            and self.files.isdisjoint(files)
        )


class InTask(Walk):
    """In windows in which what fails comes first."""

    def __init__(self, timeline: Timeline, names: Sequence[Name], text: str, budget: int, progress: Progress) -> None:
        super().__init__(timeline, names, text, budget, progress)
        self.prospects = Prospects(self.stretches, self.mine)
        self._file_of = np.full(len(self.journal.names), -1, np.int64)
        """Node → the node of the file it ever was in."""
        self._file_of[self.wordings.nodes] = np.repeat(self._files, np.diff(self.wordings.ends, prepend=0))
        self._its_files = {self.journal.id(file_node(path_of(name.node) or "")) for name in names}
        self._involved: set[int] | None = None
        """The files on which it depends who is in, as far as no failure becomes another; all, where that is None."""
        self._known = OUT
        self.nearing = self._nearing(0, lambda _: self.mine[:0])
        """The text; nobody looks at it as long as what fails fills all windows."""

    def _after(self, step: int, last: int, files: Sequence[int], nodes: Numbers, is_pressed: bool) -> int:
        if is_pressed or self._involved is None or not self._involved.isdisjoint(files):
            self._known = self._state(*self._there(step))
        return self._known

    def _state(self, own: int, mine: Numbers) -> int:
        failing, full = self._pressing()
        is_failing = self.fitting.are_among(mine, failing)
        if bool((mine[is_failing] == own).any()):
            return IN
        known = PARTIAL if is_failing.any() else OUT
        left = mine[~is_failing]
        if full or not len(left):
            return known
        return max(known, self._by_text(own, left, failing), key=(OUT, PARTIAL, IN).index)

    def _by_text(self, own: int, mine: Numbers, failing: Numbers) -> int:
        """What it is by the documents behind those that fail."""
        for bounds in self.nearing.looks(self.going.upto):
            if not self.prospects.may_be_in(bounds, self.going.holder):
                return OUT
            found = _found(own, mine, partial(self._is_in, bounds, failing))
            if found is not None:
                return found
        raise AssertionError("exact bounds settle everything")

    def _is_in(self, bounds: Bounds, failing: Numbers, mine: Numbers) -> bool | None:
        first = bounds.first[self.wordings.are_there(bounds.first, self.going.upto)]
        low, high = bounds.of(first)
        best = int(low.max(initial=0)), int(high.max(initial=0))
        every = Standing(first, low, high).of(~self.fitting.are_among(first, failing))
        return self.fitting.of(every, Standing(mine, *bounds.of(mine)), best, bounds.enough, failing).is_in

    def _pressing(self) -> tuple[Numbers, bool]:
        """(the wordings of what fails for which there is room, whether there is none for more)."""
        self._involved = None
        nodes, strengths = self.pressed.nodes()
        holders = self.going.holder[nodes]
        held = holders >= 0
        holders, strengths = holders[held], strengths[held]
        for most in (MOST_AT_FIRST, len(holders)):
            least = int(np.partition(strengths, len(strengths) - most)[-most]) if most < len(strengths) else 0
            order, given = strongest(holders[strengths >= least], strengths[strengths >= least], self.fitting.places)
            found = order[: self.fitting.count(order)]
            if len(found) < len(order):
                self._involved = self._its_files | self._above(int(given[len(found)]))
                return found, True
        return found, False

    def _above(self, strength: int) -> set[int]:
        """The files of all that is pressed on at least that strongly, whether it is there or not."""
        nodes, strengths = self.pressed.nodes()
        found: set[int] = set(self._file_of[nodes[strengths >= strength]].tolist())
        return found
