"""What each warm node is worth, as the fold has it now, and which of them a moment may have changed.

Nodes stand in a table, by their numbers. What a moment touched is written there one by one; what failures give to
hundreds at a time isn't, for it can be asked for. Whether any of it is another than it was is for `Looks` to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.costs import Costs, Facts
from ccos_core.replay.journal import GONE, Journal
from ccos_core.replay.looks import PRESSURE, PRIOR, TIER, UNKNOWN, Looks, with_room
from ccos_core.replay.numbering import Numbering
from ccos_core.replay.reaches import Reaches
from ccos_core.state.world import World
from ccos_core.values.ids import path_of

Nodes = dict[str, None]
TOUCHED = slice(0, PRESSURE)
"""The heats that are kept by node; that of failures is asked for."""


class Standing:
    """The warm nodes."""

    def __init__(self, journal: Journal, world: World, facts: Facts, numbering: Numbering, reaches: Reaches) -> None:
        self.world = world
        self.looks = Looks(journal, numbering)
        self._numbering = numbering
        self._reaches = reaches
        self._costs = Costs(world, facts)
        self._now = self.looks.said.copy()
        """Node → what is so of it, but for the pressure on it."""
        self._warm: dict[str, int] = {}
        """The nodes of which anything was noted → their numbers."""
        self._within: dict[str, Nodes] = {}
        """Path → those of them that are in it."""
        self._anchors: Nodes = {}
        self._anew = False
        self._remember()

    def reconsider(self) -> None:
        """Other rules hold: every score is another."""
        self._anew = True

    def note(self, paths: Sequence[str]) -> None:
        """Note what may have changed, in files that were seen again and elsewhere."""
        world = self.world
        if not (paths or world.moved or world.failures.turned or world.graph.recounted or self._anew):
            self.looks.note_nothing()  # as after most ops
            return
        for path in paths:
            self._costs.forget(path)
        touched, pressed = {**world.moved}, self._reaches.take_turned()
        if world.failures.turned:
            self._find_anchors(touched)
        self._begin(touched, pressed)
        self._reread(paths, touched)
        self._recount(world.graph.recounted, touched)
        self._touch(touched)
        self._look(touched, pressed)
        for each in (world.moved, world.failures.turned, world.graph.recounted):
            each.clear()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self, touched: Nodes, pressed: Numbers) -> None:
        """Those of these nodes that were cold become warm, unless they still are."""
        self._now = with_room(self._now, len(self._numbering))
        new = [node for node in touched if node not in self._warm]
        if len(pressed):
            new += self._numbering.names(pressed[self._now[pressed, TIER] == UNKNOWN].tolist())
        for node in sorted(filter(self._is_warm, new)):
            path = path_of(node) or ""
            number = self._warm[node] = self._numbering.number(node)
            self._within.setdefault(path, {})[node] = None
            self._now = with_room(self._now, len(self._numbering))
            self._now[number, PRIOR:] = self._worth(node, path)

    def _is_warm(self, node: str) -> bool:
        world = self.world
        if node in world.heats or node in world.pinned or node in world.away:
            return True
        return node in world.failures.on and world.failures.pressure(node) > 0

    def _worth(self, node: str, path: str) -> tuple[int, int, int]:
        """Prior, cost and tier."""
        graph = self.world.graph
        at = graph.place(node, path)
        if at is None:
            return 0, 0, GONE
        prior = self.world.prior_in(graph.files[path], at, node)
        return prior, self._costs.of(path, at), self.world.tier(node, self._anchors)

    def _reread(self, paths: Iterable[str], touched: Nodes) -> None:
        """Files were seen again: what of their warm nodes is worth something else has been touched."""
        for path in paths:
            for node in self._within.get(path, ()):
                number, worth = self._warm[node], self._worth(node, path)
                if worth != tuple(self._now[number, PRIOR:].tolist()):
                    self._now[number, PRIOR:] = worth
                    touched[node] = None

    def _recount(self, nodes: Iterable[str], touched: Nodes) -> None:
        """More or fewer depend on these, or other rules hold: they have another prior, where they are there."""
        graph, warm = self.world.graph, self._warm
        for node in warm if self._anew else nodes:
            if node in warm and (at := graph.place(node, path := path_of(node) or "")) is not None:
                self._now[warm[node], PRIOR] = self.world.prior_in(graph.files[path], at, node)
                touched[node] = None

    def _touch(self, nodes: Iterable[str]) -> None:
        """These may have other heats, or stand in another tier."""
        world, now = self.world, self._now
        for node in nodes:
            if (number := self._warm.get(node)) is not None:
                now[number, TOUCHED] = world.heats.get(node, 0)
                if now[number, TIER] != GONE:
                    now[number, TIER] = world.tier(node, self._anchors)

    def _look(self, touched: Nodes, pressed: Numbers) -> None:
        """Lay down what is so now of what was touched or pressed; by other rules, of everything."""
        warm = self._warm
        if not touched and not len(pressed) and not self._anew:
            self.looks.note_nothing()
            return
        nodes = np.array([warm[node] for node in (warm if self._anew else touched) if node in warm], np.int64)
        if len(pressed):
            pressed = pressed[self._now[pressed, TIER] != UNKNOWN]
            nodes = self._reaches.each_once(np.concatenate([nodes, pressed])) if len(nodes) else pressed
        self.looks.note(nodes, self._now[nodes], self._reaches.gifts(nodes), anew=self._anew)
        self._anew = False

    def _find_anchors(self, touched: Nodes) -> None:
        now = self._felt_at()
        if now.keys() != self._anchors.keys():
            touched.update(dict.fromkeys(sorted(now.keys() ^ self._anchors.keys())))
            self._anchors = now

    def _felt_at(self) -> Nodes:
        """The nodes failures are felt at."""
        live = self.world.failures.live.values()
        return dict.fromkeys(each.anchors[0] for each in live if each.anchors)

    def _remember(self) -> None:
        """Know which nodes the journal has noted, and where failures are felt. That the tiers don't tell: what is gone,
        sent away or pinned may be such a node or not."""
        self._anchors = self._felt_at()
        noted = np.nonzero(self._now[:, TIER] != UNKNOWN)[0].tolist()
        for number, node in zip(noted, self._numbering.names(noted), strict=True):
            self._warm[node] = number
            self._within.setdefault(path_of(node) or "", {})[node] = None
