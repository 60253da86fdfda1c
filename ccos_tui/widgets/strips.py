"""The last things that happen to a drawn line: plain ASCII where wanted, and letting go of it.

Textual's uncropped strip remembers itself as its only part, a cycle that stays while the cyclic collector is off
(`session.collecting.uncollected`): each key left a screenful behind. Ours is the same method without that memory.

Textual writes a part of a line from the line's beginning: the cursor's column in the timeline would cost the terminal
the whole timeline, at each key. Ours begins where something changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.control import Control
from rich.segment import Segment
from textual._compositor import ChopsUpdate
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

if TYPE_CHECKING:
    from rich.console import Console

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


def written(self: ChopsUpdate, console: Console) -> str:
    """What a terminal is told of the parts that changed."""
    told = []
    last = self.spans[-1][0]
    for y, first, end in self.spans:
        for to, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=True):
            if strip is not None and x < end and first < to:
                begin = max(x, first)
                part = strip if begin == x and to <= end else strip.crop(begin - x, min(to, end) - x)
                told += [Control.move_to(begin, y).segment.text, part.render(console)]
        if y != last:
            told.append("\n")
    return "".join(told)


def let_go() -> None:
    """From now on, of all strips."""
    Strip.divide = divide  # type: ignore[method-assign]
    ChopsUpdate.render_segments = written  # type: ignore[method-assign]
