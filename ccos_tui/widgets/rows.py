"""A list of rows, of which only those on the screen are ever made: what every pane is.

It is a line-API widget: a hundred thousand rows cost what fifty cost. It draws, scrolls, has a row that is selected,
and says so; what rows say is somebody else's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from ccos_core.present.later import parts_of
from ccos_core.present.rows import Row, Span, clean
from ccos_tui.present.matches import marked, matches
from ccos_tui.present.rows import fitted

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp
    from ccos_tui.themes import Paint


class Rows(ScrollView, can_focus=True):
    """Rows to look at, one of them selected."""

    DEFAULT_CSS = """
    Rows { scrollbar-size-vertical: 1; overflow-x: hidden; background: $background; }
    """

    class Selected(Message):
        """Another row is selected."""

        def __init__(self, rows: Rows, index: int) -> None:
            self.rows = rows
            self.index = index
            super().__init__()

        @property
        def control(self) -> Rows:
            return self.rows

    class Chosen(Selected):
        """A row was entered, or clicked twice."""

    def __init__(self, rows: Sequence[Row] = (), *, name: str | None = None, id: str | None = None) -> None:  # noqa: A002  (Textual's word)
        super().__init__(name=name, id=id)
        self._rows = rows
        self.cursor = 0
        """Which row is selected."""
        self._ground, self._across = Style(), 0
        """What lines are drawn on, and how wide they are."""

    # -- what there is ------------------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def row_at(self, index: int) -> Row:
        """One of them; asked for when it is drawn."""
        return self._rows[index]

    @property
    def selected(self) -> Row | None:
        """The row that is selected."""
        return self.row_at(self.cursor) if 0 <= self.cursor < self.count() else None

    def show(self, rows: Sequence[Row], *, cursor: int | None = None) -> None:
        """Other rows. The selection stays where it is, as far as there is anything."""
        before, self._rows = self._rows, rows
        self.resize_to(self.count())
        self.select(self.cursor if cursor is None else cursor, told=False)
        if len(before) != len(rows):
            self.refresh()
            return
        was, now, top = parts_of(before), parts_of(rows), round(self.scroll_y)
        for index in range(top, min(top + self.page, len(rows))):
            if was[index] != now[index]:  # from step to step most of a window stays
                self._redraw(index)

    def resize_to(self, count: int) -> None:
        """There are so many rows now. Said past `virtual_size`, which would lay out the whole screen anew for it."""
        size = Size(max(self.scrollable_content_region.width, 1), count)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
        last_top = max(count - self.page, 0)
        if self.scroll_target_y > last_top:  # fewer rows now: what was scrolled past isn't there any more
            self.scroll_to(y=last_top, animate=False, force=True, immediate=True)
        self.vertical_scrollbar.position = self.scroll_y  # Textual leaves it where it was while it isn't shown

    # -- moving -------------------------------------------------------------------------------------------------------

    def select(self, index: int, *, told: bool = True, centred: bool = False) -> None:
        """Select a row and bring it into view; `told` whether anybody hears of it."""
        before, self.cursor = self.cursor, min(max(index, 0), max(self.count() - 1, 0))
        self.reveal(self.cursor, centred=centred)
        if before != self.cursor:
            self._redraw(before)
            self._redraw(self.cursor)
            if told:
                self.tell()

    def tell(self) -> None:
        """Say that another row is selected."""
        self.post_message(self.Selected(self, self.cursor))

    def move(self, by: int) -> None:
        """Select a row so many further; of those that nothing can be done with, none is left out."""
        self.select(self.cursor + by)

    def choose(self) -> None:
        """Enter the row that is selected."""
        if self.count():
            self.post_message(self.Chosen(self, self.cursor))

    @property
    def page(self) -> int:
        """Rows on a screen."""
        return max(self.scrollable_content_region.height, 1)

    def reveal(self, index: int, *, centred: bool = False) -> None:
        """Scroll until a row can be seen."""
        top, height = round(self.scroll_y), self.page
        if centred and not top <= index < top + height:
            to = index - height // 2
        elif index < top:
            to = index
        elif index >= top + height:
            to = index - height + 1
        else:
            return
        self.scroll_to(y=max(min(to, self.count() - height), 0), animate=False, force=True, immediate=True)

    # -- drawing ------------------------------------------------------------------------------------------------------

    @property
    def paint(self) -> Paint:
        """How roles look here."""
        return cast("Paint", self.app.paint)  # type: ignore[attr-defined]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Lines, all on the same ground; what that is takes longer to find out than to draw one."""
        self._ground, self._across = self.rich_style, self.scrollable_content_region.width
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width = self._across
        index = y + self.scroll_offset.y
        if not 0 <= index < self.count():
            return Strip.blank(width, self._ground)
        selected = index == self.cursor
        try:
            return self._strip(self.row_at(index), width, selected=selected)
        except Exception as error:  # a row that can't be made is a row that says so
            sentence = cast("CcosApp", self.app).defect(error, self.id or "rows")
            return self._strip(Row((Span(f"can't be shown: {clean(sentence)}", "bad"),)), width, selected=selected)

    def _strip(self, row: Row, width: int, *, selected: bool) -> Strip:
        paint = self.paint
        base = self._ground + paint.style(row.role) + paint.row(selected=selected, focused=self.has_focus)
        spans: Sequence[Span] = fitted(row, width)
        if word := getattr(self.app, "marked_word", ""):
            spans = _with_marks(spans, word)
        segments = [Segment(span.text, base + paint.style(span.role) if span.role else base) for span in spans]
        return Strip(segments).adjust_cell_length(width, base)

    def _redraw(self, index: int) -> None:
        self.refresh(Region(0, index - round(self.scroll_y), self.size.width, 1))

    # -- what is done to it -------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.resize_to(self.count())
        self.reveal(self.cursor)

    def on_focus(self) -> None:
        self._redraw(self.cursor)

    def on_blur(self) -> None:
        self._redraw(self.cursor)

    def on_click(self, event: events.Click) -> None:
        within = event.get_content_offset(self)
        index = within.y + round(self.scroll_y) if within is not None else -1
        if not 0 <= index < self.count():
            return
        again = index == self.cursor
        self.select(index)
        if again or event.chain > 1:
            self.choose()


def _with_marks(spans: Sequence[Span], word: str) -> Sequence[Span]:
    """The same spans, with a searched word marked."""
    found = matches("".join(span.text for span in spans), word)
    if not found:
        return spans
    return [Span(text, role) for text, role in marked([(span.text, span.role) for span in spans], found)]
