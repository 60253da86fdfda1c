"""Where the session went wrong: the suspects in their order. Enter stands where the evidence is, with the suspect
selected."""

from __future__ import annotations

from typing import ClassVar

from ccos_core.present.rows import Span, row
from ccos_tui.bridge.ask import ask
from ccos_tui.present.autopsy import hints, rows_of
from ccos_tui.screens.full import FullScreen


class AutopsyScreen(FullScreen):
    """The verdict and what it rests on."""

    keyed: ClassVar[str] = "autopsy"
    slot: ClassVar[str] = "autopsy"
    title_words: ClassVar[str] = "Autopsy: where it went wrong"

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def on_mount(self) -> None:
        self.title_is(self.title_words, f"up to step {self.at:,}")
        self.show([row(Span("Checking every failure ...", "quiet"))])
        self.ours.engine.ask(self.slot, ask("autopsy", self.at))

    def fill(self) -> None:
        """The answer, as wide as there is room."""
        if self.answer is not None:
            rows = rows_of(self.answer, self.room)
            if not self.answer.suspects:
                rows += hints(self.answer, self.ours.steps.head, self.keys.sign)
            self.show(rows)
