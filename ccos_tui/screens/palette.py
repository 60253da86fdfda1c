"""The palette: type a few letters, Enter does it."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from ccos_tui.keys import Action
from ccos_tui.present.palette import matching, rows_of
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.typed_line import TypedLine

MOVES = {"down": 1, "up": -1, "pagedown": 10, "pageup": -10}


class Palette(ModalScreen[str | None]):
    """Gives the word of an action, or None."""

    CSS = """
    Palette { align: center top; background: $background 60%; }
    Palette > Vertical {
        width: 92; max-width: 96%; height: 70%; margin: 2 0; border: round $accent; background: $surface;
    }
    Palette Input { border: none; height: 1; padding: 0 1; background: $surface; }
    Palette Rows { height: 1fr; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+p", "leave", show=False),
        Binding("f1", "app.show_legend", show=False),
    ]

    def __init__(self, actions: list[Action]) -> None:
        super().__init__()
        self.actions = actions

    def compose(self) -> ComposeResult:
        with Vertical():
            yield TypedLine(placeholder="Search actions and commands")
            yield Rows(rows_of(self.actions))

    def on_mount(self) -> None:
        self.query_one(Rows).can_focus = False

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(Rows).show(rows_of(matching(self.actions, event.value)), cursor=0)

    def on_input_submitted(self) -> None:
        row = self.query_one(Rows).selected
        if row is not None and row.copies:
            self.dismiss(row.copies)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.stop()
        self.on_input_submitted()

    def on_rows_selected(self, event: Rows.Selected) -> None:
        event.stop()

    def on_key(self, event: events.Key) -> None:
        if event.key in MOVES:
            event.stop()
            self.query_one(Rows).move(MOVES[event.key])

    def action_leave(self) -> None:
        """Nothing."""
        self.dismiss(None)
