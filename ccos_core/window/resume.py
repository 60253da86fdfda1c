"""`resume`: what an agent had in its hands last, for one whose own window was just emptied.

It is made of regions: runs of lines that were read or changed, as they stand now. Files take turns, the one touched
last first, and so do the regions of a file, those first whose lines were read or changed often and lately: what an
agent goes back to is spread over more files, and over more places of each, than fit whole. Only lines that the agent
had are shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

from ccos_core.values.code import MODULE
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import GAP_PARTS, Candidate, Member, opening
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import fill
from ccos_core.window.source import Source

STEADY_REGIONS = 8
"""Age at which a region of a file counts half as much as the newest for how often its lines were had."""
EXCERPT = "excerpt"
"""The level of a file of which some lines are shown."""
TURN = 7, 4
"""Of the cube root of the squared budget: the tokens a file shows before the next one has its turn. Eight times the
budget is for twice as many files, and for four times as much of each."""
FIRST_TURNS = (2,)
"""Turns with which the first files begin: what an agent was at, it goes on with."""
AT_ONCE = 50
"""Lines a region shows before the next one of its file."""
LEFT_BEHIND = 3, 2
"""So many times as many files count as touched since, where the last touch was a change: what was changed and left is
done."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a file that were in somebody's hands."""

    path: str
    lines: tuple[int, ...]
    """As they are numbered now."""

    step: int
    how: str
    """`read`, `edit` or `write`, as it was said; `around` for lines beside one of those."""

    reason: str


def resume(regions: Iterable[Region], sources: Callable[[str], Source], budget: int) -> Window:
    """The window of these regions, the newest first."""
    touched: dict[str, _File] = {}
    for region in regions:
        if region.path not in touched:
            touched[region.path] = _File(sources(region.path))
        touched[region.path].regions.append(region)
    files, left, share = _in_order(list(touched.values())), fill(budget), _share(budget)
    for file in files:
        file.regions = _often_first(file.regions)
    for file, turns in zip(files, chain(FIRST_TURNS, repeat(1)), strict=False):
        left -= file.turn(turns * share, left)
    while waiting := [file for file in files if file.rest]:
        for file in waiting:
            left -= file.turn(share, left)
    return linearize("resume", budget, [member for file in files for member in file.members()])


def _in_order(files: Sequence[_File]) -> list[_File]:
    """The one touched last first. One that was changed and left comes later, and what was written whole at the end:
    whoever wrote it knows it."""

    def place(at: int) -> tuple[bool, int, int]:
        how = files[at].regions[0].how
        times, of = (1, 1) if how == "read" else LEFT_BEHIND
        return how == "write", at * UNIT * times // of, at

    return [files[at] for at in sorted(range(len(files)), key=place)]


def _often_first(regions: Sequence[Region]) -> list[Region]:
    """Sort the regions of a file by how often and how lately their lines were had, the newest first among equals;
    those beside others come last."""
    weights: dict[int, int] = {}
    own = [region for region in regions if region.how != "around"]
    for age, region in enumerate(own):
        for line in region.lines:
            weights[line] = weights.get(line, 0) + (1 << 16) // (STEADY_REGIONS + age)

    def mean(region: Region) -> int:
        return sum(weights[line] for line in region.lines) // max(1, len(region.lines))

    beside = (region for region in regions if region.how == "around")
    return [*sorted(own, key=mean, reverse=True), *beside]


def _share(budget: int) -> int:
    """What a turn is worth, in parts of a token."""
    side = bisect_right(range(budget + 1), budget * budget, key=lambda side: side**3) - 1
    return UNIT * side * TURN[0] // TURN[1]


class _File:
    """One file while its regions are being shown."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.regions: list[Region] = []
        self._shown: dict[int, list[int]] = {}
        """Region, by its place → which of its lines are shown."""

    @cached_property
    def rest(self) -> deque[tuple[int, int, bool]]:
        """(place of a region, line, whether it goes on from the one before) of what isn't shown yet, each line once;
        lines with nothing on them are left out."""
        first: list[tuple[int, int]] = []
        later: list[tuple[int, int]] = []
        for at, lines in enumerate(self._own()):
            into = first if self.regions[at].how != "around" else later
            into += ((at, line) for line in lines[:AT_ONCE])
            later += ((at, line) for line in lines[AT_ONCE:])
        return deque(self._joined([*first, *later]))

    def turn(self, share: int, left: int) -> int:
        """Show at least a line more, until that took the share, and give what it took. A file whose next line doesn't
        fit is done."""
        taken = 0 if self._shown else opening(self.source.path)
        ends = taken + max(1, share)
        while self.rest and taken < ends:
            at, line, joined = self.rest[0]
            price = self.source.parts((line,), False) + (0 if joined else GAP_PARTS)
            if taken + price > left:
                self.rest.clear()
                break
            taken += price
            self._shown.setdefault(at, []).append(line)
            self.rest.popleft()
        return taken if self._shown else 0

    def members(self) -> Iterator[Member]:
        """What is shown of it, region by region."""
        for at, lines in self._shown.items():
            region = self.regions[at]
            yield Member(Candidate(self.source, MODULE, region.step, region.reason), EXCERPT, tuple(sorted(lines)))

    def _own(self) -> Iterator[list[int]]:
        """Of each region the lines that no newer one has."""
        had: set[int] = set()
        for region in self.regions:
            lines = [line for line in region.lines if line not in had and line in self._filled]
            had.update(lines)
            yield lines

    def _joined(self, rest: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
        """With whether a line needs no gap before it: nothing but empty lines is between it and what came before."""
        before, place = -1, -1
        for at, line in rest:
            yield at, line, at == place and self._filled[line] == before + 1
            before, place = self._filled[line], at

    @cached_property
    def _filled(self) -> dict[int, int]:
        """Line with anything on it → its number among those."""
        lines = [line for line, text in enumerate(self.source.lines, 1) if text.strip()]
        return {line: number for number, line in enumerate(lines)}
