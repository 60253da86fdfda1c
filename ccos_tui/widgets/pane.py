"""A pane that shows the answer to one question about where the reader stands.

What it asks, and how the answer looks, is all that differs from pane to pane; so a pane says those two things, and the
line that gives the same without a screen comes of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.geometry import Region
from textual.strip import Strip

from ccos_core.present.later import untitled
from ccos_core.present.rows import Row, Span, View, clean, row
from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp


class Pane(Rows):
    """Rows that answer a question."""

    DEFAULT_CSS = """
    Pane { border: round $foreground 25%; border-title-color: $text-muted; border-subtitle-color: $text-muted; }
    Pane { scrollbar-gutter: stable; }
    Pane:focus { border: round $accent; border-title-color: $accent; border-title-style: bold; }
    """
    slot: ClassVar[str] = ""
    """By which name its answers come back."""
    title: ClassVar[str] = ""
    always: ClassVar[bool] = False
    """Whether it asks also while it can't be seen, for others show what it knows."""
    awaited: ClassVar[bool] = False
    """Whether the engine waits until an answer of it is painted, before it works out others."""

    def __init__(self) -> None:
        super().__init__(id=self.slot)
        self.border_title = self.title
        self.here = Focus()
        self.asked: Ask | None = None
        """The question whose answer is wanted."""
        self.answer: Any = None
        self.answered: Ask | None = None
        """The question whose answer is shown."""
        self._below = ""
        """What its lower border says."""
        self._is_new = False
        """Whether an answer waits to be painted."""

    # -- what differs -------------------------------------------------------------------------------------------------

    def question(self, here: Focus) -> Ask | None:
        """What is to be asked for where the reader stands; None where there is nothing to ask."""
        raise NotImplementedError

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        """The answer as rows; what it is about stands in the border."""
        return untitled(answer.as_rows(View(width, full=True)))

    def further(self, here: Focus) -> Ask | None:
        """What is to be asked besides, where that is something new; its answer comes back as `SLOT:...`."""
        return None

    def nothing(self, here: Focus) -> Sequence[Row]:
        """What is shown where there is nothing to ask."""
        return ()

    # -- what is alike ------------------------------------------------------------------------------------------------

    def questions(self, here: Focus) -> Iterable[tuple[str, Ask]]:
        """The reader stands here now; gives what is to be asked that is new, each with the slot it comes back by."""
        wanted, further = self.look(here), self.further(here)
        asked = ((self.slot, wanted), (f"{self.slot}:further", further))
        return [(slot, each) for slot, each in asked if each is not None]

    def look(self, here: Focus) -> Ask | None:
        """The reader stands here now; gives what is to be asked, where that is something new."""
        self.here = here
        wanted = self.question(here)
        if wanted is None:
            self.asked, self.answer, self.answered = None, None, None
            self.show(self.nothing(here))
        elif wanted == self.asked:
            return None
        self.asked = wanted
        return wanted

    def again(self) -> None:
        """What it shows may be otherwise now: the next look asks anew."""
        self.asked = None

    def say_below(self, text: str) -> None:
        """Write into the lower border, if it says something else: a border is drawn anew with its whole pane."""
        if text != self._below:
            self._below = self.border_subtitle = text

    def take(self, answered: Answered) -> None:
        """Show an answer."""
        if self.asked is None:
            return
        self.answer, self.answered = answered.answer, answered.ask
        self.present()
        if self.awaited:
            self._is_new = True
            self.refresh(Region(0, 0, 1, 1))  # an answer that changes nothing counts as painted too

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint what is seen; tell the engine, if it waits for that."""
        if self._is_new:
            self._is_new = False
            self.app.call_later(cast("CcosApp", self.app).engine.painted)
        return super().render_lines(crop)

    def refuse(self, refused: Refused) -> None:
        """Show why there is none; what was asked besides may stay unknown."""
        if refused.slot != self.slot:
            return
        self.answer, self.answered = None, refused.ask
        self.show([Row((Span(clean(refused.sentence), "note"),))])

    def present(self) -> None:
        """Show the answer again, as wide as there is room now."""
        if self.answer is not None:
            self.show(self.made(lambda width: self.rows_of(self.answer, self.here, width)))

    def made(self, present: Callable[[int], Sequence[Row]]) -> Sequence[Row]:
        """What a presenter makes of so much room; one that fails says so in its own pane, and takes none along."""
        width = max(self.scrollable_content_region.width, 1)
        try:
            return present(width)
        except Exception as error:
            sentence = cast("CcosApp", self.app).defect(error, self.slot)
            return [row(Span(line, "bad")) for line in wrap(clean(f"This can't be shown: {sentence}"), max(width, 20))]

    def on_resize(self) -> None:
        """Before that of the list below it, which Textual calls as well."""
        self.present()
