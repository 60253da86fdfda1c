"""The window's own text: line by line what an agent would have been given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ccos_core.present.rows import Span, clean, row
from ccos_tui.bridge.ask import ask
from ccos_tui.focus import THEIRS, Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.texts import window_rows, window_text
from ccos_tui.screens.full import FullScreen

SLOT = "text"


class WindowText(FullScreen):
    """A window as text."""

    keyed: ClassVar[str] = "text"
    title_words: ClassVar[str] = "Text of the window"
    footer: ClassVar[tuple[str, ...]] = ("down", "half-down", "search", "copy", "export", "open", "back")
    words: ClassVar[Mapping[str, str]] = {"down": "row", "half-down": "half a page", "open": "open in $PAGER"}

    def __init__(self, here: Focus) -> None:
        super().__init__()
        self.here = here
        self.answer: Any = None

    def on_mount(self) -> None:
        here = self.here
        tokens = f", budget {here.budget:,}" if here.lens != THEIRS else ""
        self.title_is(f"Text of the window  {here.lens}{tokens}", f"step {here.step:,}")
        self.show([row(Span("Reading ...", "quiet"))])
        self.ours.engine.ask(SLOT, ask("recall", here.step, **here.through()))

    def answered(self, message: Answered) -> None:
        if message.slot == SLOT:
            self.answer = message.answer
            self.show(window_rows(message.answer, self.keys))

    def refused(self, message: Refused) -> None:
        if message.slot == SLOT:
            self.show([row(Span(clean(message.sentence), "note"))])
        else:
            super().refused(message)

    def plain_text(self) -> str:
        return window_text(self.answer) if self.answer is not None else super().plain_text()

    def do_open(self, count: int | None, char: str) -> None:
        """All of it in the reader's own program."""
        if self.answer is not None:
            self.open_outside(window_text(self.answer), f"window-at-{self.here.step}.txt")
