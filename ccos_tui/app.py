"""The app: wires screens, keys, themes and the engine, and knows as little as it can of each."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from textual.filter import LineFilter

from ccos_core.present.rows import Moment
from ccos_core.present.words import is_spoken
from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.ask import typed as typed_ask
from ccos_tui.focus import BOTH, THEIRS, Focus
from ccos_tui.focus import OURS as SUGGESTED
from ccos_tui.housekeeping import Housekeeping
from ccos_tui.keys import Keys
from ccos_tui.landing import LandingApp
from ccos_tui.messages import Answered, Refused
from ccos_tui.present import ascii as plain
from ccos_tui.present.links import moment_of
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.screens.prompt import Prompt, remembered
from ccos_tui.settings import Settings, theme_trouble
from ccos_tui.themes import OURS, Paint
from ccos_tui.widgets import strips
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.strips import PlainLetters

LINE = "line"
"""The slot of lines that somebody types."""
PATIENCE = 2.0
"""Seconds to wait for the engine at the end."""
PLAIN_LETTERS = PlainLetters()
LISTING = ("find", "f")
"""Questions whose rows are wanted, though they move the cursor of `postmortem` as well."""


class CcosApp(Housekeeping, LandingApp):
    """One record, and its screens."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "ccos-tui"

    def __init__(self, path: str = "") -> None:
        colourless = "NO_COLOR" in os.environ
        strips.let_go()
        super().__init__()
        self.settings, self.troubles = keepsakes.load_settings()
        """What the reader wants otherwise, and what of it wasn't understood, ..."""
        self._greeted = False
        """... and whether they were told so."""
        self.ascii = self.settings.ascii or plain.is_wanted(os.environ)
        """Whether nothing but ASCII is shown."""
        self.keys = Keys(self.settings.keys)
        self.name_it(path)
        for theme in OURS:
            self.register_theme(theme)
        self._colourless = colourless
        self.troubles += keepsakes.named(theme_trouble(self.settings.theme, list(self.available_themes)))
        self.theme = self.settings.theme if self.settings.theme in self.available_themes else OURS[0].name
        self.paint = Paint(self.get_css_variables(), colourless=colourless)
        self.lines: list[str] = []
        """Commands that were typed, ..."""
        self.queries: list[str] = []
        """... queries, ..."""
        self.compared: list[str] = []
        """... workspaces this one was compared with, ..."""
        self.searched: list[str] = []
        """... and searches."""
        self.marked_word = ""
        """The word that was searched last, as long as it is marked in what is shown."""

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, lambda _: self._repaint())
        self.heed_signals()
        self.have_mouse(self.settings.mouse)
        self.push_screen(self.first_screen())
        self.call_after_refresh(self.begin)

    def begin(self) -> None:
        super().begin()
        if self.troubles and not self.is_open:
            self.tell(self.greeting())
            self._greeted = not self.wanted

    def greeting(self) -> str:
        """What there is to say once of the settings: what of them wasn't understood. All of it stands among them, and
        the file's folder goes without saying."""
        if self._greeted or not self.troubles:
            return ""
        self._greeted = True
        first = self.troubles[0].removeprefix(os.path.dirname(keepsakes.path()) + os.sep)
        return first + (f" ({len(self.troubles) - 1:,} more)" if len(self.troubles) > 1 else "")

    def debugger(self) -> Debugger:
        """The home of the record that is open, with the cursor at its end."""
        lens = self.settings.lens
        if lens in (THEIRS, BOTH) and not self.steps.has_agent:
            lens = SUGGESTED
        home = Debugger(Focus(self.steps.head, budget=self.settings.budget, lens=lens))
        for node, at in [] if self.is_passing else keepsakes.load_watches(self.path):
            home.watches.watch(node, min(at, self.steps.head))
        return home

    def use(self, settings: Settings) -> None:
        """Do it so from now on."""
        self.settings = settings
        self.keys = Keys(settings.keys)
        self.ascii = settings.ascii or plain.is_wanted(os.environ)
        self._repaint()
        if settings.theme in self.available_themes:
            self.theme = settings.theme

    def _repaint(self) -> None:
        """Another theme: roles have other colours now."""
        self.paint = Paint(self.theme_variables, colourless=self._colourless)
        for screen in self.screen_stack:
            screen.refresh(layout=True)
            for widget in screen.query("*"):
                widget.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return [*filters, PLAIN_LETTERS] if self.ascii else filters

    @property
    def name_of_record(self) -> str:
        """What the workspace is called."""
        name = os.path.basename(self.transcript or self.path)
        return os.path.splitext(name)[0]

    @property
    def home(self) -> Debugger:
        """The debugger."""
        return next(screen for screen in self.screen_stack if isinstance(screen, Debugger))

    def back(self) -> None:
        """One screen back; from the first one out."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        elif not self.back_to_sessions():
            self.exit(return_code=self.code)

    def on_unmount(self) -> None:
        self.leave(PATIENCE)
        self.put_away()
        self.clear_away()

    # -- what comes from the engine -----------------------------------------------------------------------------------

    def on_answered(self, message: Answered) -> None:
        if self.is_old(message) or self.ran_errand(message):
            return
        if message.slot == LINE:
            self._obeyed(message)
            return
        for screen in self.screen_stack:
            if isinstance(screen, (Debugger, FullScreen)):
                self.hand_over(screen, message)

    def on_refused(self, message: Refused) -> None:
        if self.is_old(message) or self.ran_errand(message):
            return
        for screen in self.screen_stack:
            if isinstance(screen, (Debugger, FullScreen)) and (message.slot != LINE or screen is self.screen):
                screen.refused(message)

    # -- what all screens may do --------------------------------------------------------------------------------------

    def prompt(self, sign: str, then: Callable[[str], None], **how: Any) -> None:
        """Ask for a line; nothing happens where somebody thinks better of it."""

        def typed(line: str | None) -> None:
            if line is not None:
                then(line)

        early = self.screen.hand_over() if isinstance(self.screen, KeyedScreen) else ()
        self.push_screen(Prompt(sign, early=early, **how), typed)

    def action_show_legend(self) -> None:
        self.show_legend()

    def show_legend(self, screen: str = Debugger.keyed) -> None:
        """Explain every mark, above whatever is shown."""
        from ccos_tui.screens.full import HelpScreen

        self.push_screen(HelpScreen(screen, marks=True))

    def obey(self, line: str) -> None:
        """Do what a line says, as `postmortem` does."""
        if not line.strip():
            return
        self.lines.append(line)
        word = line.split()[0]
        if word in ("q", "quit", "exit"):
            self.exit(return_code=self.code)
        elif word in ("h", "help", "?"):
            from ccos_tui.screens.full import HelpScreen

            self.push_screen(HelpScreen(Debugger.keyed))
        elif self.goes_in(word, line.partition(word)[2].strip()):
            return
        elif not self.is_open:
            self.tell("This needs a session: open one first.")
        elif (link := moment_of(line)) is not None:
            self.follow_link(*link)
        else:
            self.engine.ask(LINE, typed_ask(line, self.home.here.step, **self.home.here.through()))

    def _obeyed(self, message: Answered) -> None:
        """A line was answered: the cursor goes where that moves it, everything else is shown."""
        if message.moved is not None and message.ask.name not in LISTING:
            self.lead_to(Moment(message.moved))
            return
        from ccos_tui.screens.full import AnswerScreen

        if message.ask.name == "watch" and is_spoken(message.answer.node):
            self.home.take_up(message.answer.node)  # no row to select has these words
        self.push_screen(AnswerScreen(message))

    def lead_to(self, moment: Moment) -> None:
        """Back to the debugger, and stand there."""
        while not isinstance(self.screen, Debugger):
            self.pop_screen()
        self.home.lead_to(moment)

    def remember_search(self, text: str) -> None:
        """Somebody searched this; `n` searches it again."""
        if text:
            self.searched = remembered(self.searched, text)
            self.mark_word(text)

    def mark_word(self, text: str) -> None:
        """Mark a word, or several on lines of their own, wherever they are shown; none if it is empty."""
        if text != self.marked_word:
            self.marked_word = text
            for screen in self.screen_stack:
                for rows in screen.query(Rows):
                    rows.refresh()
            for home in self.homes():
                home.marked_anew()

    def remember_query(self, query: str) -> None:
        """Somebody asked for this; it can be asked again."""
        self.queries = remembered(self.queries, query)


def run(wanted: str) -> int:
    """Show what somebody named; gives the exit code."""
    app = CcosApp(wanted)
    app.run()
    return app.return_code or 0
