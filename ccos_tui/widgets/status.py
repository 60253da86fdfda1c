"""The two lines at the foot: what has just been said, where the reader stands, and the keys that matter most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from ccos_tui.present.rows import Row, Span, fitted

if TYPE_CHECKING:
    from ccos_tui.themes import Paint


class Line(Widget):
    """One row that nobody selects."""

    DEFAULT_CSS = "Line { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's word)
        super().__init__(id=id)
        self._row = Row()

    def say(self, row: Row) -> None:
        """Show another row."""
        if row != self._row:
            self._row = row
            self.refresh()

    def render_line(self, y: int) -> Strip:
        paint = cast("Paint", self.app.paint)  # type: ignore[attr-defined]
        base = self.rich_style
        spans = fitted(self._row, self.size.width)
        return Strip([Segment(each.text, base + paint.style(each.role)) for each in spans])


def keys_row(keys: Sequence[tuple[str, str]]) -> Row:
    """`j step  [ watch change  e failure`."""
    spans: list[Span] = []
    for sign, words in keys:
        spans += [Span(f" {sign}", "key"), Span(f" {words} ", "quiet")]
    return Row(tuple(spans))
