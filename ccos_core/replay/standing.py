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
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry
from ccos_core.window.source import SIGNATURE, Source

Worth = tuple[int, int, bool]
"""Prior, what it takes to show it at all, and whether it is there."""
COLD = (0,) * len(CAUSES)
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
        self._noted: dict[str, tuple[tuple[int, ...], int, int, int]] = {}
        """Node → heats, prior, cost and tier."""
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
                self._worth.pop(node, None)
                moved[node] = None
        if world.failures.turned:
            self._find_anchors(moved)
        if self._anew:
            moved = {**dict.fromkeys(self._noted), **moved}
        for node in sorted(moved):
            self._note(node, noted)
        self._anew = False
        for each in (world.moved, world.failures.moved, world.failures.turned, world.graph.recounted):
            each.clear()

    def _note(self, node: str, noted: array[int]) -> None:
        world = self.world
        heats = world.heats.get(node)
        pressure = world.failures.pressure(node) if node in world.failures.on else 0
        before = self._noted.get(node)
        if before is None:
            if heats is None and not pressure and node not in world.pinned and node not in world.away:
                return  # it is cold, and always was
            self._within.setdefault(path_of(node) or "", {})[node] = None
        worth = self._worth.get(node)
        if worth is None:
            worth = self._worth[node] = self._weigh(node)
        prior, cost, there = worth
        if not there:
            tier = GONE
        elif node in world.pinned:
            tier = PINNED
        elif node in world.away:
            tier = AWAY
        else:
            tier = ANCHOR if node in self._anchors else NORMAL
        now = ((*heats, pressure) if heats is not None else (*COLD[1:], pressure)), prior, cost, tier
        if now == before and not self._anew:
            return
        self._noted[node] = now
        heated = now[0]
        was = before[0] if before is not None else COLD
        number = self._number(node)
        if heated == was:
            noted.extend((number, NO_CAUSE, *heated, prior, cost, tier))
        else:
            for cause, heat in enumerate(heated):
                if heat != was[cause]:
                    noted.extend((number, cause, *heated, prior, cost, tier))

    def _weigh(self, node: str) -> Worth:
        target = self.world.graph.find(node)
        if target is None:
            return 0, 0, False
        return self.world.prior(node), self._cost(target), True

    def _cost(self, target: Target) -> int:
        path = target.path
        source = self._sources.get(path)
        if source is None:
            text = text_of(self.world, path, self.facts) or ""
            outline = self.world.graph.files[path].outline
            source = self._sources[path] = Source(path, text, outline, unknown_lines(self.world, path))
        return entry(source, source.shown(target.symbol, SIGNATURE))

    def _reread(self, paths: Iterable[str], moved: dict[str, None]) -> None:
        if len(self._sources) > MOST_SOURCES:
            self._sources.clear()
        for path in paths:
            self._sources.pop(path, None)
            for node in self._within.get(path, ()):
                self._worth.pop(node, None)
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
            self._noted[node] = tuple(heats[number].tolist()), prior, cost, tier
            self._within.setdefault(path_of(node) or "", {})[node] = None
            if tier == ANCHOR:
                self._anchors[node] = None
        anchored = np.nonzero(journal.changes["tier"][rows] == PINNED)[0]
        self._anchors.update(dict.fromkeys(journal.name(int(journal.changes["node"][rows][at])) for at in anchored))
