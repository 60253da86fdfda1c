"""Who got hotter and who colder: by this step, or since the mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ccos_core.present.rows import Row, Span, row
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.widgets.diffing import span_of
from ccos_tui.widgets.pane import Pane

COLUMNS = 20
"""Cells of a curve."""


class EnergyPane(Pane):
    """The heat that moved, and what moved it."""

    slot: ClassVar[str] = "energy"
    title: ClassVar[str] = "Energy"

    def question(self, here: Focus) -> Ask | None:
        first, last = span_of(here)
        if first == last:
            return None
        return ask("energy", last, span=f"{first}..{last}", columns=COLUMNS)

    def nothing(self, here: Focus) -> Sequence[Row]:
        return (row(Span("There is no earlier step.", "quiet")),)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        marked = " since the mark" if here.mark is not None and here.mark != here.step else ""
        self.say_below(f"{answer.first:,} → {answer.last:,}{marked}")
        return super().rows_of(answer, here, width)
