"""The state at a step: everything the ops so far add up to.

A draft that only the fold changes; whoever asks reads it between two ops. Heat is given by touching nodes and kept by
cause; a score is made of it when somebody asks, so what isn't touched costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from ccos_core.intake.failures.files import Files
from ccos_core.state import heat
from ccos_core.state.failures import Failures
from ccos_core.state.graph import Graph
from ccos_core.state.host import Hosts
from ccos_core.state.rules import CAUSES, INITIAL, Rules
from ccos_core.text.syntax.resolution import Resolver, Target
from ccos_core.values.code import MODULE
from ccos_core.values.ids import path_of
from ccos_core.values.nesting import Nesting
from ccos_core.values.sheet import Run, Sheet

PINNED, ANCHOR, NORMAL, AWAY = range(4)
"""Tiers of a window: put there by somebody, where failures are felt, everything else, and sent away by somebody."""

PRIORS: Mapping[str, str] = {
    **dict.fromkeys(
        ("class", "interface", "type", "struct", "trait", "enum", "union", "namespace", "module"), "prior.type"
    ),
    **dict.fromkeys(("function", "method", "macro"), "prior.callable"),
    **dict.fromkeys(("constant", "variable", "const", "static"), "prior.data"),
}
"""What languages call a symbol → the weight of its prior."""
MOST_DOUBLINGS = 8
"""Doublings of what depends on a node that still add to its prior."""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of one file, from a step on."""

    step: int
    content: str
    """The hash of its text; empty where nothing of it is known."""
    runs: tuple[Run, ...] = ()
    """How each line is known, where it isn't simply that all of it was given."""
    why: str = ""
    """Why nothing is known: withheld, erased, gone; with a content, that it is `uncertain`."""


