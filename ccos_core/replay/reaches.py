"""What a moment looked at and changed, as rows of the journal, with what failures give to hundreds of nodes as columns.

Names become the numbers a journal has for them. A moment only notes what it looked at; what failures give is added up
and everything compared with what was known for many moments at a time. Rows of a moment stand in the order of names.

A test run renews failures that reach hundreds of nodes each, and most of a journal is what such runs change. The
numbers are those of `Failures.pressure`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers, last_of
from ccos_core.replay.heat_columns import added, scaled
from ccos_core.replay.journal import NO_CAUSE, Journal
from ccos_core.replay.past import key_of
from ccos_core.state.failures import WHOLE_BITS, Failures, Key, Live
from ccos_core.state.rules import CAUSES


class Numbering:
    """The names of one journal."""

    def __init__(self, journal: Journal) -> None:
        self._names = journal.names
        self._ids = journal.ids
        self._spelled = list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def number(self, name: str) -> int:
        """The number of a name, a new one if it has none."""
        at = self._ids.get(name)
        if at is None:
            at = self._ids[name] = self._names.add(name.encode("utf-8", "surrogatepass"))
            self._spelled.append(name)
        return at

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The numbers of many, which as a rule are known."""
        names, ids = list(names), self._ids
        try:
            return list(map(ids.__getitem__, names))
        except KeyError:
            return [self.number(name) for name in names]

    def column(self, names: Iterable[str]) -> Numbers:
        """The same, as a column."""
        return np.array(self.numbers(names), np.int64)

    def names(self, numbers: Iterable[int]) -> list[str]:
        """The names of these numbers."""
        return list(map(self._spelled.__getitem__, numbers))


HEATS = slice(0, len(CAUSES))
PRESSURE = CAUSES.index("failure")
PRIOR, COST, TIER = range(len(CAUSES), len(CAUSES) + 3)
"""Where the columns of a look are: its heats in the order of CAUSES, and what the node is worth by itself."""
FIELDS = len(CAUSES) + 3
UNKNOWN = -1
"""Prior, cost and tier of a node of which nothing was noted."""


