"""What each warm node is worth, as the journal has it, and what of that a moment has changed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import numpy as np

from ccos_core.replay.journal import GONE, NO_CAUSE, Journal
from ccos_core.replay.sums import WIDTH
from ccos_core.state.fold import Facts
from ccos_core.state.rules import CAUSES
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import ANCHOR, AWAY, NORMAL, PINNED, World
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry
from ccos_core.window.source import SIGNATURE, Source

Worth = tuple[int, int, int]
"""Prior, what it takes to show it at all, and GONE where it isn't there, else NORMAL."""
State = tuple[int, int, int, int, int, int, int, int]
"""What was noted of a node: its number, its heats in the order of CAUSES, prior, cost and tier."""
COLD = (0, 0, 0)
MOST_SOURCES = 200
"""Texts kept at hand."""


class Standing:
    """The warm nodes as they were noted last."""

    WIDTH = WIDTH

    def __init__(self, journal: Journal, world: World, facts: Facts, number: Callable[[str], int]) -> None:
        self.journal = journal
        self.world = world
        self.facts = facts
        self._number = number
        self._noted: dict[str, State] = {}
        self._within: dict[str, dict[str, None]] = {}
        """Path → the noted nodes that are in it."""
        self._worth: dict[str, Worth] = {}
        """As far as nothing has happened that may have changed it."""
        self._sources: dict[str, Source] = {}
        self._anchors: dict[str, None] = {}
        self._anew = False
        self._remember()

    def reconsider(self) -> None:
        """Other rules hold: every score is another."""
        self._worth.clear()
        self._anew = True

    def note(self, noted: array[int], paths: Iterable[str]) -> None:
        """Note what has changed, in files that were seen again and elsewhere."""
        world = self.world
        moved = {**world.moved, **world.failures.moved}
        self._reread(paths, moved)
        for node in world.graph.recounted:
            if node in self._noted:
                moved[node] = None
                if (worth := self._worth.get(node)) is not None and worth[2] != GONE:
                    self._worth[node] = world.prior(node), *worth[1:]
        if world.failures.turned:
            self._find_anchors(moved)
        if self._anew:
            moved = {**dict.fromkeys(self._noted), **moved}
        self._note_all(sorted(moved), noted)
        self._anew = False
        for each in (world.moved, world.failures.moved, world.failures.turned, world.graph.recounted):
            each.clear()

    def _note_all(self, moved: Iterable[str], noted: array[int]) -> None:
        """The one loop that every change goes through; its names are local because that is faster."""
        world, known, worths = self.world, self._noted, self._worth
        heats_of, pressed, pinned, away = world.heats, world.failures.on, world.pinned, world.away
        for node in moved:
            pressure = world.failures.pressure(node) if node in pressed else 0
            heats = heats_of.get(node)
            before = known.get(node)
            if before is None:
                if heats is None and not pressure and node not in pinned and node not in away:
                    continue  # it is cold, and always was
                before = self._begin(node)
            worth = worths.get(node)
            if worth is None:
                worth = worths[node] = self._weigh(node)
            prior, cost, tier = worth
            if tier == NORMAL:
                tier = (
                    PINNED if node in pinned else AWAY if node in away else ANCHOR if node in self._anchors else NORMAL
                )
            read, edit, engaged = heats if heats is not None else COLD
            now = (before[0], read, edit, engaged, pressure, prior, cost, tier)
            if now != before or self._anew:
                known[node] = now
                cause = NO_CAUSE
                for at in range(len(CAUSES)):
                    if now[at + 1] != before[at + 1]:
                        cause = at
                        noted.extend((now[0], at, *now[1:]))
                if cause == NO_CAUSE:
                    noted.extend((now[0], cause, *now[1:]))

    def _begin(self, node: str) -> State:
        """A node becomes warm."""
        self._within.setdefault(path_of(node) or "", {})[node] = None
        return self._number(node), 0, 0, 0, 0, -1, -1, -1

    def _weigh(self, node: str) -> Worth:
        target = self.world.graph.find(node)
        if target is None:
            return 0, 0, GONE
        return self._worth_in(self._source(target.path), target.symbol, node)

    def _worth_in(self, source: Source, symbol: int, node: str) -> Worth:
        nesting = self.world.graph.files[source.path]
        prior = self.world.prior_in(nesting, symbol, node)
        return prior, entry(source, source.shown(symbol, SIGNATURE)), NORMAL

    def _source(self, path: str) -> Source:
        source = self._sources.get(path)
        if source is None:
            if len(self._sources) > MOST_SOURCES:
                self._sources.clear()
            text = text_of(self.world, path, self.facts) or ""
            outline = self.world.graph.files[path].outline
            source = self._sources[path] = Source(path, text, outline, unknown_lines(self.world, path))
        return source

    def _reread(self, paths: Iterable[str], moved: dict[str, None]) -> None:
        """Files were seen again: what of their warm nodes is worth something else is to be noted."""
        for path in paths:
            self._sources.pop(path, None)
            nodes = self._within.get(path, ())
            nesting = self.world.graph.files.get(path)
            for node in nodes:
                at = nesting.places.get(node) if nesting is not None else None
                worth = (0, 0, GONE) if at is None else self._worth_in(self._source(path), at, node)
                if worth != self._worth.get(node):
                    self._worth[node] = worth
                    moved[node] = None

    def _find_anchors(self, moved: dict[str, None]) -> None:
        live = self.world.failures.live.values()
        now = dict.fromkeys(each.anchors[0] for each in live if each.anchors)
        for node in (*self._anchors, *now):
            if (node in now) != (node in self._anchors):
                moved[node] = None
        self._anchors = now

    def _remember(self) -> None:
        """Know what the journal says of each node last."""
        journal, head = self.journal, self.journal.head
        rows = journal.latest(head)
        if not len(rows):
            return
        heats = journal.heats(head)
        columns = (journal.changes[name][rows].tolist() for name in ("node", "prior", "cost", "tier"))
        for number, prior, cost, tier in zip(*columns, strict=True):
            node = journal.name(number)
            read, edit, engaged, pressure = heats[number].tolist()
            self._noted[node] = number, read, edit, engaged, pressure, prior, cost, tier
            self._within.setdefault(path_of(node) or "", {})[node] = None
            if tier == ANCHOR:
                self._anchors[node] = None
        anchored = np.nonzero(journal.changes["tier"][rows] == PINNED)[0]
        self._anchors.update(dict.fromkeys(journal.name(int(journal.changes["node"][rows][at])) for at in anchored))
