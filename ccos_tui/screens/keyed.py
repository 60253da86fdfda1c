"""A screen that is driven by the table of keys: counts, keys that want one more character, and what they do.

A screen has a method `do_WORD(count, char)` for each action it knows. Who types into an input types text, and no keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.screen import Screen
from textual.widgets import Input

from ccos_tui.bridge.words import command_names, command_words, wants_more
from ccos_tui.keys import Action, Keys, sign
from ccos_tui.present.palette import questions
from ccos_tui.screens.prompt import Prompt
from ccos_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

DIGITS = frozenset("0123456789")
"""Keys that count; keyboards have others that are digits to Unicode, and no numbers."""
MOST = 9_999_999
"""The largest count; more digits change nothing."""


class KeyedScreen(Screen[None]):
    """Keys in, actions out."""

    keyed: ClassVar[str] = ""
    """Its name in the table of keys."""

    awaits_line = False
    """Whether it asks for a line as soon as it is shown: what is typed meanwhile is for that."""

    def __init__(self) -> None:
        super().__init__()  # no id: of some there may be two, one over the other
        self._count = ""
        self._waiting: Action | None = None
        self._early: list[events.Key] = []

    @property
    def ours(self) -> CcosApp:
        """The app."""
        return cast("CcosApp", self.app)

    @property
    def keys(self) -> Keys:
        """The table that is in force."""
        return self.ours.keys

    @property
    def pane_of_keys(self) -> str:
        """The pane that has the focus, as the table of keys calls it."""
        return ""

    @property
    def is_gone(self) -> bool:
        """Whether it was left before it was ever shown whole: what was to come after its first paint is needless."""
        return self not in self.app.screen_stack

    def on_key(self, event: events.Key) -> None:
        """Every key that no input has taken."""
        if isinstance(self.focused, Input):
            return
        if self.app.screen is not self:
            self._pass_on(event)
        elif self.awaits_line:
            event.stop()
            self._early.append(event)
        elif self._waiting is not None:
            self._argued(event)
        elif event.key in DIGITS and (self._count or event.key != "0"):
            self._count = str(min(int(self._count + event.key), MOST))
            event.stop()
            self.said(self._count)
        elif (action := self.keys.action(event.key, self.keyed, self.pane_of_keys)) is not None:
            event.stop()
            event.prevent_default()
            self.act(action)

    def act(self, action: Action) -> None:
        """Do it, or wait for the character it wants."""
        if action.argument:
            self._waiting = action
            self.said(f"{sign(action.keys[0]) if action.keys else action.id} … {action.argument}")
            return
        self._do(action, "")

    def hand_over(self) -> list[events.Key]:
        """What was typed for the line that is asked for now."""
        early, self._early, self.awaits_line = self._early, [], False
        return early

    def pressed(self, said: str) -> None:
        """Do what a key does that is written like this; somebody clicked it."""
        written = (key for each in self.keys.of(self.keyed) for key in each.keys if sign(key) == said)
        action = next((self.keys.action(key, self.keyed, self.pane_of_keys) for key in written), None)
        if action is not None and self._waiting is None:
            self.act(action)

    def said(self, text: str) -> None:
        """Show what was typed so far, or what came of it. A screen without a line for that shows nothing."""

    # -- what every screen knows --------------------------------------------------------------------------------------

    @property
    def rows(self) -> Rows | None:
        """The list that has the focus."""
        return self.focused if isinstance(self.focused, Rows) else None

    def do_down(self, count: int | None, char: str) -> None:
        if self.rows is not None:
            self.rows.move(count or 1)

    def do_up(self, count: int | None, char: str) -> None:
        if self.rows is not None:
            self.rows.move(-(count or 1))

    def do_first(self, count: int | None, char: str) -> None:
        if self.rows is not None:
            self.rows.select(count or 0)

    def do_last(self, count: int | None, char: str) -> None:
        if self.rows is not None:
            self.rows.select(count if count is not None else self.rows.count() - 1)

    def do_page_down(self, count: int | None, char: str) -> None:
        self._paged(count or 1, 1)

    def do_page_up(self, count: int | None, char: str) -> None:
        self._paged(-(count or 1), 1)

    def do_half_down(self, count: int | None, char: str) -> None:
        self._paged(count or 1, 2)

    def do_half_up(self, count: int | None, char: str) -> None:
        self._paged(-(count or 1), 2)

    def do_enter(self, count: int | None, char: str) -> None:
        if self.rows is not None:
            self.rows.choose()

    def do_next_pane(self, count: int | None, char: str) -> None:
        self.focus_next()

    def do_prev_pane(self, count: int | None, char: str) -> None:
        self.focus_previous()

    def do_back(self, count: int | None, char: str) -> None:
        self.ours.back()

    def do_command(self, count: int | None, char: str) -> None:
        self._ask_for_line("")

    def do_help(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.full import HelpScreen

        self.ours.push_screen(HelpScreen(self.keyed))

    def do_legend(self, count: int | None, char: str) -> None:
        self.ours.show_legend(self.keyed)

    def do_palette(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.prompt import Palette

        commands = questions(command_names()) if self.ours.is_open else []
        self.ours.push_screen(Palette([*self.keys.of(self.keyed), *commands]), self._picked)

    def do_search(self, count: int | None, char: str) -> None:
        self.ours.prompt("/", self.search, before=self.ours.searched)

    def search(self, text: str) -> None:
        """On to the next row that holds a text."""
        self.ours.remember_search(text)
        self.again(1)

    def again(self, by: int) -> None:
        """The next row, or the one before, that holds what was searched last; around the end."""
        text = self.ours.searched[-1] if self.ours.searched else ""
        if not text or self.rows is None:
            self.said(self.keys.told("no search yet; {search} starts one"))
            return
        found = searched(self.rows, text, by)
        if found is None:
            self.said(f"no row contains “{text}”")
        else:
            self.rows.select(found)

    def do_again_on(self, count: int | None, char: str) -> None:
        self.again(1)

    def do_again_back(self, count: int | None, char: str) -> None:
        self.again(-1)

    def do_settings(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.full import SettingsScreen

        self.ours.push_screen(SettingsScreen())

    def do_quit(self, count: int | None, char: str) -> None:
        self.ours.exit(return_code=self.ours.code)

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _pass_on(self, event: events.Key) -> None:
        """Typed ahead: what is shown by now is meant, and this screen may be going already."""
        event.stop()
        event.prevent_default()
        if (
            isinstance(self.app.screen, Prompt) and event.is_printable
        ):  # behind the app's own queue it would come after what was typed later
            self.app.screen.take_early(event)
        else:
            again = events.Key(event.key, event.character)
            again.time = event.time
            self.app.post_message(again)

    def _ask_for_line(self, filled: str) -> None:
        words = [word for word, _ in command_words()]
        self.ours.prompt(":", self.ours.obey, filled=filled, words=words, before=self.ours.lines)

    def _picked(self, id_: str | None) -> None:
        if id_ is not None and id_.startswith(":"):
            word = id_[1:]
            if wants_more(word):
                self._ask_for_line(f"{word} ")
            else:
                self.ours.obey(word)
            return
        action = next((each for each in self.keys.actions if each.id == id_), None)
        if action is not None:
            self.act(action)

    def _paged(self, pages: int, share: int) -> None:
        if self.rows is not None:
            self.rows.move(pages * max(self.rows.page // share, 1))

    def _argued(self, event: events.Key) -> None:
        action, self._waiting = self._waiting, None
        event.stop()
        event.prevent_default()
        if action is None or event.key == "escape" or not event.character or not event.character.isprintable():
            self._count = ""
            self.said("")
            return
        self._do(action, event.character)

    def _do(self, action: Action, char: str) -> None:
        count, self._count = int(self._count) if self._count else None, ""
        name = "do_" + action.id.replace("-", "_")
        done = getattr(self, name, None) or getattr(self.ours, name, None)
        self.said("")
        if done is not None:
            done(count, char)


def searched(rows: Rows, text: str, by: int) -> int | None:
    """The next row on, or back, whose text holds another; letters of one case find both, those of two as they are."""
    size, exact = rows.count(), text != text.lower()
    for away in range(1, size + 1):
        index = (rows.cursor + by * away) % size
        told = rows.row_at(index).text
        if text in (told if exact else told.lower()):
            return index
    return None
