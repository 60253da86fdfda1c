"""The lane of the timeline that shows what filled the agent's window: its parts stacked, each with a sign of its own.

Parts are drawn in a few groups, for a row of a screen is an eighth of what the eye tells apart. It takes room only
while it is wanted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.present.rows import Span
from ccos_tui.present.same import Same
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import LEGEND, Band, Cell, Room, band_label, compact

if TYPE_CHECKING:
    from ccos_core.query.composition import Course

FILLING = "composition"
"""Name of its rows."""
TALLEST, LOWEST = 6, 3
"""Rows it takes on a tall screen, and on others."""
TALL, SHORT = 40, 28
"""Rows of the screen from which on it is tall, and below which there is no room for the lane."""
SPACED = 70
"""Columns from which on its signs and words stand apart."""


class Group(NamedTuple):
    """Parts that are drawn alike."""

    sign: str
    words: str
    role: str
    parts: tuple[str, ...]


GROUPS = (
    Group("░", "system", "quiet", ("system", "restored")),
    Group("▒", "said", "prompt", ("summary", "prompt", "note", "memory", "text")),
    Group("╱", "thinking", "changed", ("thinking",)),
    Group("▤", "calls", "edit", ("call", "edit")),
    Group("█", "files", "in", ("read",)),
    Group("▓", "results", "link", ("command", "search", "result")),
    Group("·", "rest", "out", ("rest",)),
)
"""From the bottom to the top."""
Stack = tuple[int, ...]
"""Tokens of each group in one column."""


def rows_wanted(height: int) -> int:
    """Rows for the stacked area on a screen of that height, besides one that says what the signs mean."""
    return TALLEST if height >= TALL else LOWEST if height >= SHORT else 0


@lru_cache(maxsize=4)
def filling_bands(course: Same[Course], space: Room, scale: Scale, rows: int) -> tuple[Band, ...]:
    """The lane, from the top; with no figures only the row that says what it will be."""
    stacks = _sampled(course.it, scale)
    most = max(map(sum, stacks), default=0)
    made = [
        Band(
            FILLING,
            band_label("", FILLING, "heading", compact(most), space) if row == 0 else band_label("", "", "", "", space),
            tuple(_cell(stack, row, rows, most) for stack in stacks),
        )
        for row in reversed(range(rows))
    ]
    return (*made, Band(LEGEND, band_label("", "", "", "", space), tuple(_legend(stacks, scale.width))))


def filling_words(course: Course, step: int) -> str:
    """What filled the window at a step, for a reader who points at it."""
    at = bisect_right(course.begins, step) - 1
    if at < 0:
        return ""
    stack = _stack({kind: course.tokens[place][at] for place, kind in enumerate(course.kinds)})
    return ", ".join(f"{group.words} {tokens:,}" for group, tokens in zip(GROUPS, stack, strict=True) if tokens)


def _sampled(course: Course, scale: Scale) -> list[Stack]:
    """The stack of each column of the screen."""
    stacks = [
        _stack({kind: tokens[at] for kind, tokens in zip(course.kinds, course.tokens, strict=True)})
        for at in range(len(course.begins))
    ]
    nothing = (0,) * len(GROUPS)
    places = (bisect_right(course.begins, scale.step(cell)) - 1 for cell in range(scale.width))
    return [stacks[place] if place >= 0 else nothing for place in places]


def _stack(parts: Mapping[str, int]) -> Stack:
    """Parts as groups. Where more is known than was counted, all that is recorded gives way alike."""
    sums = [max(sum(parts.get(kind, 0) for kind in group.parts), 0) for group in GROUPS]
    over = -min(parts.get("left", 0) + min(parts.get("rest", 0), 0), 0)
    recorded = sum(sums[1:])
    if over and recorded:
        left = max(recorded - over, 0)
        sums = [sums[0], *(each * left // recorded for each in sums[1:])]
    return tuple(sums)


def _cell(stack: Stack, row: int, rows: int, most: int) -> Cell:
    """The group that takes most of a cell; of an edge between two the one it lies in."""
    if not most:
        return " ", ""
    low, high = row * most, (row + 1) * most
    best, taken, begin = -1, 0, 0
    for place, tokens in enumerate(stack):
        end = begin + tokens * rows
        share = min(end, high) - max(begin, low)
        if share > taken:
            best, taken = place, share
        begin = end
    if best < 0 or (begin < high and (begin - low) * 3 < most):
        return " ", ""
    return GROUPS[best].sign, GROUPS[best].role


def _legend(stacks: Sequence[Stack], width: int) -> Iterable[Cell]:
    """`░ system  ▒ said  █ files`: what is there, as far as there is room."""
    cells: list[Cell] = []
    for place, group in enumerate(GROUPS):
        if any(stack[place] for stack in stacks):
            said = f"{group.sign} {group.words}  " if width >= SPACED else f"{group.sign}{group.words} "
            if len(cells) + len(said) <= width:
                cells += [(char, group.role if at == 0 else "quiet") for at, char in enumerate(said)]
    return [*cells, *[(" ", "")] * (width - len(cells))]


def legend() -> dict[str, Sequence[str]]:
    """Sign → what it means, for the page of all marks."""
    return {group.sign: [f"part of the agent's window: {group.words}"] for group in GROUPS}


def blank(space: Room, rows: int) -> tuple[Band, ...]:
    """The lane's room while its answer is awaited."""
    cells = ((" ", ""),) * space.columns
    return tuple(Band(FILLING, (Span(" " * space.gutter),), cells) for _ in range(rows + 1))
