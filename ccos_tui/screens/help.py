"""All keys of the screen it was asked on, made of the table."""

from __future__ import annotations

from typing import ClassVar

from ccos_tui.bridge.words import command_words
from ccos_tui.present.help import rows_of
from ccos_tui.screens.full import FullScreen


class HelpScreen(FullScreen):
    """Keys and words."""

    keyed: ClassVar[str] = "help"
    title_words: ClassVar[str] = "Help"
    footer: ClassVar[tuple[str, ...]] = ("down", "search", "back")

    def __init__(self, of: str) -> None:
        super().__init__()
        self.of = of
        """The screen whose keys these are."""

    def on_mount(self) -> None:
        self.fill()

    def fill(self) -> None:
        """The rows, as wide as there is room."""
        self.show(rows_of(self.keys.of(self.of), command_words(), self.room, self.keys))
