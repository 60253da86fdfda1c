"""Residency: whether a node was in a window, step by step, as runs of steps in which that was the same.

Here for the working set, at any budget; `lens` has it for every other window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.entries import Course, course_of, course_within, needs
from ccos_core.replay.residency.order import BUDGETS, Order, order_of, room_above, room_in

STATES = ("unborn", "in", "partial", "stale", "uncertain", "out", "gone", "not looked at")
"""What can be said of a node and a window."""
UNBORN, IN, PARTIAL, STALE, UNCERTAIN, OUT, GONE, NOT_LOOKED_AT = range(len(STATES))
WITHIN = (IN, PARTIAL, STALE, UNCERTAIN)
"""States of a node of which a window holds anything."""

Run = tuple[int, int, int]
"""First step, last step, state."""


class Residency(Protocol):
    """Of one node in the windows of one lens."""

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """Its state at each of these steps."""


@dataclass(frozen=True)
class InWorkingSet:
    """The residency of a node in working sets."""

    journal: Journal
    names: Sequence[Name]
    """What it was called, from step 0 to the head."""
    _whole: dict[str, tuple[int, Numbers]] = field(default_factory=dict)

    @property
    def order(self) -> Order:
        """Who stands above whom."""
        return order_of(self.journal)

    @property
    def is_file(self) -> bool:
        """Whether symbols may stand for it."""
        return self.names[-1].node.startswith("file:")

    @cached_property
    def course(self) -> Course:
        """Where the node itself stood."""
        return course_of(self.order, self.names)

    @cached_property
    def highest(self) -> Course:
        """Where that of it stood that is the first to be in."""
        return course_within(self.order, self.names) if self.is_file else self.course

    @cached_property
    def presence(self) -> Numbers:
        """Step → `UNBORN`, `OUT` where it is in the graph, or `GONE`."""
        return presence(self.journal, self.names)

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        room = room_in(budget)
        found = self.presence[first : last + 1].copy()
        if self.is_file:
            need = self._needs(self.highest, first, last, room)
            found[(need >= 0) & (need <= room)] = PARTIAL
        need = self._needs(self.course, first, last, room)
        found[(need >= 0) & (need <= room)] = IN
        return found

    def foresee(self, budget: int) -> None:
        """Work out what it needs at all steps for any usual budget, if this is one: that takes hardly longer than for a
        small one, and who watches a node looks through several."""
        if budget > BUDGETS[-1]:
            return
        for course in (self.highest, self.course) if self.is_file else (self.course,):
            self._needs(course, 0, self.journal.head, room_in(BUDGETS[-1]))

    def _needs(self, course: Course, first: int, last: int, room: int) -> Numbers:
        """What there must be room for; kept where it was worked out for all steps and as much room."""
        which = "own" if course is self.course else "highest"
        most, whole = self._whole.get(which, (-1, None))
        if whole is None or room > most:
            most = room_above(room)
            whole = needs(self.order, course, first, last, most)
            if first == 0 and last == self.journal.head:
                self._whole[which] = most, whole
        return whole[first : last + 1]


def presence(journal: Journal, names: Sequence[Name]) -> Numbers:
    """Step → whether a node was in the graph, not yet, or not any more."""
    there = np.zeros(journal.head + 1, bool)
    for name in names:
        rows = np.nonzero(journal.there["node"] == journal.id(name.node))[0]
        for at, is_there in zip(*(journal.there[column][rows].tolist() for column in ("step", "there")), strict=True):
            if at <= name.last:
                there[max(at, name.first) : name.last + 1] = is_there
    found = np.where(there, OUT, GONE).astype(np.uint8)
    born = int(np.argmax(there)) if there.any() else len(there)
    found[:born] = UNBORN
    return found


def runs(states: Numbers) -> list[Run]:
    """Steps of the same state in a row."""
    begins = np.append(0, np.nonzero(states[1:] != states[:-1])[0] + 1)
    ends = np.append(begins[1:] - 1, len(states) - 1)
    return list(zip(begins.tolist(), ends.tolist(), states[begins].tolist(), strict=True))


def turns(states: Numbers) -> Numbers:
    """The steps at which the state became another: the first at which it is known that it did."""
    known = np.flatnonzero(states != NOT_LOOKED_AT)
    found: Numbers = known[1:][states[known[1:]] != states[known[:-1]]]
    return found