class World:
    """The state."""

    def __init__(self, resolvers: Mapping[str, Resolver], family_of: Callable[[str], str | None]) -> None:
        self.graph = Graph(resolvers, family_of)
        self.failures = Failures()
        self.rules: Rules = INITIAL
        self.pins: list[tuple[int, dict[str, int]]] = []
        """(step, interpreter → version) of each epoch: what is seen from that step on is read by these."""
        self.step = 0
        self.clock = 0
        self.paced = (0, heat.ONE)
        """The tick since which the half-life is what it is, and what an impulse was worth then."""
        self.looking = 0
        """The first step of the burst of sightings the last op belongs to; 0 when it belongs to none."""
        self.heats: dict[str, list[int]] = {}
        """Node → heat by cause, in the order of CAUSES; that of failures isn't kept, but asked for."""
        self.warm_in: dict[str, dict[str, None]] = {}
        """Path → the nodes in it that have heat."""
        self.cooling: list[tuple[int, str]] = []
        """A heap of (heat, node): every node that has heat and isn't there, and some that are."""
        self._is_cooling: set[str] = set()
        """The nodes in that heap."""
        self.files = Files()
        """The paths of the graph, to be found by what an output calls them."""
        self.spelled: dict[str, Any] = {}
        """Folder → what somebody worked out about what those who run there call them, as long as none comes or goes."""
        self.versions: dict[str, list[Version]] = {}
        """Path → what it became in the moment that is folded now or was last for it, behind what it was before. Whoever
        wants older ones looks into the journal."""
        self.sheets: dict[str, Sheet] = {}
        """Texts that are no content of the record: pieced together from parts."""
        self.pinned: dict[str, int] = {}
        self.away: dict[str, int] = {}
        self.hosts = Hosts()
        """What each context of a conversation holds."""
        self.moved: dict[str, None] = {}
        """Nodes whose heat, pins or name may have changed since somebody last looked here, and emptied it. No part of
        the state, and neither is what `failures` and `graph` note in the same way."""
        self.reread: dict[str, None] = {}
        """Paths that may have another version."""
        self._counted: tuple[object, int] = None, 0
        """What an impulse counts for, and since which clock and pace."""

    def put_file(self, path: str) -> None:
        """A file is there."""
        if path not in self.files:
            self.files.put(path)
            self.spelled.clear()

    def drop_file(self, path: str) -> None:
        """A file isn't there any more."""
        if path in self.files:
            self.files.drop(path)
            self.spelled.clear()

    def touch(self, node: str, cause: str) -> None:
        """Give a node an impulse."""
        heats = self.heats.get(node)
        if heats is None:
            heats = [0] * (len(CAUSES) - 1)
            self.heat(node, heats)
        at = CAUSES.index(cause)
        heats[at] = heat.add(heats[at], self.unit())
        self.moved[node] = None

    def heat(self, node: str, heats: list[int]) -> None:
        """A node has this heat, by cause."""
        self.heats[node] = heats
        self.warm_in.setdefault(path_of(node) or "", {})[node] = None
        if not self.is_there(node):
            self._cool(node)

    def leave(self, path: str) -> None:
        """A file isn't what it was: what is gone from it keeps its heat until that is cold."""
        for node in self.warm_in.get(path, ()):
            if node not in self._is_cooling and self.graph.place(node, path) is None:
                self._cool(node)

    def drop_cold(self) -> None:
        """Forget the heat of nodes that are gone and cold: less than an impulse of now halved as often as a window's
        stop rule says. So such a node could only come back below the end of every window."""
        if not self.cooling:
            return
        least = self.unit() - (self.rules.caps["stop"] << heat.BITS)
        while self.cooling and self.cooling[0][0] < least:
            _, node = heappop(self.cooling)
            self._is_cooling.discard(node)
            heats = self.heats.get(node)
            if heats is None or self.is_there(node):
                continue
            if heat.total(heats) >= least:
                self._cool(node)
                continue
            del self.heats[node]
            path = path_of(node) or ""
            del self.warm_in[path][node]
            if not self.warm_in[path]:
                del self.warm_in[path]
            self.moved[node] = None

    def _cool(self, node: str) -> None:
        if node not in self._is_cooling:
            self._is_cooling.add(node)
            heappush(self.cooling, (heat.total(self.heats[node]), node))

    def unit(self) -> int:
        """What an impulse counts for now."""
        now = self.clock, self.paced, self.rules.half_life
        if now != self._counted[0]:
            since, base = self.paced
            self._counted = now, min(heat.impulse(self.clock - since, self.rules.half_life, base), heat.HIGHEST)
        return self._counted[1]

    def rule(self, rules: Rules) -> None:
        """Other rules from here on. With another half-life impulses grow at another pace, from what they are now."""
        if rules.half_life != self.rules.half_life:
            self.paced = self.clock, self.unit()
        self.rules = rules

    def heat_of(self, node: str) -> tuple[int, ...]:
        """A node's heat by cause."""
        return (*self.heats.get(node, (0,) * (len(CAUSES) - 1)), self.failures.pressure(node))

    def score(self, node: str) -> int:
        """How much a node matters: its heat, each cause by its weight, times what it is worth by itself."""
        weights = self.rules.weights
        parts = (heat.scaled(each, weights[cause], 4) for each, cause in zip(self.heat_of(node), CAUSES, strict=True))
        return heat.scaled(heat.total(parts), self.prior(node), 4)

    def prior(self, node: str) -> int:
        """What a node is worth by its own kind and degree, in 16ths."""
        target = self.graph.find(node)
        nesting = self.graph.files[target.path] if target is not None else None
        return self.prior_in(nesting, target.symbol if target is not None else MODULE, node)

    def prior_in(self, nesting: Nesting | None, symbol: int, node: str) -> int:
        """The same for a symbol of a file."""
        weights = self.rules.weights
        if node.startswith("file:"):
            prior = "prior.file"
        elif nesting is None or symbol == MODULE:
            prior = "prior.other"
        else:
            prior = PRIORS.get(nesting.outline.symbols[symbol].kind, "prior.other")
        degree = self.graph.degrees.get(node, 0).bit_length()
        return weights[prior] + (degree if degree < MOST_DOUBLINGS else MOST_DOUBLINGS) * weights["prior.degree"]

    def tier(self, node: str, anchors: Mapping[str, object]) -> int:
        """Which tier of a window a node is in, when failures are felt at `anchors`."""
        if node in self.pinned:
            return PINNED
        if node in self.away:
            return AWAY
        return ANCHOR if node in anchors else NORMAL

    def warm(self) -> Iterator[str]:
        """Every node that has heat of any cause, is pinned, or is pressed on."""
        yield from dict.fromkeys((*self.pinned, *self.heats, *self.failures.on))

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""
        return self.graph.find(node)

    def is_there(self, node: str) -> bool:
        """Whether a node of the code is in the graph now."""
        return self.graph.find(node) is not None

    def ranking(self) -> tuple[int, list[tuple[int, int, str]]]:
        """The best score of all that is warm, there, and wasn't sent away; and (tier, score, node) of each of them, in
        the order in which they may be in a window."""
        anchors = dict.fromkeys(self.failures.anchored())
        rows = [(self.tier(node, anchors), self.score(node), node) for node in self.warm() if self.is_there(node)]
        found = sorted((row for row in rows if row[0] != AWAY), key=lambda row: (row[0], -row[1], row[2]))
        return max((score for _, score, _ in found), default=0), found

    def become(self, path: str, version: Version) -> None:
        """A file is another from this step on."""
        versions = self.versions.setdefault(path, [])
        if versions and versions[-1].step < (self.looking or self.step):
            del versions[:-1]
        versions.append(version)
        self.reread[path] = None

    def version(self, path: str) -> Version | None:
        """What a file is now."""
        versions = self.versions.get(path)
        return versions[-1] if versions else None
