"""Screens that are one list (a title, rows, what can be done, a way back), and the plain ones of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult

from ccos_core.present.rows import Row, Span, View, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.words import command_words, led_lines_of
from ccos_tui.focus import next_lens
from ccos_tui.keys import Action
from ccos_tui.messages import Answered, Refused
from ccos_tui.present import help as keys_page
from ccos_tui.present.lines import rows_of as line_rows
from ccos_tui.present.settings import rows_of as setting_rows
from ccos_tui.screens.taking import Taking
from ccos_tui.themes import OURS
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy


class FullScreen(Taking):
    """One list on a screen of its own. Enter goes where the row leads, q goes back."""

    CSS_PATH = "../styles/full.tcss"
    title_words: ClassVar[str] = ""
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "search", "copy", "export", "back", "help")
    """Actions that the foot names, ..."""
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "open"}
    """... and what those do here whose own word says something else."""

    slot: ClassVar[str] = ""
    """By which name its answer comes back, ..."""
    others: ClassVar[tuple[str, ...]] = ()
    """... and those of further answers that it shows."""
    answer: Any = None
    """What was answered last."""

    def __init__(self) -> None:
        super().__init__()
        self._titled = False
        self.beside: dict[str, Any] = {}
        """Slot → what was answered last of the further ones."""
        self.awaited: dict[str, Ask] = {}
        """Slot → the question in it that is being answered, ..."""
        self._entered = False
        """... and whether Enter was pressed meanwhile: it is for the row that comes."""

    def compose(self) -> ComposeResult:
        yield Line(id="head")
        yield Rows(id="list")
        yield Line(id="status")
        yield Foot()

    def on_mount(self) -> None:
        """Runs after that of the class above it: Textual calls both."""
        if self.is_gone:
            return
        if not self._titled:
            self.title_is(self.title_words)
        self.list.focus()
        self.query_one(Foot).tell(self.foot())

    def foot(self) -> Sequence[tuple[str, str]]:
        """The keys that the foot names, (how each is written, what it does)."""
        return self.keys.foot(self.footer, self.words)

    @property
    def list(self) -> Rows:
        """The rows."""
        return self.query_one("#list", Rows)

    def title_is(self, text: str, right: str = "") -> None:
        """What the screen is about."""
        self._titled = True
        self.query_one("#head", Line).say(Row((Span(" ◉ ", "bad"), Span(clean(text), "strong")), (Span(f"{right} "),)))

    def said(self, text: str) -> None:
        self.query_one("#status", Line).say(Row((Span(" " + clean(text), "note"),)))

    @property
    def room(self) -> int:
        """Columns for a row."""
        return self.size.width - 3

    def on_resize(self) -> None:
        self.fill()

    @property
    def view(self) -> View:
        """How rows are made: all of them, as wide as there is room."""
        return View(self.room, full=True)

    def fill(self) -> None:
        """Show the answer as wide as there is room."""
        if self.answer is not None:
            self.show(self.answer.as_rows(self.view))

    def show(self, rows: Sequence[Row]) -> None:
        """Other rows; the first with which something can be done is selected, where none was."""
        self.list.show(rows)
        if self.list.cursor == 0:
            able = (index for index, each in enumerate(rows) if each.leads is not None or each.copies)
            self.list.select(next(able, 0), told=False)
            self.list.reveal(0)

    def plain_text(self) -> str:
        """The title and all rows, also those that are scrolled out of sight."""
        rows = (self.list.row_at(index) for index in range(self.list.count()))
        return "\n".join([self.query_one("#head", Line).text, "", *(row.text for row in rows)]) + "\n"

    # -- what comes ---------------------------------------------------------------------------------------------------

    def ask_for(self, question: Ask, slot: str = "") -> None:
        """Ask what the screen is about; until that is answered, Enter waits."""
        self.awaited[slot or self.slot], self._entered = question, False
        self.ours.engine.ask(slot or self.slot, question)

    def settle(self, message: Answered | Refused) -> bool:
        """Wait no longer for this; returns False if something else was asked since."""
        if self.awaited.get(message.slot, message.ask) != message.ask:
            return False
        self.awaited.pop(message.slot, None)
        return True

    def act(self, action: Action) -> None:
        self._entered = False  # any other key means something else by now
        super().act(action)

    def do_enter(self, count: int | None, char: str) -> None:
        if self.awaited:
            self._entered = True
            self.said("opens as soon as the answer is there")
        else:
            super().do_enter(count, char)

    def answered(self, message: Answered) -> None:
        """An answer this screen may have asked for."""
        if message.slot == self.slot and self.settle(message):
            self.answer = message.answer
            entered, self._entered = self._entered, False
            self.fill()
            if entered:
                self.list.choose()
        elif message.slot in self.others and self.settle(message):
            self.beside[message.slot] = message.answer
            if self.slot not in self.awaited:
                self.fill()

    def refused(self, message: Refused) -> None:
        """A question that has no answer. Where it was the screen's own, nobody is to wait for it any more."""
        if not self.settle(message):
            return
        self.said(message.sentence)
        if message.slot == self.slot:
            self._entered = False
        if message.slot == self.slot and self.answer is None:
            self.show([Row((Span(f" {clean(message.sentence)}", "note"),))])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        row = event.rows.selected
        if row is not None and row.leads is not None:
            self.ours.lead_to(row.leads)
        elif row is not None and row.text and not row.copies and not self.awaited:
            self.said("this row links to nothing")


