"""This record beside another one."""

from __future__ import annotations

from typing import ClassVar

from ccos_core.present.rows import Row, Span, clean, row
from ccos_tui.bridge.ask import ask
from ccos_tui.messages import Refused
from ccos_tui.present.compare import rows_of
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.prompt import remembered

ASKING = "Enter the path of the other workspace; Esc goes back."


class CompareScreen(FullScreen):
    """Where two sessions part, and what that came to."""

    keyed: ClassVar[str] = "compare"
    slot: ClassVar[str] = "compare"
    title_words: ClassVar[str] = "Compare"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "other", "search", "copy", "export", "back", "help")

    def __init__(self, budget: int, lens: str) -> None:
        super().__init__()
        self.budget = budget
        self.lens = lens
        self.other = ""
        self.awaits_line = True

    def on_mount(self) -> None:
        self.show([row(Span(ASKING, "quiet"))])
        self.do_other(None, "")

    def fill(self) -> None:
        if self.answer is not None:
            self.show(rows_of(self.answer, self.room))

    def do_other(self, count: int | None, char: str) -> None:
        """Say which one."""
        self.ours.prompt("compare with ", self.compare, filled=self.other, before=self.ours.compared)

    def compare(self, path: str) -> None:
        """Ask."""
        if not path.strip():
            return
        self.other = path.strip()
        self.ours.compared = remembered(self.ours.compared, self.other)
        self.title_is(f"Compare with {self.other}")
        self.show([row(Span("Reading the other workspace ...", "quiet"))])
        self.ours.engine.ask(self.slot, ask("compare", budget=self.budget, lens=self.lens, other=self.other))

    def refused(self, message: Refused) -> None:
        if message.slot == self.slot:
            self.show([row(Span(clean(message.sentence), "bad")), Row(), row(Span(ASKING, "quiet"))])
