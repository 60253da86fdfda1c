"""The state at one step, looked up in the journal: what windows are made of, as it was then.

It answers whatever `window` asks of a tree's code and of a state, and is made as far as somebody asks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, repeat
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.dependence import holding
from ccos_core.replay.heat_columns import Warm, latest_heats, warm_at
from ccos_core.replay.journal import Journal
from ccos_core.replay.past import failures_at, rules_at
from ccos_core.replay.sources import Sources, Version
from ccos_core.state.failures import Failures
from ccos_core.state.heat import BITS
from ccos_core.state.rules import CAUSES, Rules
from ccos_core.state.world import ANCHOR, AWAY, NORMAL, PINNED
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import Outline
from ccos_core.values.ids import file_node, path_of, spelled_path, unescape
from ccos_core.window import working_set
from ccos_core.window.layout import opening
from ccos_core.window.lenses import WORKING_SET, window_of
from ccos_core.window.linearize import DEFAULT_BUDGET, Places, Window
from ccos_core.window.pack import NEAR_MISSES, Entering, entering
from ccos_core.window.source import Source

AT_FIRST = 100
"""Warm nodes that are looked up together: as many as a window holds where nobody says how large it is, ..."""
AT_ONCE = 400
"""... and more than most windows hold."""
A_FEW = 32
"""Of these so many of which it is told together what they take, ..."""
AT_A_TIME = 4
"""... and files that are read ahead before somebody who asks meanwhile gets their turn."""

Ranked = tuple[int, int, str]
"""(tier, score, node)."""


class Part(NamedTuple):
    """Some of what may be in, in its order."""

    warm: Warm
    nodes: list[str]


class Moment:
    """Everything at a step."""

    def __init__(self, journal: Journal, sources: Sources, step: int) -> None:
        self.journal = journal
        self.step = step
        """The step that was asked for."""
        self.last = journal.last_moment(step)
        """The last step of its moment: within a look at a tree it isn't known what came first."""
        self._sources = sources
        self._versions: dict[str, Version | None] = {}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._heats: dict[str, tuple[int, ...]] = {}
        self._heated = 0
        """How many of those that are warm have been read, from the first on."""
        self._windows: dict[tuple[str, int], Window] = {}

    # -- code -----------------------------------------------------------------------------------------------------

    def paths(self) -> Sequence[str]:
        """Every file that is there."""
        return self._paths

    @cached_property
    def _paths(self) -> Sequence[str]:
        return self._sources.there(self.last)

    def version(self, path: str) -> Version | None:
        """What a file is; None if it isn't there."""
        if path not in self._versions:
            self._versions[path] = self._sources.at(path, self.last)
        return self._versions[path]

    def source(self, path: str) -> Source:
        """A file as a window shows it; empty where nothing is known of it."""
        version = self.version(path)
        return self._sources.source(path, version) if version is not None else Source(path, "", Outline())

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""
        return self.source(path).outline

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on. Where in the text isn't kept."""
        if path not in self._links:
            self._links[path] = tuple(self._linked(path))
        return self._links[path]

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""
        path = path_of(node)
        version = self.version(path) if path is not None else None
        if path is None or version is None:
            return None
        at = self._sources.source(path, version).nesting.places.get(node)
        return Target(path, at) if at is not None else None

    def window(self, lens: str, budget: int = DEFAULT_BUDGET) -> Window:
        """What a lens shows."""
        if (lens, budget) not in self._windows:
            self._windows[lens, budget] = self._shown(lens, budget)
        return self._windows[lens, budget]

    def places(self, budget: int = DEFAULT_BUDGET) -> Places:
        """The working set without its text."""
        return places_at((self,), budget)[0]

    def _places(self, budget: int, looked: int) -> Places:
        """The same, where what the first so many nodes are made from was read. Not kept: what may be in is, and that
        knows this moment. As long as the journal is right about all that are in, and the next one, nobody looks at
        others; texts may have got lost."""
        found = list(islice(self._entered, looked))
        taken = [(each.candidate.source.node(each.candidate.symbol), each.parts) for each in found]
        is_right = taken == list(islice(self.taking(), looked))
        return working_set.places_of(found if is_right else self._entered, budget)

    def look_ahead(self, budget: int) -> Iterator[None]:
        """Find out, a little at a time, what working sets of budgets up to this one will ask for."""
        versions = iter(self._files_of(self._coming(budget, NEAR_MISSES)))
        while some := list(islice(versions, AT_A_TIME)):
            self._sources.have_ready(some)
            for path, version in some:
                self._sources.source(path, version)
            yield
        yield from working_set.look_ahead(self._entered, budget)

    # -- state ----------------------------------------------------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """What weighs how much."""
        return rules_at(self.journal, self.last)

    @cached_property
    def failures(self) -> Failures:
        """What fails."""
        return failures_at(self.journal, self.last)

    @cached_property
    def pinned(self) -> Mapping[str, int]:
        """What somebody pinned, and at which step."""
        pages = self.journal.pages
        upto = pages.upto(self.last)
        last = dict(zip(pages["node"][:upto].tolist(), pages["pinned"][:upto].tolist(), strict=True))
        return {self.journal.name(node): since for node, since in last.items() if since}

    def heat_of(self, node: str) -> tuple[int, ...]:
        """A node's heat by cause."""
        if node not in self._heats:
            number = self.journal.id(node)
            if number < 0:
                return (0,) * len(CAUSES)
            found = latest_heats(self.journal, self._next_heats(number), self.last)
            self._heats.update({self.journal.name(at): heats for at, heats in found.items()})
        return self._heats[node]

    def score(self, node: str) -> int:
        """How much a node matters."""
        row = self.row(node)
        return int(self.journal.changes["score"][row]) if row >= 0 else 0

    def tier(self, node: str, anchors: Mapping[str, object]) -> int:
        """Which tier of a window a node is in, when failures are felt at `anchors`."""
        row = self.row(node)
        tier = int(self.journal.changes["tier"][row]) if row >= 0 else NORMAL
        if tier in (PINNED, AWAY):
            return tier
        return ANCHOR if node in anchors else NORMAL

    def row(self, node: str) -> int:
        """The row of the journal that says how warm a node is; -1 if it never was."""
        number = self.journal.id(node)
        return int(self._row_of[number]) if number >= 0 else -1

    def ranking(self) -> tuple[int, Iterable[Ranked]]:
        """The best score of all that is warm, there, and not sent away; and each of them in the order of a window."""
        return self._best, in_order(self._order)

    def taking(self) -> Iterator[tuple[str, int]]:
        """What may be in a working set, in its order, and what it takes to show it behind all that come before; looked
        up in the journal alone, as far as somebody asks."""
        return chain.from_iterable(self._takes)

    # -- helpers --------------------------------------------------------------------------------------------------

    @property
    def _entered(self) -> Iterable[Entering]:
        """What may be in, with its sources."""
        return self._sources.warm(self._standing_by, "entering", self._entering)

    @property
    def _order(self) -> Iterable[Part]:
        """What may be in, in its order, some at a time."""
        return self._sources.warm(self._standing_by, "order", self._ranked)

    @property
    def _takes(self) -> Iterable[list[tuple[str, int]]]:
        return self._sources.warm(self._standing_by, "takes", self._taking)

    def _taking(self) -> Iterator[list[tuple[str, int]]]:
        least = max(self.ranking()[0] - (self.rules.caps["stop"] << BITS), 1)
        """What `within` asks of a score."""
        opened: dict[str, None] = {}
        for warm, nodes in self._order:
            may = int(np.count_nonzero((warm.tiers <= ANCHOR) | (warm.scores >= least)))  # they come first
            pairs = zip(nodes, self.journal.changes["cost"][warm.rows[:may]].tolist(), strict=False)
            while some := list(islice(pairs, A_FEW)):  # most who ask get no further than the first
                found = []
                for node, taken in some:
                    if (head := spelled_path(node)) not in opened:
                        opened[head] = None
                        taken += opening(unescape(head))
                    found.append((node, taken))
                yield found
            if may < len(nodes):
                return

    def _coming(self, budget: int, further: int) -> list[str]:
        """All that will be in a working set, and so many of its near misses, as the journal says."""
        nodes: list[str] = []
        left = working_set.admitting(budget)
        for node, taken in self.taking():
            left -= taken
            if left < 0 and (further := further - 1) < 0:
                break
            nodes.append(node)
        return nodes

    def _files_of(self, nodes: Iterable[str]) -> list[tuple[str, Version]]:
        """The files of nodes, each by its path and what it is, as far as they are there."""
        heads = dict.fromkeys(map(spelled_path, nodes))
        versions = ((path, self.version(path)) for path in map(unescape, heads))
        return [(path, each) for path, each in versions if each is not None]

    def _shown(self, lens: str, budget: int) -> Window:
        if lens != WORKING_SET:
            return window_of(lens, budget, self, self)
        self._sources.have_ready(self._files_of(self._coming(budget, NEAR_MISSES)))
        return working_set.window_of(self._entered, budget)

    @property
    def _standing_by(self) -> Hashable:
        """What the order of its windows rests on."""
        return self.last

    def _entering(self) -> Iterator[Entering]:
        return entering(working_set.ranked(self, self.source))

    def _next_heats(self, number: int) -> list[int]:
        """The node that is asked for, and those that come next in a window's order: who asks of one asks of them."""
        many = AT_ONCE if self._heated else AT_FIRST
        near = self.journal.changes["node"][self._ranks.rows[self._heated : self._heated + many]].tolist()
        if self._heated and number not in near:
            return [number]
        self._heated += many
        return list(dict.fromkeys([number, *near]))

    def _ranked(self) -> Iterator[Part]:
        """In the order of a window, some at a time: what may be in by the stop rule, and then all others."""
        yield from self._parts(self._ranks)
        yield from self._parts(self._behind)

    def _parts(self, warm: Warm) -> Iterator[Part]:
        """Equals are told apart by their names, so they come together."""
        ends = np.nonzero((np.diff(warm.tiers) != 0) | (np.diff(warm.scores) != 0))[0] + 1
        begin = 0
        for many in chain((AT_FIRST,), repeat(AT_ONCE)):
            if begin == len(warm.rows):
                return
            at = int(np.searchsorted(ends, begin + many))
            end = int(ends[at]) if at < len(ends) else len(warm.rows)
            yield part_of(self.journal, Warm(*(column[begin:end] for column in warm)))
            begin = end

    @cached_property
    def _ranks(self) -> Warm:
        """What may be in by the stop rule, in its order but for the names of equals; all others come behind. Those are
        a few hundred among tens of thousands."""
        return sorted_out(warm_at(self.journal, self.last, self._least))

    @property
    def _behind(self) -> Warm:
        """All that the stop rule keeps out, likewise."""
        warm = warm_at(self.journal, self.last)
        return sorted_out(warm.where((warm.tiers > ANCHOR) & (warm.scores < self._least)))

    @property
    def _least(self) -> int:
        """The score from which on the stop rule lets in."""
        return self._best - (self.rules.caps["stop"] << BITS)

    @property
    def _best(self) -> int:
        return int(self.journal.steps["best"][self.last - 1]) if self.last else 0

    @cached_property
    def _latest(self) -> Numbers:
        return self.journal.latest(self.last)

    @cached_property
    def _row_of(self) -> Numbers:
        found = np.full(len(self.journal.names), -1, np.int32)
        found[self.journal.changes["node"].take(self._latest)] = self._latest
        return found

    def _linked(self, path: str) -> Iterator[Link]:
        journal = self.journal
        uses = journal.uses
        upto = uses.upto(self.last)
        rows = np.nonzero(uses["file"][:upto] == journal.id(file_node(path)))[0]
        places = self.source(path).nesting.places
        for owner, to, role, count in holding(journal, rows):
            target = self.find(journal.name(to))
            if target is not None:
                yield Link(places[journal.name(owner)], target, journal.name(role), 0, count)


def places_at(moments: Sequence[Moment], budget: int) -> list[Places]:
    """Working sets without their texts; what all of them are made from is read in one sweep."""
    coming = [each._coming(budget, 1) for each in moments]
    files = [file for each, nodes in zip(moments, coming, strict=True) for file in each._files_of(nodes)]
    moments[0]._sources.have_ready(files, texts=False)
    return [each._places(budget, len(nodes)) for each, nodes in zip(moments, coming, strict=True)]


def sorted_out(warm: Warm) -> Warm:
    """In the order of a window, but for the names of equals."""
    return warm.where(np.lexsort((-warm.scores, warm.tiers)))


def part_of(journal: Journal, warm: Warm) -> Part:
    """In the order of a window: by tier, then by score, and equals by their names."""
    nodes = journal.spelled(journal.changes["node"][warm.rows])
    ranks = list(zip(warm.tiers.tolist(), (-warm.scores).tolist(), nodes, strict=True))
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    return Part(warm.where(np.array(order, np.int64)), [nodes[at] for at in order])


def in_order(parts: Iterable[Part]) -> Iterator[Ranked]:
    """One by one."""
    for warm, nodes in parts:
        yield from zip(warm.tiers.tolist(), warm.scores.tolist(), nodes, strict=True)
