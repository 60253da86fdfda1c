"""`resume`: what an agent had in its hands last, for one whose own window was just emptied.

It is made of regions: runs of lines that were read or changed, as they stand now, the newest first. Files take turns,
in the order in which they were last touched, and in each turn a file shows so much of its newest regions and no more:
what an agent goes back to is spread over more files than fit whole. No score decides here, and nothing is shown that
nobody had seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from ccos_core.values.code import MODULE
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import GAP_PARTS, Candidate, Member, opening
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.source import Source

EXCERPT = "excerpt"
"""The level of a file of which some lines are shown."""
TURN = 8
"""Times the root of the budget: the tokens a file shows before the next one has its turn. A larger budget is for more
files and for more of each."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a file that were in somebody's hands."""

    path: str
    lines: tuple[int, ...]
    """As they are numbered now."""

    step: int
    reason: str


def resume(regions: Iterable[Region], sources: Callable[[str], Source], budget: int) -> Window:
    """The window of these regions, the newest first."""
    files: dict[str, _File] = {}
    for region in regions:
        files.setdefault(region.path, _File(sources(region.path))).regions.append(region)
    left, share = budget * UNIT, TURN * isqrt(budget) * UNIT
    while waiting := [file for file in files.values() if file.rest]:
        for file in waiting:
            left -= file.turn(share, left)
    return linearize("resume", budget, [member for file in files.values() for member in file.members()])


class _File:
    """One file while its regions are being shown."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.regions: list[Region] = []
        self._shown: dict[int, list[int]] = {}
        """Region, by its place → which of its lines are shown."""

    @cached_property
    def rest(self) -> deque[tuple[int, int]]:
        """(place of a region, line) of what isn't shown yet, each line once."""
        found: dict[int, int] = {}
        for at, region in enumerate(self.regions):
            for line in region.lines:
                if 1 <= line <= len(self.source.lines):
                    found.setdefault(line, at)
        return deque((at, line) for line, at in found.items())

    def turn(self, share: int, left: int) -> int:
        """Show at least a line more, until that took the share, and give what it took. A file whose next line doesn't
        fit is done."""
        taken = 0 if self._shown else opening(self.source.path)
        ends, place, before = taken + share, -1, 0
        while self.rest:
            at, line = self.rest[0]
            price = self.source.parts((line,), False) + (0 if (at, line) == (place, before + 1) else GAP_PARTS)
            if taken + price > left:
                self.rest.clear()
                break
            taken += price
            self._shown.setdefault(at, []).append(line)
            place, before = self.rest.popleft()
            if taken >= ends:
                break
        return taken if self._shown else 0

    def members(self) -> Iterator[Member]:
        """What is shown of it, region by region."""
        for at, lines in self._shown.items():
            region = self.regions[at]
            yield Member(Candidate(self.source, MODULE, region.step, region.reason), EXCERPT, tuple(sorted(lines)))
