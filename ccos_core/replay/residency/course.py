"""The course of a node through a session: where in the order it stood at each step, under whatever name.

A file has two: that of its own node, and that of whichever of it stands highest. A file is in a window as far as that
one is, since whoever stands highest of a file is the first of it to be in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.order import NOWHERE, Order, sorted_names
from ccos_core.values.ids import escape, path_of


@dataclass(frozen=True, slots=True)
class Course:
    """Columns by step, from step 0 on."""

    place: Numbers
    """`NOWHERE` where it isn't in the order."""

    rank: Numbers
    """The place of its name among all names."""

    cost: Numbers
    """What it takes to show it at all, its file's header aside."""

    file: Numbers
    """The file it is in, as the order numbers it."""

    row: Numbers
    """Which row of the changes says so; -1 before the first."""


def course_of(order: Order, names: Sequence[Name]) -> Course:
    """The course of one node."""
    return _course(order, [(name, [order.journal.id(name.node)]) for name in names])


def course_within(order: Order, names: Sequence[Name]) -> Course:
    """The course of whatever stands highest of a file."""
    return _course(order, [(name, _within(order.journal, name.node)) for name in names])


def last_rows(journal: Journal) -> Numbers:
    """Number of a node → the last change of it; -1 where there is none."""
    found: Numbers = journal.once("last rows", lambda: _last_rows(journal))
    return found


def rows_of(journal: Journal, node: int) -> list[int]:
    """All changes of a node, the last one first."""
    before, row = journal.changes["before"], int(last_rows(journal)[node]) if node >= 0 else -1
    found = []
    while row >= 0:
        found.append(row)
        row = int(before[row])
    return found


def _course(order: Order, named: Sequence[tuple[Name, Sequence[int]]]) -> Course:
    journal = order.journal
    row = np.full(journal.head + 1, -1, np.int32)
    file = np.full(journal.head + 1, -1, np.int32)
    for name, nodes in named:
        file[name.first : name.last + 1] = order.file(path_of(name.node) or "")
        begins, rows = _highest(order, nodes)
        if len(begins):
            held = np.repeat(rows, np.diff(begins, append=journal.head + 1))
            first = min(max(name.first, int(begins[0])), name.last + 1)
            row[first : name.last + 1] = held[first - int(begins[0]) : name.last + 1 - int(begins[0])]
    warm = row >= 0
    place = np.full(len(row), NOWHERE, np.int64)
    rank, cost = np.zeros(len(row), np.int32), np.zeros(len(row), np.int32)
    place[warm] = order.placed(row[warm])
    rank[warm] = order.ranks[journal.changes["node"][row[warm]]]
    cost[warm] = journal.changes["cost"][row[warm]]
    return Course(place, rank, cost, file, row)


def _highest(order: Order, nodes: Sequence[int]) -> tuple[Numbers, Numbers]:
    """(steps, from each of them on the row of the highest of some nodes)."""
    journal = order.journal
    histories = [np.asarray(rows[::-1], np.int64) for node in nodes if (rows := rows_of(journal, node))]
    if not histories:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if len(histories) == 1:
        return _last_of_each(journal.stamps[histories[0]], histories[0])
    steps = np.unique(np.concatenate([journal.stamps[rows] for rows in histories]))
    histories.sort(key=lambda rows: int(order.ranks[journal.changes["node"][rows[0]]]))
    held = np.full((len(histories), len(steps)), -1, np.int64)
    for at, history in enumerate(histories):
        latest = np.searchsorted(journal.stamps[history], steps, side="right") - 1
        held[at] = np.where(latest >= 0, history[latest], -1)
    places = np.where(held >= 0, order.placed(held.ravel()).reshape(held.shape), NOWHERE - 1)
    best = np.argmax(places, axis=0)  # the first of equals, which are in the order of their names
    return steps, held[best, np.arange(len(steps))]


def _last_of_each(steps: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    last = np.append(steps[1:] != steps[:-1], True)
    return steps[last].astype(np.int64), rows[last]


def _within(journal: Journal, node: str) -> list[int]:
    """The numbers of a file and of everything that ever was in it."""
    known, first = sorted_names(journal), f"sym:{escape(path_of(node) or '')}#"
    begin = bisect_left(known, first, key=journal.name)
    return [journal.id(node), *takewhile(lambda number: journal.name(number).startswith(first), known[begin:])]


def _last_rows(journal: Journal) -> Numbers:
    nodes = journal.changes["node"]
    found = np.full(len(journal.names), -1, np.int32)
    found[nodes] = np.arange(len(nodes), dtype=np.int32)
    return found
