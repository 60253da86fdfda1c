"""A pane that shows the answer to one question about where the reader stands.

What it asks, and how the answer looks, is all that differs from pane to pane; so a pane says those two things, and the
line that gives the same without a screen comes of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.rows import Row, Span, clean
from ccos_tui.widgets.rows import Rows


class Pane(Rows):
    """Rows that answer a question."""

    DEFAULT_CSS = """
    Pane { border: round $panel-lighten-2; border-title-color: $text-muted; border-subtitle-color: $text-muted; }
    Pane:focus { border: round $accent; border-title-color: $accent; border-title-style: bold; }
    """
    slot: ClassVar[str] = ""
    """By which name its answers come back."""
    title: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__(id=self.slot)
        self.border_title = self.title
        self.here = Focus()
        self.asked: Ask | None = None
        """The question whose answer is wanted."""
        self.answer: Any = None
        self.answered: Ask | None = None
        """The question whose answer is shown."""

    # -- what differs -------------------------------------------------------------------------------------------------

    def question(self, here: Focus) -> Ask | None:
        """What is to be asked for where the reader stands; None where there is nothing to ask."""
        raise NotImplementedError

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        """The answer as rows."""
        raise NotImplementedError

    def further(self, here: Focus) -> Ask | None:
        """What is to be asked besides, where that is something new; its answer comes back as `SLOT:...`."""
        return None

    def nothing(self, here: Focus) -> Sequence[Row]:
        """What is shown where there is nothing to ask."""
        return ()

    # -- what is alike ------------------------------------------------------------------------------------------------

    def look(self, here: Focus) -> Ask | None:
        """The reader stands here now; gives what is to be asked, where that is something new."""
        self.here = here
        wanted = self.question(here)
        if wanted == self.asked:
            return None
        self.asked = wanted
        if wanted is None:
            self.answer, self.answered = None, None
            self.show(self.nothing(here))
        return wanted

    def take(self, answered: Answered) -> None:
        """Show an answer."""
        if self.asked is None:
            return
        self.answer, self.answered = answered.answer, answered.ask
        self.present()

    def refuse(self, refused: Refused) -> None:
        """Show why there is none."""
        self.answer, self.answered = None, refused.ask
        self.show([Row((Span(clean(refused.sentence), "note"),))])

    def present(self) -> None:
        """Show the answer again, as wide as there is room now."""
        if self.answer is not None:
            self.show(self.rows_of(self.answer, self.here, self.scrollable_content_region.width))

    def on_resize(self) -> None:
        """Before that of the list below it, which Textual calls as well."""
        self.present()
