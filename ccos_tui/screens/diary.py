"""What each session did, decided, met and learned; each row leads to its step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ccos_core.present.rows import Span, row
from ccos_core.present.words import count
from ccos_tui.bridge.ask import ask
from ccos_tui.screens.full import FullScreen


class DiaryScreen(FullScreen):
    """The answer to `diary`."""

    keyed: ClassVar[str] = "diary"
    slot: ClassVar[str] = "diary"
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def on_mount(self) -> None:
        self.title_is("Diary", f"up to step {self.at:,}")
        self.show([row(Span("Reading what the sessions came to ...", "quiet"))])
        self.ask_for(ask("diary", self.at))

    def fill(self) -> None:
        if self.answer is not None:
            self.title_is(f"Diary: {count(len(self.answer.sessions), 'session')}", f"up to step {self.at:,}")
            self.show(self.answer.as_rows(self.view))
