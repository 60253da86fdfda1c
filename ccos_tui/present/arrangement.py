"""Which panes are on the screen at once: a pure function of its size and of what the reader looked at last.

Wide screens show steps (and watches, as soon as something is watched) on the left, the window and one more pane on the
right; narrower ones one pane on the right, and below 100 columns there is one pane at all. Which of several is shown is
the one that had the focus last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LEFT = ("steps", "watch")
RIGHT = ("window", "step", "diff", "why", "composition", "energy", "tree", "provenance")
PANES = (*LEFT, *RIGHT)
"""In the order of Tab and of their numbers."""
DECK = RIGHT[1:]
"""Those that share a place on a wide screen."""
WIDE, MIDDLE = 140, 100
"""Columns from which on there is room for so much."""
TALL, TALLER = 30, 40
"""Rows from which on two panes stand above each other: on a wide screen, and on one that isn't."""
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


def arranged(
    width: int, height: int, latest: Mapping[str, str], active: str, *, zoomed: bool = False, watching: bool = True
) -> Arrangement:
    """What is shown. `latest` says which pane of the `right` and of the `deck` had the focus last."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Arrangement((), {}, False, True)
    lanes = height >= LANES_FROM
    if zoomed or width < MIDDLE:
        return Arrangement((active,), {active: there(active, watching=watching)}, lanes and not zoomed)
    right, deck = latest.get("right", "step"), latest.get("deck", "step")
    both = tuple(each for each in LEFT if each in there(active, watching=watching))
    left = both if height >= TALL else (active if active in LEFT else "steps",)
    tabs: dict[str, tuple[str, ...]] = {left[0]: both} if len(left) < len(both) else {}
    if height >= (TALL if width >= WIDE else TALLER):
        return Arrangement((*left, "window", deck), {**tabs, deck: DECK}, lanes)
    return Arrangement((*left, right), {**tabs, right: RIGHT}, lanes)


def there(active: str, *, watching: bool) -> tuple[str, ...]:
    """The panes there are: that of the watches as soon as something is watched, or somebody wants to see it."""
    return tuple(each for each in PANES if each != "watch" or watching or active == "watch")
