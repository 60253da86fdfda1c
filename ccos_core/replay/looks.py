"""What was looked at in each moment, and which of it was another than before: the rows a journal is to have.

A moment only lays down what it looked at. What failures give is added up, and all of it compared with what was known,
for many moments at a time, for that is what columns are good at. Rows of a moment stand in the order of names.
"""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import NO_CAUSE, Journal
from ccos_core.replay.numbering import Numbering
from ccos_core.replay.reaches import NONE, NOTHING, Gifts, summed
from ccos_core.state.rules import CAUSES

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
