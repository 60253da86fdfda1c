"""What came of a line that somebody typed, in the words it has without a screen."""

from __future__ import annotations

from typing import ClassVar

from ccos_tui.bridge.words import lines_of
from ccos_tui.messages import Answered
from ccos_tui.present.lines import rows_of
from ccos_tui.screens.full import FullScreen


class AnswerScreen(FullScreen):
    """One answer, line by line."""

    keyed: ClassVar[str] = "answer"

    def __init__(self, message: Answered) -> None:
        super().__init__()
        self.message = message
        self.answer = message.answer

    def on_mount(self) -> None:
        self.title_is(f": {self.message.ask.words()}", f"as of step {self.message.at:,}")
        self.fill()

    def fill(self) -> None:
        """The lines, as wide as there is room."""
        self.show(rows_of(lines_of(self.answer, self.room, self.message.partial)))
