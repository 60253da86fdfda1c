"""All that is drawn, in plain ASCII: the last thing that happens to a line, so that nothing else has to know of it."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from ccos_tui.present.ascii import plain


class PlainLetters(LineFilter):
    """Signs, borders and scrollbars in letters every terminal has; each as wide as it was."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [each if each.text.isascii() else Segment(plain(each.text), each.style) for each in segments]
