"""What it takes to show members more fully, and whose turn that is: counted as far as it matters to anybody.

A whole file has many lines and seldom room, so it is counted a few lines at a time. Until all are, it waits where it
would stand if no other line took more than an empty one: none comes before its turn, and most are never counted out.
The skeleton of a file is put together of those of all that is in it, so the file waits by the names alone, which are
the least it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple, Protocol

from ccos_core.values.code import MODULE
from ccos_core.window.layout import BLANK_PARTS, Candidate, Fuller, Member
from ccos_core.window.source import BODY, IN_FULL, NAME, SIGNATURE, SKELETON

STEP = 16
"""Lines that are counted at a time; few symbols have more."""
UNSEEN = -1
"""Stands for how many lines are left where nobody has looked which there are."""

Order = Callable[[int, int], int]
"""An order by gain and place, in which who gains more never comes sooner."""


class Waiting(NamedTuple):
    """A member that may be shown more fully, in its place in the order."""

    order: int
    gain: int
    """What more it takes alone, at least."""
    at: int
    """Which member it is."""
    left: int
    """Lines that nobody has counted; `UNSEEN` where nobody knows them."""
    counted: int
    """What the others take more than its entry level."""


class Turns:
    """The members that a level has more for, each when its turn comes and there is room for it alone."""

    def __init__(self, members: Sequence[Member], level: str, parts: int, order: Order) -> None:
        """Those that can't fit into `parts` are left out."""
        self._members = members
        self._level = level
        self._order = order
        self._room = parts
        """What there was at the beginning, ..."""
        self._parts = parts
        """... and what is left."""
        self._turn: tuple[int, ...] = ()
        """Whose turn it was last."""
        self._aside: list[Waiting] = []
        """Too large for what is left, as far as they are counted."""
        first = (self._first(at, member) for at, member in enumerate(members) if member.level == SIGNATURE)
        self._waiting = [each for each in first if each is not None]
        heapify(self._waiting)

    def next(self, parts: int) -> Member | None:
        """Whose turn it is when so much is left; None where nobody else has room."""
        if parts > self._parts:  # there is more room than before, as there is where lines close a gap
            for each in self._aside:
                heappush(self._waiting, each)
            self._aside.clear()
        self._parts = parts
        while self._waiting:
            first = heappop(self._waiting)
            if first.left and first.gain <= parts:
                if (further := self._further(first)) is not None:
                    heappush(self._waiting, further)
            elif first.left:
                self._aside.append(first)
            elif first.gain <= parts and first[:3] > self._turn:  # else there was no room when it was its turn
                self._turn = first[:3]
                return self._members[first.at]
        return None

    def _first(self, at: int, member: Member) -> Waiting | None:
        """Where a member waits from the beginning; None where it has no more to show, or no room for that."""
        if self._level != SKELETON or SKELETON in member.fuller or not has_tops(member.candidate):
            return self._seen(at, member)
        gain = gain_of_names(member)
        return Waiting(self._order(gain, at), gain, at, UNSEEN, 0)

    def _seen(self, at: int, member: Member) -> Waiting | None:
        """The same, once it is known which lines it has."""
        lines, gain = fuller(member, self._level)
        more = len(lines) - len(member.lines)
        if more * BLANK_PARTS > self._room or not (more or self._level in IN_FULL):
            return None
        if gain is None and len(lines) <= STEP:
            gain = gain_of(member, self._level)
        if gain is not None:
            return Waiting(self._order(gain, at), gain, at, 0, gain)
        return self._placed(at, len(lines), -member.candidate.source.parts(member.lines, False))

    def _further(self, each: Waiting) -> Waiting | None:
        """Where it waits when some more of its lines are counted."""
        member = self._members[each.at]
        if each.left == UNSEEN:
            return self._seen(each.at, member)
        lines = fuller(member, self._level)[0]
        since = len(lines) - each.left
        more = member.candidate.source.parts(lines[since : since + STEP], self._level in IN_FULL)
        found = self._placed(each.at, max(each.left - STEP, 0), each.counted + more)
        if not found.left:
            member.fuller[self._level] = lines, found.gain
        return found

    def _placed(self, at: int, left: int, counted: int) -> Waiting:
        gain = counted + left * BLANK_PARTS
        return Waiting(self._order(gain, at), gain, at, left, counted)


class Entered(Protocol):
    """A candidate at its entry level, be it a member or not."""

    @property
    def candidate(self) -> Candidate: ...

    @property
    def lines(self) -> tuple[int, ...]: ...

    @property
    def fuller(self) -> Fuller: ...


def fuller(entered: Entered, level: str) -> tuple[tuple[int, ...], int | None]:
    """(the lines of what is at its entry level with those of a fuller one, what more they take where somebody has
    counted that)."""
    known = entered.fuller.get(level)
    if known is None:
        lines = joined(entered.lines, entered.candidate.source.shown(entered.candidate.symbol, level))
        known = entered.fuller[level] = lines, None
    return known


def gain_of(entered: Entered, level: str) -> int:
    """What more a fuller level takes, counted."""
    source, lines = entered.candidate.source, fuller(entered, level)[0]
    gain = source.parts(lines, level in IN_FULL) - source.parts(entered.lines, False)
    entered.fuller[level] = lines, gain
    return gain


def has_tops(candidate: Candidate) -> bool:
    """Whether it is a file that defines anything."""
    return candidate.symbol == MODULE and bool(candidate.source.members[MODULE])


def gain_of_names(entered: Entered) -> int:
    """What more the names of all that a file has at its top take: its skeleton shows them all."""
    source, lines = entered.candidate.source, entered.lines
    return source.parts(joined(lines, source.shown(MODULE, NAME)), False) - source.parts(lines, False)


def look_ahead(entered: Entered, most: int) -> None:
    """Count what a candidate takes at fuller levels, where that is no more than so many lines, and find out why it is
    there, so that it is known when somebody makes a member of it."""
    _ = entered.candidate.reason
    for level in (BODY, SKELETON):
        lines, gain = fuller(entered, level)
        if gain is None and len(lines) - len(entered.lines) <= most:
            gain_of(entered, level)


def joined(lines: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    """Both, each line once."""
    if not lines:
        return more
    if more and len(more) == more[-1] - more[0] + 1 and more[0] <= lines[0] and lines[-1] <= more[-1]:
        return more  # a stretch of lines with all of the others in it, as most bodies are
    both = {*lines, *more}
    return more if len(both) == len(more) else tuple(sorted(both))  # a skeleton has the lines of its signature in it
