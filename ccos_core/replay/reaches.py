"""What the failures that live reach, as columns: so what they give to hundreds of nodes is worked out at once.

A test run renews failures that reach hundreds of nodes each, and nearly all that a journal says is what such runs
change. The numbers are those of `Failures.pressure`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers, last_of
from ccos_core.replay.heat_columns import added, scaled
from ccos_core.replay.journal import Journal
from ccos_core.replay.numbering import Numbering
from ccos_core.replay.past import key_of
from ccos_core.state.failures import WHOLE_BITS, Failures, Key, Live

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