class Looks:
    """What was looked at, and isn't written down yet."""

    def __init__(self, journal: Journal, numbering: Numbering) -> None:
        self._journal = journal
        self._numbering = numbering
        self._said = blank(len(journal.names))
        """Node → what the journal says of it."""
        self._nodes: list[Numbers] = []
        self._values: list[Numbers] = []
        self._gifts: list[Gifts] = []
        self._sizes: list[int] = []
        """Of each moment, how many nodes were looked at."""
        self._anew: list[int] = []
        """Moments since which other rules hold, so that every score is another."""
        self.waiting = 0
        """Looks that aren't written down."""
        self._remember()

    @property
    def said(self) -> Numbers:
        """What the journal says of every node."""
        return self._said

    def note(self, nodes: Numbers, values: Numbers, gifts: Gifts, *, anew: bool = False) -> None:
        """In the next moment these nodes are so; what failures give to them is still to be added up."""
        if anew:
            self._anew.append(len(self._sizes))
        self._sizes.append(len(nodes))
        self._nodes.append(nodes)
        self._values.append(values)
        if len(gifts.places):
            self._gifts.append(Gifts(gifts.places + self.waiting, gifts.strengths, gifts.units))
        self.waiting += len(nodes)

    def note_nothing(self) -> None:
        """In the next moment nothing is to be looked at."""
        self._sizes.append(0)

    def take(self) -> tuple[Numbers, list[int]]:
        """The rows of what has changed (node, cause, and what is so now), and how many of them each moment has."""
        moments = np.repeat(np.arange(len(self._sizes)), self._sizes)
        nodes = np.concatenate([NONE, *self._nodes])
        values = np.concatenate([blank(0), *self._values])
        values[:, PRESSURE] = self._pressures()
        order = np.lexsort((self._ranks(nodes), moments))
        nodes, values = nodes[order], values[order]
        at, cause = np.nonzero(self._changes(nodes, values, np.isin(moments, self._anew)))
        self._said[nodes] = values
        counts: list[int] = np.bincount(moments[at], minlength=len(self._sizes)).tolist()
        self._nodes, self._values, self._gifts, self._sizes, self._anew, self.waiting = [], [], [], [], [], 0
        return np.column_stack([nodes[at], cause, values[at]]), counts

    def _pressures(self) -> Numbers:
        return summed(Gifts(*(np.concatenate(each) for each in zip(NOTHING, *self._gifts, strict=True))), self.waiting)

    def _ranks(self, nodes: Numbers) -> Numbers:
        """The places of nodes in the order of their names."""
        different, which = np.unique(nodes, return_inverse=True)
        names = self._numbering.names(different.tolist())
        ranks = np.empty(len(names), np.int64)
        ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        found: Numbers = ranks[which]
        return found

    def _changes(self, nodes: Numbers, values: Numbers, anew: Numbers) -> Numbers:
        """Of each look, which of the causes changed what is so; the last one stands for none of them."""
        differs = values != self._before(nodes, values)
        found = np.empty((len(nodes), NO_CAUSE + 1), bool)
        found[:, HEATS] = differs[:, HEATS]
        found[:, NO_CAUSE] = ~differs[:, HEATS].any(axis=1) & (differs[:, PRIOR:].any(axis=1) | anew)
        return found

    def _before(self, nodes: Numbers, values: Numbers) -> Numbers:
        """What was so of each when it was looked at last."""
        self._said = with_room(self._said, len(self._journal.names))
        found: Numbers = self._said[nodes]
        order = np.argsort(nodes, kind="stable")
        again = nodes[order[1:]] == nodes[order[:-1]]
        found[order[1:][again]] = values[order[:-1][again]]
        return found

    def _remember(self) -> None:
        """Know what the journal says of each node last."""
        journal, head = self._journal, self._journal.head
        rows = journal.latest(head)
        nodes = journal.changes["node"][rows]
        self._said[nodes, HEATS] = journal.heats(head)[nodes]
        for at, name in ((PRIOR, "prior"), (COST, "cost"), (TIER, "tier")):
            self._said[nodes, at] = journal.changes[name][rows]


def blank(size: int) -> Numbers:
    """A table of nodes of which nothing was noted."""
    found = np.zeros((size, FIELDS), np.int64)
    found[:, PRIOR:] = UNKNOWN
    return found


