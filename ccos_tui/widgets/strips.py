"""The last things that happen to a drawn line: plain ASCII where wanted, and letting go of it.

Textual's uncropped strip remembers itself as its only part, a cycle that stays while the cyclic collector is off
(`session.collecting.uncollected`): each key left a screenful behind. Ours is the same method without that memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from ccos_tui.present.ascii import plain


class PlainLetters(LineFilter):
    """Signs, borders and scrollbars in letters every terminal has; each as wide as it was."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [each if each.text.isascii() else Segment(plain(each.text), each.style) for each in segments]


_divide = Strip.divide


def divide(self: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    """The parts between some cuts; a strip that is only cut at its end is its only part."""
    width = self.cell_length
    within = [cut for cut in cuts if cut <= width]
    return [self] if within == [width] else _divide(self, within)


def let_go() -> None:
    """From now on, of all strips."""
    Strip.divide = divide  # type: ignore[method-assign]
