"""Residency in the windows of `task:TEXT` and `hybrid:TEXT`: what a text was about, at every step.

Any file may put any other in another place, for words are weighed by how rare they are among all. So these windows are
decided anew at every step at which a source, a failure or a link became another, out of columns that are kept up with
from one such step to the next (`going`). What fails comes first in a `task`; as long as that fills a window, no text
has to be looked at. It says how far it has come, and can be stopped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.identity import name_at
from ccos_core.replay.residency.bounds import Weighing
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.closely import Closely
from ccos_core.replay.residency.edges import Edges
from ccos_core.replay.residency.going import Documents, Going, Lengths
from ccos_core.replay.residency.kinds import firsts
from ccos_core.replay.residency.leading import Leading
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.pressed import Pressed
from ccos_core.replay.residency.prospects import Prospects, WithAll
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, presence
from ccos_core.replay.residency.sight import Asked, Sight
from ccos_core.replay.residency.stretches import stretches_of
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import NOBODY, Wordings, wordings_of
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.retrieval.report import report
from ccos_core.values.ids import file_node, path_of
from ccos_core.window.layout import opening
from ccos_core.window.ranking import looked, names_something, query
from ccos_core.window.task import room_in

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.residency.lens import Progress
    from ccos_core.replay.timeline import Timeline

HYBRID = "hybrid"
FOLDERS = ("__init__", "index", "mod")
"""Files that are called like their folders."""
MOST_AT_FIRST = 200
"""Nodes that are pressed on most, which are looked at before the others: seldom is there room for more."""


@dataclass(frozen=True)
class About:
    """The residency of a node in the windows about a text."""

    timeline: Timeline
    names: Sequence[Name]
    """What the node was called, from step 0 to the head."""
    lens: str
    """`task` or `hybrid`."""
    text: str
    progress: Progress

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        found = presence(self.timeline.journal, self.names)[first : last + 1]
        if not (found == OUT).any():
            return found
        about = np.full(len(found), OUT, np.uint8)
        walk = _Walk(self, budget)
        for step in [first, *self._changed(first, last)]:
            self.progress(step - first, last - first)
            about[step - first :] = walk.state(step)
        found[found == OUT] = about[found == OUT]
        return found

    def _changed(self, first: int, last: int) -> list[int]:
        """The first steps of all moments that changed a source, a failure or a link."""
        journal = self.timeline.journal
        tables = [journal.versions, journal.failures, *([journal.uses] if self.lens == HYBRID else [])]
        steps = np.unique(np.concatenate([table["step"] for table in tables]))
        looks = journal.steps["look"][steps - 1]
        begun: Numbers = np.unique(np.where(looks > 0, looks, steps))
        found: list[int] = begun[(begun > first) & (begun <= last)].tolist()
        return found


class _Walk:
    """Going forward through the steps at which something changed."""

    def __init__(self, about: About, budget: int) -> None:
        self.about = about
        self.room = room_in(budget)
        timeline = about.timeline
        self.journal = timeline.journal
        self.wordings: Wordings = wordings_of(timeline, about.progress)
        told = report(about.text)
        self.named = mentions(told.text)
        self._files: list[int] = self.journal.versions["path"].tolist()
        self._file_of = np.full(len(self.journal.names), -1, np.int64)
        """Node → the node of the file it ever was in."""
        self._file_of[self.wordings.nodes] = np.repeat(self._files, np.diff(self.wordings.ends, prepend=0))
        self._going = Going(self.wordings, len(self.journal.names))
        self._pressed = Pressed(self.journal)
        self._lengths = Lengths(self.wordings)
        self._called = Called(timeline, self.wordings, self.named)
        self._using = Using(self.journal)
        self._terms = query(told)
        self._asked = Asked(self.wordings, list(self._terms))
        self._places = np.zeros(len(self.wordings.targets), np.int64)
        """Room to note where each wording, or each file, comes up."""
        self._openings = np.array([opening(path) for path in self.wordings.paths], np.int64)
        self._mine = {self.journal.id(file_node(path_of(name.node) or "")) for name in about.names}
        self._may_fit = self._asked.are_in(self._wordings_of(about.names)) or self._may_be_named()
        """Whether the text can be about anything of the node."""
        self._prospects = self._looking_ahead(timeline)
        self._edges = Edges(self.wordings, self._using)
        self._closely = Closely(self.wordings, self._openings, self._pressed, self._edges, self.room)
        self._turned: list[Numbers] = []
        """Nodes that other wordings hold since a window was looked at closely."""
        self._ranked_last: tuple[tuple[object, int, str], int] = (None, -1, ""), OUT
        """Of which moment and node it is known what it was by ranking everything, and what."""
        self._sight: Sight | None = None
        self._words: Leading | None = None
        self._involved: set[int] | None = None
        """The files on which it depends who is in, as far as no failure becomes another; all, where that is None."""
        self._known = OUT

    def state(self, step: int) -> int:
        """What the node is at a step, not before the last one that was asked for."""
        last = self.journal.last_moment(step)
        upto = int(np.searchsorted(self.journal.versions["step"], np.int32(last), side="right"))
        turned = self._files[self._going.upto : upto]
        if turned:
            nodes = self._going.move(self._files, upto)
            if self.about.lens == HYBRID:  # nobody looks closely at others
                self._turned.append(nodes)
        if self._pressed.move(last) or self._involved is None or not self._involved.isdisjoint(turned):
            self._known = self._state(step, last)
        return self._known

    # -- helpers --------------------------------------------------------------------------------------------------

    def _state(self, step: int, last: int) -> int:
        node = name_at(self.about.names, step)
        number = self.journal.id(node)
        own = int(self._going.itself[number]) if number >= 0 else NOBODY
        mine = self._wordings_in(path_of(node) or "") if node.startswith("file:") else np.array([own], np.int32)
        if self.about.lens == HYBRID:
            known = self._at_a_glance(last, own, mine)
            return self._ranked(node, last, own, mine) if known is None else known
        return self._told(node, last, own, mine)

    def _ranked(self, node: str, last: int, own: int, mine: Numbers) -> int:
        """What it is by ranking everything. As long as there is no other version, a failure or a link that is another
        shows when it is looked at closely: where that came out as before, this does, too."""
        now = self._closely.standing, self._going.upto, node
        was, known = self._ranked_last
        if was[0] is not now[0] or was[1:] != now[1:]:
            known = self._told(node, last, own, mine)
            self._ranked_last = now, known
        return known

    def _told(self, node: str, last: int, own: int, mine: Numbers) -> int:
        members = self._members(last, own, mine)
        if own >= 0 and bool((members == own).any()):
            return IN
        return PARTIAL if node.startswith("file:") and bool(np.isin(members, mine).any()) else OUT

    def _at_a_glance(self, last: int, own: int, mine: Numbers) -> int | None:
        """What the node is, where that shows without ranking anything."""
        self._involved = None
        upto = self._going.upto
        mine = mine[mine >= 0]
        mine = mine[(self.wordings.born[mine] < upto) & (self.wordings.died[mine] >= upto)]
        if not len(mine) or not self._may_be_in():
            return OUT
        self._look_closely(last)
        found = self._closely.is_in(mine)
        if found and len(mine) > 1:
            itself = self._closely.is_in(np.array([own])) if own >= 0 else False
            return itself if itself is None else IN if itself else PARTIAL
        return found if found is None else OUT if not found else IN if mine[0] == own else PARTIAL

    def _look_closely(self, last: int) -> None:
        upto, holder = self._going.upto, self._going.holder
        turned = np.concatenate([np.zeros(0, np.int32), *self._turned])
        self._turned.clear()
        self._edges.move(last, turned)
        self._closely.look(self._prospects.bounds(upto), upto, holder, turned)

    def _members(self, last: int, own: int, mine: Numbers) -> Numbers:
        """The wordings that are in, as far as it takes to say whether anything of the node is: `own` is of itself, and
        `mine` are all that say anything of it."""
        self._involved = None
        if self.about.lens == HYBRID:
            sight = self._look()
            pressed = self._pressed.weights(self._going.holder, sight.documents)
            found, full = np.zeros(0, np.int64), False
        else:
            found, full = self._pressing()
            if full or not self._may_fit or bool((found == own).any()) or not self._may_be_in():
                return found
            sight = self._look()
            pressed = np.zeros(len(sight.documents.alive), np.int64)
        return self._behind(found, sight, mine, pressed)

    def _behind(self, found: Numbers, sight: Sight, mine: Numbers, pressed: Numbers) -> Numbers:
        """Some wordings, and behind them those of a ranking there is room for; left out where none of `mine` is among
        these anyway."""
        documents, nearness = sight.documents, self.about.lens == HYBRID
        left = documents.at[mine[(mine >= 0) & ~np.isin(mine, found)]]
        left = left[left >= 0]
        if not len(left):
            return found
        leading = self._by_words(sight)
        above = documents.alive[leading.above(left, pressed, nearness)]
        above = above[~np.isin(above, found)] if len(found) else above
        if int(self.wordings.cost[found].sum() + self.wordings.cost[above].sum()) > self.room:
            return found  # all that stands above takes more than there is
        return self._fitting(documents, _after(documents.at[found], leading.parts(pressed, nearness)))

    def _may_be_in(self) -> bool:
        """Whether anything of the node can be in, as far as that is known for many moments at once."""
        return self._prospects.may_be_in(self._going.upto, self._going.holder)

    def _looking_ahead(self, timeline: Timeline) -> Prospects:
        """What is known of the node for many moments at once."""
        naming = Naming(Called(timeline, self.wordings, self.named), self.journal.versions["path"], self.named)
        weighing = Weighing(self._asked, self._terms, stretches_of(self.wordings, self.journal), naming)
        mine = self._wordings_of(self.about.names)
        if self.about.lens == HYBRID:
            return WithAll(weighing, mine, self.room, self.journal, self._pressed)
        return Prospects(weighing, mine, self.room)

    def _by_words(self, sight: Sight) -> Leading:
        """What goes by the text alone; the same as long as no document is another one."""
        if self._words is None:
            self._words = Leading(sight, looked(self._terms, self.named, sight))
        return self._words

    def _may_be_named(self) -> bool:
        """Whether the text may name the node, its file, or a line of it; sooner too often than once too seldom."""
        if not names_something(self.named):
            return False
        paths = [path_of(name.node) or "" for name in self.about.names]
        stems = [path.rpartition("/")[2].partition(".")[0] for path in paths]
        by_path = any(stem in self.about.text or stem in FOLDERS for stem in stems)
        return by_path or self._called.tells_of(self._mine)

    def _wordings_in(self, path: str) -> Numbers:
        """All wordings there ever were in the file of that path."""
        paths = self.wordings.paths
        at = bisect_left(paths, path)
        if at == len(paths) or paths[at] != path:
            return np.zeros(0, np.int32)
        begin, end = np.searchsorted(self.wordings.file, np.array([at, at + 1], np.int32)).tolist()
        return np.arange(begin, end, dtype=np.int32)

    def _wordings_of(self, names: Sequence[Name]) -> Numbers:
        """All wordings of a node; of a file those of all that ever was in it."""
        numbers = [self.journal.id(name.node) for name in names]
        if names[-1].node.startswith("file:"):
            paths = [path_of(name.node) for name in names]
            return np.flatnonzero(
                np.isin(self.wordings.file, [at for at, path in enumerate(self.wordings.paths) if path in paths])
            )
        return self.wordings.wording[np.isin(self.wordings.nodes, numbers) & self.wordings.own]

    def _pressing(self) -> tuple[Numbers, bool]:
        """(the wordings of what fails for which there is room, whether there is none for more)."""
        nodes, strengths = self._pressed.nodes()
        holders = self._going.holder[nodes]
        held = holders >= 0
        holders, strengths = holders[held], strengths[held]
        for most in (MOST_AT_FIRST, len(holders)):
            least = int(np.partition(strengths, len(strengths) - most)[-most]) if most < len(strengths) else 0
            order, given = self._strongest(holders[strengths >= least], strengths[strengths >= least])
            found, full = self._admitted(order)
            if full:
                self._involved = self._mine | self._above(int(given[len(found)]))
                break
        return found, full

    def _strongest(self, holders: Numbers, strengths: Numbers) -> tuple[Numbers, Numbers]:
        """Wordings by the most that presses on each, in their own order where it is the same; with how much that is."""
        order = np.argsort((strengths.astype(np.int64) << 32) - holders)[::-1]
        holders, strengths = holders[order], strengths[order]
        first = firsts(holders, self._places)
        return holders[first], strengths[first]

    def _above(self, strength: int) -> set[int]:
        """The files of all that is pressed on at least that strongly, whether it is there or not."""
        nodes, strengths = self._pressed.nodes()
        found: set[int] = set(self._file_of[nodes[strengths >= strength]].tolist())
        return found

    def _look(self) -> Sight:
        """The documents as they are now."""
        upto = self._going.upto
        if names_something(self.named):
            self._called.move(upto)
        if self._lengths.move(upto) or self._sight is None:
            documents = self._lengths.documents()
            collection = self._asked.collection(documents)
            self._sight = Sight(self.wordings, documents, collection, self._called, self._using, self._going.holder)
            self._words = None
        return self._sight

    def _fitting(self, documents: Documents, parts: Iterator[Sequence[int] | Numbers]) -> Numbers:
        """The wordings that are in, of documents in order: of the first of them, and where these fit in, of all."""
        for order in parts:
            found, full = self._admitted(documents.alive[order])
            if full:
                break
        return found

    def _admitted(self, order: Numbers) -> tuple[Numbers, bool]:
        """(those there is room for, whether there is none for the next)."""
        files = self.wordings.file[order]
        taken = self.wordings.cost[order]
        first = firsts(files, self._places)
        taken[first] += self._openings[files[first]]
        fit = int(np.searchsorted(np.cumsum(taken), self.room, side="right"))
        return order[:fit], fit < len(order)


def _after(pressed: Numbers, parts: Iterator[Sequence[int]]) -> Iterator[Numbers]:
    """Some documents, and behind them the others of a ranking."""
    for order in parts:
        behind = np.asarray(order, np.int64)
        yield np.concatenate([pressed, behind[~np.isin(behind, pressed)]])
