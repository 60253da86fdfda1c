"""One line to type into, at the foot of whatever is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from ccos_tui.widgets.typed_line import TypedLine

Typed = Callable[[str], None]
Moved = Callable[[int], None]
REMEMBERED = 50
"""Lines of a kind that can be had again."""


class Prompt(ModalScreen[str | None]):
    """Asks for a line; gives None where somebody thought better of it."""

    CSS = """
    Prompt { background: transparent; align: left bottom; }
    Prompt > #asked { dock: bottom; height: 1; offset: 0 -1; layout: horizontal; background: $panel; }
    Prompt #sign { width: auto; color: $accent; text-style: bold; padding: 0 0 0 1; }
    Prompt Input { border: none; height: 1; padding: 0; background: $panel; width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, sign: str, *, filled: str = "", hint: str = "",
                 words: Sequence[str] = (), before: Sequence[str] = (), changed: Typed | None = None,
                 moved: Moved | None = None) -> None:  # fmt: skip
        super().__init__()
        self.sign = sign
        self.filled = filled
        self.hint = hint
        self.words = words
        self.before = list(before)
        """What was typed here before, the last one last."""
        self.changed = changed
        """Hears of every character, for who answers while somebody types, ..."""
        self.moved = moved
        """... and of up and down, where there is something to choose from meanwhile."""
        self.chosen = True
        """Whether it was ended with Enter, and not by going on in what is shown."""
        self._at = len(self.before)

    def compose(self) -> ComposeResult:
        from textual.containers import Container

        suggests = SuggestFromList(self.words) if self.words else None
        with Container(id="asked"):
            yield Static(self.sign, id="sign", markup=False)
            yield TypedLine(self.filled, placeholder=self.hint, suggester=suggests, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.changed is not None:
            self.changed(event.value)

    def on_key(self, event: events.Key) -> None:
        """Up and down go through what was typed before, or what there is to choose from; Tab goes over to that."""
        if self.moved is not None and event.key == "tab":
            event.stop()
            self.chosen = False
            self.dismiss(self.query_one(Input).value)
        if event.key not in ("up", "down") or not (self.before or self.moved):
            return
        event.stop()
        by = 1 if event.key == "down" else -1
        if self.moved is not None:
            self.moved(by)
            return
        self._at = min(max(self._at + by, 0), len(self.before))
        box = self.query_one(Input)
        box.value = self.before[self._at] if self._at < len(self.before) else ""
        box.cursor_position = len(box.value)

    def action_leave(self) -> None:
        """Never mind."""
        self.dismiss(None)


def remembered(before: Sequence[str], said: str) -> list[str]:
    """What was typed before, with this as the last; each once."""
    return [*(each for each in before if each != said), said][-REMEMBERED:]