def with_room(table: Numbers, size: int) -> Numbers:
    """The table, with room for so many nodes at least."""
    if size <= len(table):
        return table
    return np.concatenate([table, blank(size + size // 4 - len(table))])


NONE: Numbers = np.zeros(0, np.int64)
NOWHERE = -1
FEW = 16
"""Nodes that are asked about one by one."""


class Reach(NamedTuple):
    """What one failure reaches."""

    strengths_of: Mapping[str, int] | None
    """What the columns were made of, where that was here; while it is the same object, so are they."""
    nodes: Numbers
    strengths: Numbers


class Gifts(NamedTuple):
    """What failures give to nodes, the first to fail first."""

    places: Numbers
    """Which of the nodes that were asked about, ..."""
    strengths: Numbers
    """... how strongly it is reached, ..."""
    units: Numbers
    """... and of how much that is the share."""


NOTHING = Gifts(NONE, NONE, NONE)


class Reaches:
    """The failures of a world, as columns."""

    def __init__(self, journal: Journal, failures: Failures, numbering: Numbering) -> None:
        self._failures = failures
        self._numbering = numbering
        self._known: dict[Key, Reach] = {}
        self._turned: list[Numbers] = []
        """Nodes that were reached by what has turned since somebody looked, or are so now."""
        self._all: Gifts | None = None
        """What all failures give, as long as none of them turns; its places are nodes."""
        self._place: Numbers = NONE
        self._remember(journal)

    def turn(self, key: Key, live: Live | None) -> Reach | None:
        """A failure began, was renewed or has ended; gives what it reaches now."""
        self._all = None
        before = self._known.pop(key, None)
        now = before if live is not None and before is not None and before.strengths_of is live.strengths else None
        if now is None and live is not None:
            nodes = self._numbering.column(live.strengths)
            now = Reach(live.strengths, nodes, np.fromiter(live.strengths.values(), np.int64, len(nodes)))
        if now is not None:
            self._known[key] = now
        self._turned += [each.nodes for each in (before, now if now is not before else None) if each is not None]
        return now

    def take_turned(self) -> Numbers:
        """The nodes to which failures may give something else than when this was asked last, each once."""
        turned, self._turned = self._turned, []
        if len(turned) < 2:  # as nearly always
            return turned[0] if turned else NONE
        return self.each_once(np.concatenate(turned))

    def each_once(self, nodes: Numbers) -> Numbers:
        """These nodes, none of them twice."""
        place, places = self._room(), np.arange(len(nodes))
        place[nodes] = places  # of one that comes again any of its places stays, which is then the one that counts
        found: Numbers = nodes[place[nodes] == places]
        place[found] = NOWHERE
        return found

    def gifts(self, nodes: Numbers) -> Gifts:
        """What failures give to each of these nodes, which are all different."""
        if not self._failures.live or not len(nodes):
            return NOTHING
        if len(nodes) <= FEW:
            return self._gifts_of_few(nodes)
        if self._all is None:
            self._all = self._given()
        place = self._room()
        place[nodes] = np.arange(len(nodes))
        places = place[self._all.places]
        place[nodes] = NOWHERE
        here = np.nonzero(places >= 0)[0]
        return Gifts(places[here], self._all.strengths[here], self._all.units[here])

    def _gifts_of_few(self, nodes: Numbers) -> Gifts:
        """The same, one by one: who asks about a file that was read needn't look through all that fails."""
        live, on = self._failures.live, self._failures.on
        found = [
            (place, live[key].strengths[node], live[key].unit)
            for place, node in enumerate(self._numbering.names(nodes.tolist()))
            for key in sorted(on.get(node, ()), key=lambda key: (live[key].since, key))
        ]
        if not found:
            return NOTHING
        return Gifts(*np.array(found, np.int64).T)

    def _given(self) -> Gifts:
        live = self._failures.live
        order = [key for _, key in sorted((each.since, key) for key, each in live.items())]
        reaches = [self._known[key] for key in order]
        units = np.array([live[key].unit for key in order], np.int64)
        return Gifts(
            np.concatenate([each.nodes for each in reaches]),
            np.concatenate([each.strengths for each in reaches]),
            np.repeat(units, [len(each.nodes) for each in reaches]),
        )

    def _room(self) -> Numbers:
        """For each node a place, which is NOWHERE."""
        size = len(self._numbering)
        if size > len(self._place):
            self._place = np.full(size + size // 4, NOWHERE, np.int64)
        return self._place

    def _remember(self, journal: Journal) -> None:
        """Know what the journal says of each failure last."""
        rows = journal.failures
        for at in last_of(rows["key"]).tolist():
            if rows["told"][at] >= 0:
                here = slice(int(rows["begin"][at]), int(rows["end"][at]))
                nodes, strengths = (journal.reached[name][here].astype(np.int64) for name in ("node", "strength"))
                self._known[key_of(journal, at)] = Reach(None, nodes, strengths)


def summed(gifts: Gifts, size: int) -> Numbers:
    """What each of so many nodes is given in all, added in the order given."""
    found = np.zeros(size, np.int64)
    order = np.argsort(gifts.places, kind="stable")
    places, heats = gifts.places[order], scaled(gifts.units, gifts.strengths, WHOLE_BITS)[order]
    while len(places):
        first = np.ones(len(places), bool)
        first[1:] = places[1:] != places[:-1]
        at = places[first]
        found[at] = added(found[at], heats[first])
        places, heats = places[~first], heats[~first]
    return found
