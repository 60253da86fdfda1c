"""Lines that are drawn let go of what they were: Textual's strip that isn't cut remembers itself as its only part.

Such a strip holds itself, so it stays until somebody looks for cycles, and while questions are answered nobody does
(`session.collecting.uncollected`). Each key left a screen of them behind. Ours is the same method without that memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.strip import Strip

_divide = Strip.divide


def divide(self: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    """The parts between some cuts; a strip that is only cut at its end is its only part."""
    width = self.cell_length
    within = [cut for cut in cuts if cut <= width]
    return [self] if within == [width] else _divide(self, within)


def let_go() -> None:
    """From now on, of all strips."""
    Strip.divide = divide  # type: ignore[method-assign]
