"""One look at the order at one step: who stood where, and how far a budget went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.order import Order
from ccos_core.replay.residency.room import room_in
from ccos_core.values.tokens import tokens


@dataclass(frozen=True, slots=True)
class Look:
    """The candidates of a working set, the first in the order first."""

    step: int
    rows: Numbers
    """Of the changes."""
    nodes: Numbers
    files: Numbers
    """The file each is in, as the order numbers it."""
    costs: Numbers
    """What each takes at all, the header of its file aside, in parts of a token."""
    needs: Numbers
    """What there must be room for before each is in."""

    def members(self, budget: int) -> int:
        """How many are in."""
        return int(np.searchsorted(self.needs, room_in(budget), side="right"))

    def taken(self, members: int) -> int:
        """The tokens so many of them take as they come in; the rest of a budget shows them more fully."""
        return tokens(int(self.needs[members - 1])) if members else 0

    def position(self, node: int) -> int | None:
        """Where a node stands, from 0 on."""
        found = np.nonzero(self.nodes == node)[0]
        return int(found[0]) if len(found) else None


def look_at(order: Order, step: int) -> Look:
    """The order at a step."""
    rows = order.standing(step)
    changes = order.journal.changes
    nodes, costs = changes["node"][rows], changes["cost"][rows].astype(np.int64)
    return Look(step, rows, nodes, order.files(nodes), costs, np.cumsum(order.taken(rows)))


def newly_above(before: Look, was: int | None, now: Look, at: int) -> list[int]:
    """Positions of those who stand above the position `at` now, and stood not above `was` before."""
    stood = before.nodes[: was if was is not None else len(before.nodes)]
    found: list[int] = np.nonzero(~np.isin(now.nodes[:at], stood))[0].tolist()
    return found


def taken_by(order: Order, look: Look, some: Sequence[int], at: int) -> int:
    """What some of those above a position take, with the headers of files that only they are in."""
    others = np.delete(look.files[: at + 1], some)
    files = np.setdiff1d(look.files[list(some)], others)
    return int(look.costs[list(some)].sum() + order.openings(files).sum())
