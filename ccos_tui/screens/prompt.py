"""One line to type into at the foot of the screen, and the palette: type a few letters, Enter does it.

Text that gets into a line without being typed (pasted, or kept beside a foreign record) was written by others, and
Textual would hand its control characters on to the terminal.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input, Static

from ccos_core.present.rows import clean
from ccos_tui.keys import Action
from ccos_tui.present.palette import matching, rows_of
from ccos_tui.widgets.rows import Rows


class TypedLine(Input):
    """An input that holds nothing a terminal obeys, and one line alone."""

    def validate_value(self, value: str) -> str:
        """What it holds from now on: Textual asks for each."""
        return clean(value)


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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("f1", "app.show_legend", show=False),
    ]

    def __init__(self, sign: str, *, filled: str = "", hint: str = "",
                 words: Sequence[str] = (), before: Sequence[str] = (), changed: Typed | None = None,
                 moved: Moved | None = None, early: Sequence[events.Key] = ()) -> None:  # fmt: skip
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
        self._early = list(early)
        """Keys that came before the line did, ..."""
        self._taken: list[float] = []
        """... and when those of them were typed that stand in it now."""

    def set_focus(self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        """What was typed before there was a line goes into it, in front of all that comes now."""
        super().set_focus(widget, scroll_visible, from_app_focus)
        if isinstance(self.focused, Input):
            early, self._early = self._early, []
            for event in early:
                self.take_early(event)

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
        if event.is_printable or self.focused is None:  # the line takes what is typed into it: this came before it
            event.stop()
            self.take_early(event)
            return
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

    def take_early(self, event: events.Key) -> None:
        """A key that was meant for the line: it stands before all that the line was given itself."""
        if not isinstance(self.focused, Input):
            self._early.append(event)
        elif event.is_printable and event.character:
            box, at = self.focused, len(self.filled) + bisect_right(self._taken, event.time)
            insort(self._taken, event.time)
            box.value = box.value[:at] + event.character + box.value[at:]
            box.cursor_position += len(event.character)
        else:
            self.app.post_message(events.Key(event.key, event.character))

    def action_leave(self) -> None:
        """Never mind."""
        self.dismiss(None)


def remembered(before: Sequence[str], said: str) -> list[str]:
    """What was typed before, with this as the last; each once."""
    return [*(each for each in before if each != said), said][-REMEMBERED:]


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
