"""Settings and themes: what is chosen holds at once, and is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from ccos_tui.bridge import config
from ccos_tui.focus import next_lens
from ccos_tui.present.settings import rows_of
from ccos_tui.screens.full import FullScreen
from ccos_tui.themes import OURS
from ccos_tui.widgets.rows import Rows


class SettingsScreen(FullScreen):
    """Rows that change something when they are entered."""

    keyed: ClassVar[str] = "settings"
    title_words: ClassVar[str] = "Settings"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "search", "back", "help")
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "choose"}

    def on_mount(self) -> None:
        self.fill()

    def fill(self) -> None:
        """What is in force."""
        ours = [each.name for each in OURS]
        themes = [*ours, *sorted(name for name in self.app.available_themes if name not in ours)]
        self.show(rows_of(self.ours.settings, themes, self.app.theme, config.path(), self.ours.troubles))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        chosen = event.rows.selected
        if chosen is None or not chosen.copies:
            return
        name, _, value = chosen.copies.partition(" ")
        if name == "theme":
            self._set(name, value)
        elif value:
            self._set(name, value == "on")
        elif name == "lens":
            self._set(name, next_lens(self.ours.settings.lens))
        else:
            self.ours.prompt("budget ", self._budget, filled=str(self.ours.settings.budget))

    def _budget(self, said: str) -> None:
        if said.isascii() and said.isdigit() and 0 < int(said) < 2**31:
            self._set("budget", int(said))
        else:
            self.said("the budget must be a number of tokens")

    def _set(self, name: str, value: str | bool | int) -> None:
        trouble = config.save(name, value)
        said: dict[str, Any] = {name: value}
        self.ours.use(replace(self.ours.settings, **said))
        self.fill()
        self.said(f"active, but not saved: {trouble}" if trouble else f"{name} set to {value}")
