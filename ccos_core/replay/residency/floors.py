"""Floors: places so low in the order that nobody who stands there is in, whatever else happens for a while.

A session is cut into spans of steps. Who stands in the order when a span begins, and loses neither place nor cost in
it, is above everybody who ever stands lower in it. As soon as the costs of the highest of them fill a budget, nobody
below has to be looked at. Worked out span by span, when somebody asks about steps of it.
"""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.order import NOWHERE, Order
from ccos_core.replay.residency.room import room_in

SPAN = 128
"""Steps of a span."""
BUDGETS = (256, 512, 1_024, 1_536, 2_048, 3_072, 4_096, 6_144, 8_192, 12_288)
"""Budgets floors are kept for; another goes by the next larger one."""


class Floors:
    """The floors of all spans, as far as somebody asked."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.rooms = np.asarray([room_in(budget) for budget in BUDGETS], np.int64)
        lowered = order.place < order.was
        lowered[order.recosted] = True
        self._lowered = np.nonzero(lowered)[0]
        """Rows of nodes that lost place, or take another amount."""
        self._marked = np.zeros(len(order.journal.names), bool)
        """Room to mark some nodes; left as it was found."""
        spans = order.journal.head // SPAN + 1
        self._floors = np.full((spans, len(self.rooms)), NOWHERE, np.int64)
        self._known = np.zeros(spans, bool)

    def at(self, steps: Numbers, room: int) -> Numbers | int:
        """The floor at each of some steps, for whoever asks about so much room."""
        column = int(np.searchsorted(self.rooms, room))
        if column == len(self.rooms):
            return NOWHERE
        spans = steps // SPAN
        needed = np.zeros(len(self._known), bool)
        needed[spans] = True
        for span in np.nonzero(needed & ~self._known)[0].tolist():
            self._floors[span] = self._floors_of(span)
            self._known[span] = True
        found: Numbers = self._floors[spans, column]
        return found

    def _floors_of(self, span: int) -> Numbers:
        """The place of the first with whom each room is more than full."""
        order, changes = self.order, self.order.journal.changes
        first, last = max(span * SPAN, 1), min(span * SPAN + SPAN - 1, order.journal.head)
        rows = order.alive(first, first + 1, int(order.least[first]))
        begin, end = order.rows(np.asarray([first, last])).tolist()
        lowered = self._lowered[slice(*np.searchsorted(self._lowered, [begin, end]).tolist())]
        if len(lowered):
            self._marked[changes["node"][lowered]] = True
            rows = rows[~self._marked[changes["node"][rows]]]
            self._marked[changes["node"][lowered]] = False
        rows = rows[np.argsort(-order.place[rows])]
        full = np.searchsorted(np.cumsum(order.taken(rows)), self.rooms, side="right")
        found: Numbers = np.append(order.place[rows], NOWHERE)[full]
        return found


def floors_of(order: Order) -> Floors:
    """The floors of an order."""
    found: Floors = order.journal.once("floors", lambda: Floors(order))
    return found


def room_above(room: int) -> int:
    """The most room for which the floors are those of this much."""
    return next((most for budget in BUDGETS if (most := room_in(budget)) >= room), 2**62)
