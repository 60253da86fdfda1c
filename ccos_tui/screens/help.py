"""The keys of the screen it was opened on, and what the marks on all screens mean: `?` changes between the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ccos_tui.bridge.words import command_words
from ccos_tui.present import help as keys_page
from ccos_tui.present import legend
from ccos_tui.screens.full import FullScreen
from ccos_tui.widgets.status import Foot


class HelpScreen(FullScreen):
    """Keys and commands, or the legend of the marks."""

    keyed: ClassVar[str] = "help"
    footer: ClassVar[tuple[str, ...]] = ("down", "search", "help", "back")

    def __init__(self, of: str, *, marks: bool = False) -> None:
        super().__init__()
        self.of = of
        """The screen whose keys these are."""
        self.marks = marks
        """Whether it shows the legend."""

    def on_mount(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Show the page, as wide as there is room."""
        self.title_is("Marks" if self.marks else "Keys")
        self.query_one(Foot).tell(self.foot())
        keys = self.keys.of(self.of)
        self.show(legend.rows_of() if self.marks else keys_page.rows_of(keys, command_words(), self.room, self.keys))

    def foot(self) -> Sequence[tuple[str, str]]:
        return self.keys.foot(self.footer, {**self.words, "help": "keys" if self.marks else "marks"})

    def do_help(self, count: int | None, char: str) -> None:
        self._turn(not self.marks)

    def do_legend(self, count: int | None, char: str) -> None:
        self._turn(True)

    def _turn(self, marks: bool) -> None:
        self.marks = marks
        self.list.select(0)
        self.fill()
