"""Failures with what was tried and what ended each, up to the cursor; Enter goes to the step of a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ccos_core.present.rows import Span, row
from ccos_tui.bridge.ask import YES, ask
from ccos_tui.screens.full import FullScreen


class RecoveriesScreen(FullScreen):
    """The answer to `recoveries --calls`, row by row."""

    keyed: ClassVar[str] = "recoveries"
    slot: ClassVar[str] = "recoveries"
    title_words: ClassVar[str] = "Failures and recoveries"
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def on_mount(self) -> None:
        self.title_is(self.title_words, f"up to step {self.at:,}")
        self.show([row(Span("Reading what was tried ...", "quiet"))])
        self.ask_for(ask("recoveries", self.at, calls=YES))