class AnswerScreen(FullScreen):
    """One answer, line by line."""

    keyed: ClassVar[str] = "answer"

    def __init__(self, message: Answered) -> None:
        super().__init__()
        self.message = message
        self.answer = message.answer

    def on_mount(self) -> None:
        self.title_is(f": {self.message.ask.words()}", f"as of step {self.message.at:,}")
        self.fill()

    def fill(self) -> None:
        """The lines, as wide as there is room."""
        self.show(line_rows(led_lines_of(self.answer, self.room, self.message.partial)))


class AutopsyScreen(FullScreen):
    """The verdict and what it rests on."""

    keyed: ClassVar[str] = "autopsy"
    slot: ClassVar[str] = "autopsy"
    title_words: ClassVar[str] = "Autopsy: where it went wrong"

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def on_mount(self) -> None:
        self.title_is(self.title_words, f"up to step {self.at:,}")
        self.show([row(Span("Checking every failure ...", "quiet"))])
        self.ask_for(ask("autopsy", self.at))

    def fill(self) -> None:
        """The answer, as wide as there is room."""
        if self.answer is not None:
            further = hints(self.answer, self.ours.steps.head, self.keys.sign) if not self.answer.suspects else []
            self.show([*self.answer.as_rows(self.view), *further])


def hints(answer: Autopsy, head: int, sign: Callable[[str], str]) -> list[Row]:
    """Name the keys to go on with where nothing was found."""
    looked = answer.looked
    lost = f"run to where context was lost: {count(looked.losses, 'time')} up to there"
    said = [
        (answer.at < head, ("last",), f"goes to the end, step {head:,}: this looked up to step {answer.at:,}"),
        (looked.losses > 0, ("compaction-back", "compaction-on"), lost),
        (looked.losses > 0, ("lens",), "shows the agent's window there, and what just left it"),
        (looked.failures > 0, ("failure-back", "failure-on"), "run to the failures"),
        (True, ("find",), "finds steps by what they say: text~WORD"),
    ]
    rows = [row(Span(f"  {' '.join(map(sign, keys)):<5}", "key"), words) for there, keys, words in said if there]
    return [Row(), heading("Look for yourself; back in the debugger"), *rows]


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
        from ccos_tui.present import legend  # it reads the engine's tables, for which the first screen must not wait

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
        self.show(setting_rows(self.ours.settings, themes, self.app.theme, keepsakes.path(), self.ours.troubles))

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
        trouble = keepsakes.save_settings(name, value)
        said: dict[str, Any] = {name: value}
        self.ours.use(replace(self.ours.settings, **said))
        self.fill()
        self.said(f"active, but not saved: {trouble}" if trouble else f"{name} set to {value}")
