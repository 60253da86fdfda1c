"""Entry budgets: from which budget on a node was in a working set, at every step of a session.

The course of a node is where in the order it stood at each step, under whatever name. A file has two: that of its own
node, and that of its highest node, with which it enters a window.

A node needs what everything above it takes, headers of files included, and itself. That changes where another node
crosses its place, where one above it takes more or less, and where it moves itself. So a pass over the changes of the
steps at which it was a candidate finds all of them, and sums give the rest.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.order import NOWHERE, TOP, Order, floors_of, sorted_names
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


NEVER = -1
"""No budget is large enough, as far as anybody asked."""
MOST_TURNS = 64
"""Turns of a node that are looked at together, ..."""
MOST_ROWS = 4_000
"""... as long as no more changes than this lie between them."""


@dataclass(frozen=True, slots=True)
class Crossings:
    """What changed the sum above a node."""

    steps: Numbers
    costs: Numbers
    """What is added to it, or taken away."""
    counts: Numbers
    """1 where a node came above it, -1 where one left, 0 where one takes more or less than before."""
    nodes: Numbers


def needs(order: Order, course: Course, first: int = 0, last: int | None = None, room: int | None = None) -> Numbers:
    """Step → what there must be room for before a node is in, in parts of a token; `NEVER` where it is no candidate.
    Of some steps, where only these are asked for; and up to some room, where it doesn't matter by how much it is more:
    there, too, it may be `NEVER`."""
    within = course.place >= order.least
    within[:first] = False
    within[len(within) if last is None else last + 1 :] = False
    if room is not None:
        steps = np.nonzero(within)[0]
        within[steps] = course.place[steps] >= floors_of(order).at(steps, room)
    begins, ends = stretches(within, course.file)
    found = np.full(len(within), NEVER, np.int64)
    if len(begins):
        crossings = _crossings(order, course, begins, ends)
        taken = _sums(crossings.steps, crossings.costs, begins, ends, len(found))
        taken += _headers(order, course, crossings, begins, ends)
        own = course.cost[within] + order.openings(course.file[within])
        found[within] = taken[within] + own
    return found


def stretches(within: Numbers, alike: Numbers) -> tuple[Numbers, Numbers]:
    """(first step, step behind the last) of each run of steps within which nothing of `alike` changes."""
    other = np.append(True, alike[1:] != alike[:-1])
    begins = np.nonzero(within & (other | ~np.append(False, within[:-1])))[0]
    ends = np.nonzero(within & np.append(other[1:] | ~within[1:], True))[0] + 1
    return begins, ends


def _crossings(order: Order, course: Course, begins: Numbers, ends: Numbers) -> Crossings:
    place, rank = _before(course.place, begins, TOP), _before(course.rank, begins, 0)
    passed = _by_changes(order, course, place, rank, begins, ends)
    turned = _by_turns(order, course, place, rank, begins, ends)
    return Crossings(*(np.concatenate(each) for each in zip(passed, turned, strict=True)))


def _before(values: Numbers, begins: Numbers, first: int) -> Numbers:
    """At each step the value of the step before; where a stretch begins, that of somebody whom nobody is above."""
    found = np.append(values[:1], values[:-1])
    found[begins] = first
    return found


Four = tuple[Numbers, Numbers, Numbers, Numbers]
"""Steps, costs, counts, nodes."""


def _by_changes(order: Order, course: Course, place: Numbers, rank: Numbers, begins: Numbers, ends: Numbers) -> Four:
    """What others did: they changed, and stand on another side of the node, or take another amount."""
    rows, steps = _rows_within(order, begins, ends)
    changes = order.journal.changes
    now = _above(order, rows, steps, order.place, course.place, course.rank)
    was = _above(order, rows, steps, order.was, place, rank)
    costly = np.searchsorted(rows, order.recosted)
    costly = costly[np.append(rows, -1)[costly] == order.recosted]
    moved = now != was
    moved[costly[now[costly]]] = True
    some = np.nonzero(moved)[0]
    rows, now, was, cost = rows[some], now[some], was[some], changes["cost"]
    costs = now * cost[rows].astype(np.int64) - was * cost[changes["before"][rows]]
    return steps[some], costs, now.astype(np.int8) - was, changes["node"][rows]


def _rows_within(order: Order, begins: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """All changes of some stretches, with their steps."""
    first, last = order.rows(begins - 1), order.rows(ends - 1)
    rows = ranges(first, last)
    return rows, order.journal.stamps[rows]


def _above(order: Order, rows: Numbers, steps: Numbers, places: Numbers, place: Numbers, rank: Numbers) -> Numbers:
    """Whether rows of the changes put their nodes above the node's place at their steps."""
    here, there = places[rows], place[steps]
    found: Numbers = here > there
    level = np.nonzero(here == there)[0]
    ranks = order.ranks[order.journal.changes["node"][rows[level]]]
    found[level] = ranks < rank[steps[level]]
    return found


