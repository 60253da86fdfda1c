"""What changed: by this step, or since the mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ccos_core.present.rows import Row, Span, row
from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import Focus
from ccos_tui.widgets.diffing import diff_of, span_of
from ccos_tui.widgets.pane import Pane


class DiffPane(Pane):
    """What the window gained and lost, and what became of the code."""

    slot: ClassVar[str] = "diff"
    title: ClassVar[str] = "Diff"

    def question(self, here: Focus) -> Ask | None:
        return diff_of(here)

    def nothing(self, here: Focus) -> Sequence[Row]:
        return (row(Span("There is no earlier step.", "quiet")),)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        first, last = span_of(here)
        marked = " since the mark" if here.mark is not None and here.mark != here.step else ""
        self.say_below(f"{first:,} → {last:,}{marked}")
        return super().rows_of(answer, here, width)
