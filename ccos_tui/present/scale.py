"""Where a step stands in so many columns, and which step a column begins with: the timeline's ruler.

It is the same division as that of `overview`, which gives the figures; with fewer steps than columns each step is
several columns wide.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Some steps in some columns."""

    first: int
    last: int
    width: int

    @property
    def size(self) -> int:
        """How many steps."""
        return max(self.last - self.first + 1, 1)

    def step(self, cell: int) -> int:
        """The first step of a column."""
        return self.first + min(max(cell, 0), max(self.width - 1, 0)) * self.size // max(self.width, 1)

    def cell(self, step: int) -> int:
        """The column of a step; of several the first."""
        behind = min(max(step - self.first, 0), self.size - 1)
        if self.size < self.width:
            return -(-behind * self.width // self.size)
        return ((behind + 1) * self.width - 1) // self.size if self.width else 0

    def end(self, step: int) -> int:
        """The last column of a step."""
        behind = min(max(step - self.first, 0), self.size - 1)
        return max(-(-(behind + 1) * self.width // self.size) - 1, 0) if self.size < self.width else self.cell(step)

    def moved(self, step: int, by: int) -> int:
        """The step so many columns further; with room for every step, so many steps further."""
        if self.size <= self.width:
            return min(max(step + by, self.first), self.last)
        return self.step(self.cell(step) + by)

    def cells(self, steps: Iterable[int]) -> dict[int, list[int]]:
        """Column → those of the steps that stand in it."""
        rising = sorted(steps)
        found: dict[int, list[int]] = {}
        at = 0
        while at < len(rising):
            cell = self.cell(rising[at])
            end = bisect_right(rising, cell, at, key=self.cell)
            found[cell] = rising[at:end]
            at = end
        return found
