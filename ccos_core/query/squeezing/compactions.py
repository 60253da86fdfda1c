"""When the compactions of a session would have come, had its tool results been shorter.

The window grows by what the host counted, less what shortening saves. A compaction comes when it reaches the size at
which the host compacted by itself, and leaves what the recorded one left. Those that the user asked for stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ccos_core.query.squeezing.course import Course, Growth
from ccos_core.state.host import Context


class Compactions(NamedTuple):
    """The compactions of one context."""

    context: str
    """A subagent's name; empty for the main thread."""

    recorded: tuple[int, ...]
    """Steps at which they came."""

    then: tuple[int, ...]
    """Steps at which they would have come."""


@dataclass(slots=True)
class _Window:
    limit: int
    now: int = 0
    recorded: int = 0
    left_by_cut: int = 0
    saved: int = 0
    is_fresh: bool = False
    then: list[int] = field(default_factory=list)

    def cut(self, step: int) -> None:
        self.then.append(step)
        self.now = self.left_by_cut

    def count(self, step: int, window: int) -> None:
        grown = 0 if self.is_fresh else window - self.recorded
        if self.is_fresh:
            self.left_by_cut = window
        self.recorded, self.is_fresh = window, False
        self.now = max(self.now + grown - self.saved, 0)
        self.saved = 0
        if 0 < self.limit < self.now:
            self.cut(step)


def moved_compactions(course: Course) -> tuple[Compactions, ...]:
    """Return the compactions of each context that had any."""
    return tuple(
        _moved(course, context, each)
        for context, each in course.growths.items()
        if any(growth.is_cut for growth in each)
    )


def _moved(course: Course, context: Context, growths: Sequence[Growth]) -> Compactions:
    window = _Window(_limit(growths), left_by_cut=_left_by_first(growths))
    saved = sorted((each.step, each.tokens - each.left) for each in course.results if each.context == context)
    at = 0
    for growth in growths:
        while at < len(saved) and saved[at][0] <= growth.step:
            window.saved += saved[at][1]
            at += 1
        if not growth.is_cut:
            window.count(growth.step, growth.window)
        else:
            window.is_fresh = True
            if not growth.is_auto or window.now - window.saved >= (growth.window or window.recorded):
                window.saved = 0
                window.cut(growth.step)
    recorded = tuple(growth.step for growth in growths if growth.is_cut)
    return Compactions(context[2], recorded, tuple(window.then))


def _limit(growths: Sequence[Growth]) -> int:
    """Return the largest window that the host let grow before it compacted by itself; 0 if it never did."""
    largest = 0
    before = 0
    for growth in growths:
        if not growth.is_cut:
            before = growth.window
        elif growth.is_auto:
            largest = max(largest, growth.window or before)
    return largest


def _left_by_first(growths: Sequence[Growth]) -> int:
    """Return the size of the window after the first compaction."""
    after = False
    for growth in growths:
        if growth.is_cut:
            after = True
        elif after:
            return growth.window
    return 0
