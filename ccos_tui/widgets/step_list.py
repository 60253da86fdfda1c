"""The steps of a record, of which only those on the screen are ever read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ccos_core.present.rows import Row
from ccos_core.present.steps import step_row
from ccos_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from ccos_tui.bridge.steps import Steps


class StepList(Rows):
    """A row a step; the row's number is the step's, and row 0 is where nothing has happened yet."""

    DEFAULT_CSS = """
    StepList { border: round $foreground 25%; border-title-color: $text-muted; }
    StepList:focus { border: round $accent; border-title-color: $accent; border-title-style: bold; }
    """

    def __init__(self, steps: Steps) -> None:
        super().__init__(id="steps")
        self.steps = steps
        self.border_title = "Steps"
        self.stepped: Callable[[int], object] | None = None
        """Hears of another step at once: a message would come a frame later."""
        self.marks: dict[int, str] = {}
        """Signs that stand beside steps: bookmarks, and the step to compare with."""

    def count(self) -> int:
        return self.steps.head + 1

    def row_at(self, index: int) -> Row:
        told = self.steps.told(index) if index else None
        width = self.scrollable_content_region.width
        return step_row(told, index, future=index > self.cursor, mark=self.marks.get(index, ""), width=width)

    def select(self, index: int, *, told: bool = True, centred: bool = False) -> None:
        before = self.cursor
        super().select(index, told=told, centred=centred)
        if abs(before - self.cursor) < self.page:
            for passed in range(min(before, self.cursor), max(before, self.cursor)):
                self._redraw(passed)  # was in the cursor's future and isn't any more, or the other way round
        else:
            self.refresh()

    def tell(self) -> None:
        if self.stepped is not None:
            self.stepped(self.cursor)
