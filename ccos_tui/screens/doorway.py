"""Screens that are there before any record is: they know those keys that need none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ccos_tui.keys import Action
from ccos_tui.screens.full import FullScreen

KNOWN = frozenset({
    "down", "up", "first", "last", "page-down", "page-up", "half-down", "half-up", "enter", "next-pane", "prev-pane",
    "search", "command", "copy", "export", "sessions", "demo", "settings", "mouse", "help", "legend", "palette",
    "go-on", "back", "quit",
})  # fmt: skip


class Doorway(FullScreen):
    """One list, and no record behind it."""

    named: ClassVar[Mapping[str, str]] = {"enter": "open", "back": "back", "quit": "leave"}
    """Actions that the foot names, and what they are called here."""

    def foot(self) -> Sequence[tuple[str, str]]:
        return [(self.keys.sign(id_), words) for id_, words in self.named.items()]

    def act(self, action: Action) -> None:
        if action.id in KNOWN:
            super().act(action)
        else:
            self.said("This needs a session: open one first.")