def _by_turns(order: Order, course: Course, place: Numbers, rank: Numbers, begins: Numbers, ends: Numbers) -> Four:
    """What the node did itself: it went to another place, and others who didn't move are on another side of it."""
    steps = ranges(begins, ends)
    turns = steps[(place[steps] != course.place[steps]) | (rank[steps] != course.rank[steps])]
    found = [_turned(order, course, place, rank, turns[first:last]) for first, last in _groups(order, turns)]
    empty = np.empty(0, np.int64)
    return _joined(found) if found else (empty, empty, empty, empty)


def _joined(parts: list[Four]) -> Four:
    steps, costs, counts, nodes = (np.concatenate(each) for each in zip(*parts, strict=True))
    return steps, costs, counts, nodes


def _groups(order: Order, turns: Numbers) -> list[tuple[int, int]]:
    rows = order.rows(turns).tolist()
    found, first = [], 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or at - first == MOST_TURNS or rows[at] - rows[first] > MOST_ROWS:
            found.append((first, at))
            first = at
    return found


def _turned(order: Order, course: Course, place: Numbers, rank: Numbers, turns: Numbers) -> Four:
    """The crossings of some turns: of those who stood between the places it left and went to, and held their own."""
    low, high = np.minimum(course.place[turns], place[turns]), np.maximum(course.place[turns], place[turns])
    rows = order.alive(int(turns[0]), int(turns[-1]), int(low.min()))
    rows = rows[np.argsort(order.place[rows])]
    places = order.place[rows]
    begins, ends = np.searchsorted(places, low), np.searchsorted(places, high, side="right")
    rows, steps = rows[ranges(begins, ends)], np.repeat(turns, ends - begins)
    through = (order.journal.stamps[rows] < steps) & (order.ends[rows] > steps)
    rows, steps = rows[through], steps[through]
    now = _above(order, rows, steps, order.place, course.place, course.rank)
    was = _above(order, rows, steps, order.place, place, rank)
    crossed = now != was
    rows, counts = rows[crossed], np.where(now[crossed], 1, -1)
    changes = order.journal.changes
    return steps[crossed], counts * changes["cost"][rows].astype(np.int64), counts, changes["node"][rows]


def _sums(steps: Numbers, costs: Numbers, begins: Numbers, ends: Numbers, size: int) -> Numbers:
    """Step → the sum of all costs since its stretch began."""
    found = np.zeros(size, np.int64)
    np.add.at(found, steps, costs)
    sums = np.cumsum(found)
    base = np.repeat(sums[begins - 1], ends - begins)
    sums[ranges(begins, ends)] -= base
    return sums


def _headers(order: Order, course: Course, crossings: Crossings, begins: Numbers, ends: Numbers) -> Numbers:
    """Step → what the headers of all other files above the node take."""
    size = len(course.place)
    some = crossings.counts != 0
    steps, counts = crossings.steps[some], crossings.counts[some]
    files = order.files(crossings.nodes[some])
    other = files != course.file[steps]
    steps, counts, files = steps[other], counts[other], files[other]
    if not len(steps):
        return np.zeros(size, np.int64)
    numbered = np.zeros(size, np.int32)
    numbered[begins] = 1
    numbered = np.cumsum(numbered)  # step → its stretch
    by = _by_file(files, steps)
    steps, counts, files = steps[by], counts[by].astype(np.int64), files[by]
    stretch = numbered[steps]
    standing = np.cumsum(counts)
    first = np.append(True, (files[1:] != files[:-1]) | (stretch[1:] != stretch[:-1]))
    standing -= np.repeat((standing - counts)[first], np.diff(np.append(np.nonzero(first)[0], len(first))))
    opens = (standing > 0).astype(np.int64) - (standing - counts > 0)
    turned = opens != 0
    return _sums(steps[turned], opens[turned] * order.openings(files[turned]), begins, ends, size)


def _by_file(files: Numbers, steps: Numbers) -> Numbers:
    """The order by file, and by step within it. The steps come as two rising runs, so that sorting them is a merge, and
    small numbers are sorted without comparing them."""
    by = np.argsort(steps, kind="stable")
    narrow = np.uint16 if int(files.max()) < 1 << 16 else files.dtype
    found: Numbers = by[np.argsort(files[by].astype(narrow), kind="stable")]
    return found
