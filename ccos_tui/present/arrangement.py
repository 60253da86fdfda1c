"""Which panes are on the screen at once: a pure function of its size and of what the reader looked at last.

Wide screens show steps and watches on the left, the window and one more pane on the right; narrower ones one pane on
the right, and the narrowest one pane at all. Which of several is shown is the one that had the focus last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LEFT = ("steps", "watch")
RIGHT = ("window", "diff", "why", "composition", "energy", "tree", "provenance")
PANES = (*LEFT, *RIGHT)
"""In the order of Tab and of their numbers."""
DECK = RIGHT[1:]
"""Those that share a place on a wide screen."""
WIDE, MIDDLE = 140, 80
"""Columns from which on there is room for so much."""
TALL = 30
"""Rows from which on two panes stand above each other."""
SMALLEST = (40, 12)
"""Columns and rows below which nothing can be shown that would help anybody."""
LANES_FROM = 22
"""Rows from which on the timeline has its lanes."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is on the screen."""

    panes: tuple[str, ...]
    tabs: Mapping[str, tuple[str, ...]]
    """Pane → those that could stand in its place."""

    lanes: bool
    """Whether the timeline shows what happened where, or the strip alone."""

    too_small: bool = False


def arranged(width: int, height: int, latest: Mapping[str, str], active: str, *, zoomed: bool = False) -> Arrangement:
    """What is shown. `latest` says which pane of the `right` and of the `deck` had the focus last."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Arrangement((), {}, False, True)
    lanes = height >= LANES_FROM
    if zoomed or width < MIDDLE:
        return Arrangement((active,), {active: PANES}, lanes and not zoomed)
    right, deck = latest.get("right", "window"), latest.get("deck", "diff")
    left = LEFT if height >= TALL else (active if active in LEFT else "steps",)
    tabs: dict[str, tuple[str, ...]] = {} if height >= TALL else {left[0]: LEFT}
    if width >= WIDE and height >= TALL:
        return Arrangement((*left, "window", deck), {**tabs, deck: DECK}, lanes)
    return Arrangement((*left, right), {**tabs, right: RIGHT}, lanes)
