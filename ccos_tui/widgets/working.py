"""Lines that are there only while there is something to say: how far long work has come, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from ccos_core.present.rows import Row
from ccos_tui.present.opening import work_row
from ccos_tui.present.rows import fitted
from ccos_tui.widgets.status import Line

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp
    from ccos_tui.themes import Paint


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
