"""The demonstrations: what happens in each; Enter opens one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ccos_core.present.cells import wrap
from ccos_core.present.rows import Row, Span, row
from ccos_tui.bridge import opening
from ccos_tui.screens.opening import Doorway
from ccos_tui.widgets.rows import Rows

INDENT = "      "


class DemosScreen(Doorway):
    """A list of three."""

    keyed: ClassVar[str] = "demos"
    title_words: ClassVar[str] = "Demonstrations"
    named: ClassVar[Mapping[str, str]] = {"enter": "open", "sessions": "sessions", "help": "help", "back": "back"}

    def on_mount(self) -> None:
        self.fill()

    def fill(self) -> None:
        """All of them, as wide as there is room."""
        rows: list[Row] = [row()]
        for name, (title, shows) in opening.demos():
            rows.append(Row((Span("  ▸ ", "key"), Span(title, "strong"), Span(f"  {name}", "quiet")), copies=name))
            rows += [
                Row((Span(INDENT + line, "quiet"),), copies=name)
                for line in wrap(shows, max(self.room - len(INDENT), 20))
            ]
            rows.append(row())
        rows += [
            row(Span("  Each was written by us and is made in a temporary folder.", "quiet")),
            row(Span("  Their transcripts are in sample_workspaces of the source.", "quiet")),
        ]
        self.show(rows)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.prevent_default()
        chosen = event.rows.selected
        if chosen is not None and chosen.copies:
            self.ours.pick_demo(chosen.copies)
