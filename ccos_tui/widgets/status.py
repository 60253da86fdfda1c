"""The lines at the foot: messages, where the reader stands, the main keys; progress and trouble while there is any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from ccos_core.present.rows import Row, Span
from ccos_tui.present.opening import work_row
from ccos_tui.present.rows import fitted

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp
    from ccos_tui.screens.keyed import KeyedScreen
    from ccos_tui.themes import Paint


class Line(Widget):
    """One row that nobody selects."""

    DEFAULT_CSS = "Line { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's word)
        super().__init__(id=id)
        self._row = Row()

    @property
    def text(self) -> str:
        """What it says, as far as there is room or not."""
        return self._row.text

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


class Foot(Line):
    """The keys that matter most, as many as there is room for."""

    def __init__(self) -> None:
        super().__init__(id="foot")
        self._keys: Sequence[tuple[str, str]] = ()

    def tell(self, keys: Sequence[tuple[str, str]]) -> None:
        """These keys, (how each is written, what it does), the most important first; the last is always there."""
        self._keys = keys
        self.on_resize()

    def on_resize(self) -> None:
        self.say(keys_row(self._keys, self.size.width))

    def on_click(self, event: events.Click) -> None:
        """A key that is clicked is pressed."""
        if sign := sign_at(self._row, event.x):
            cast("KeyedScreen", self.screen).pressed(sign)


def keys_row(keys: Sequence[tuple[str, str]], width: int) -> Row:
    """`j step  [ watch change  e failure`: as many as there is room for, and the last one in any case."""
    spans: list[Span] = []
    room = width - sum(map(_size, keys[-1:]))
    for each in keys[:-1]:
        room -= _size(each)
        if room < 0:
            break
        spans += _key(each)
    return Row((*spans, *(span for each in keys[-1:] for span in _key(each))))


def sign_at(row: Row, x: int) -> str:
    """Of which key's sign and word a cell is; empty where it is beside all of them."""
    end, sign = 0, ""
    for span in row.spans:
        sign = span.text.strip() if span.role == "key" else sign
        end += cell_len(span.text)
        if x < end:
            return sign
    return ""


def _key(key: tuple[str, str]) -> tuple[Span, Span]:
    return Span(f" {key[0]}", "key"), Span(f" {key[1]} ", "quiet")


def _size(key: tuple[str, str]) -> int:
    return sum(cell_len(span.text) for span in _key(key))


class Alert(Widget):
    """What is to be known of the whole record, on as many lines as it takes; none where there is nothing."""

    DEFAULT_CSS = "Alert { height: auto; display: none; background: $panel; }"

    def __init__(self) -> None:
        super().__init__(id="alert")
        self._says: Callable[[int], Sequence[Row]] = lambda width: ()

    def tell(self, says: Callable[[int], Sequence[Row]]) -> None:
        """Say something else from now on; of a width it is told which rows."""
        self._says = says
        self.display = bool(says(80))
        self.refresh(layout=True)

    def nothing(self) -> None:
        """There is nothing to say any more."""
        self.tell(lambda width: ())

    @property
    def text(self) -> str:
        """What it says."""
        return "\n".join(each.text for each in self._says(max(self.size.width, 80)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._says(width))

    def render_line(self, y: int) -> Strip:
        rows = self._says(self.size.width)
        paint = cast("Paint", self.app.paint)  # type: ignore[attr-defined]
        spans = fitted(rows[y] if y < len(rows) else Row(), self.size.width)
        return Strip([Segment(each.text, self.rich_style + paint.style(each.role)) for each in spans])


class WorkLine(Line):
    """How far long work has come; takes no room where there is none."""

    DEFAULT_CSS = "WorkLine { height: 1; display: none; background: $panel; }"

    work = ""
    """Which it is."""

    def say(self, row: Row) -> None:
        super().say(row)
        self.display = bool(row.spans)

    def show_work(self, work: str, done: int, total: int) -> None:
        """It has come so far."""
        self.work = work
        stop = cast("CcosApp", self.app).keys.sign("stop")
        self.say(work_row(work, done, total, self.app.size.width, stop))

    def nothing(self) -> None:
        """It is over."""
        self.work = ""
        self.say(Row())
