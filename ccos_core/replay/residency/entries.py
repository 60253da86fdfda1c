"""Entry budgets: from which budget on a node was in a working set, at every step of a session.

What a node needs is what everything above it takes, headers of files included, and itself. That changes where somebody
crosses its place, where somebody above it takes more or less than before, and where it goes to another place itself.
So a pass over the changes of the steps at which it was a candidate finds all that changed it, and sums tell the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.residency.course import Course
from ccos_core.replay.residency.floors import floors_of
from ccos_core.replay.residency.order import TOP, Order

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
