"""The app: wires screens, keys, themes and the engine, and knows as little as it can of each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from textual.app import App

from ccos_tui.bridge.ask import typed as typed_ask
from ccos_tui.bridge.engine import Engine
from ccos_tui.bridge.steps import Steps
from ccos_tui.focus import Focus
from ccos_tui.keys import Keys
from ccos_tui.messages import Answered, Ready, Refused
from ccos_tui.present.rows import Moment
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.full import FullScreen
from ccos_tui.themes import OURS, Paint

LINE = "line"
"""The slot of lines that somebody types."""
REMEMBERED = 50
"""Queries that can be asked again."""
SWITCH = 0.001
"""Seconds after which a thread that computes lets the one that draws go on."""


class CcosApp(App[None]):
    """One record, and its screens."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "ccos-tui"

    def __init__(self, path: str) -> None:
        colourless = "NO_COLOR" in os.environ
        super().__init__()
        self.path = path
        self.keys = Keys()
        self.steps = Steps(path)
        self.engine = Engine(path, self.post_message)
        for theme in OURS:
            self.register_theme(theme)
        self.theme = OURS[0].name
        self._colourless = colourless
        self.paint = Paint(self.theme_variables, colourless=colourless)
        self.lines: list[str] = []
        """Commands that were typed, ..."""
        self.queries: list[str] = []
        """... queries, ..."""
        self.searched: list[str] = []
        """... and searches."""

    def on_mount(self) -> None:
        self.push_screen(Debugger(Focus(step=self.steps.head)))
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """What can wait until something is to be seen."""
        sys.setswitchinterval(SWITCH)
        self.engine.start()
        self.home.tell_panes()

    @property
    def name_of_record(self) -> str:
        """What the workspace is called."""
        return os.path.basename(self.path).removesuffix(".ccos")

    @property
    def home(self) -> Debugger:
        """The debugger."""
        return next(screen for screen in self.screen_stack if isinstance(screen, Debugger))

    def back(self) -> None:
        """One screen back; from the first one out."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit(return_code=0)

    def on_unmount(self) -> None:
        self.engine.close()
        self.steps.close()

    # -- what comes from the engine -----------------------------------------------------------------------------------

    def on_answered(self, message: Answered) -> None:
        if message.slot == LINE:
            self._obeyed(message)
            return
        for screen in self.screen_stack:
            if isinstance(screen, (Debugger, FullScreen)):
                screen.answered(message)

    def on_refused(self, message: Refused) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, (Debugger, FullScreen)) and (message.slot != LINE or screen is self.screen):
                screen.refused(message)

    # -- what all screens may do --------------------------------------------------------------------------------------

    def prompt(self, sign: str, then: Callable[[str], None], **how: Any) -> None:
        """Ask for a line; nothing happens where somebody thinks better of it."""
        from ccos_tui.screens.prompt import Prompt

        def typed(line: str | None) -> None:
            if line is not None:
                then(line)

        self.push_screen(Prompt(sign, **how), typed)

    def obey(self, line: str) -> None:
        """Do what a line says, as `postmortem` does."""
        if not line.strip():
            return
        self.lines.append(line)
        word = line.split()[0]
        if word in ("q", "quit", "exit"):
            self.exit(return_code=0)
        elif word in ("h", "help", "?"):
            from ccos_tui.screens.help import HelpScreen

            self.push_screen(HelpScreen(self.home.keyed))
        else:
            self.engine.ask(LINE, typed_ask(line, self.home.here.step))

    def _obeyed(self, message: Answered) -> None:
        """A line was answered: the cursor goes where that moves it, everything else is shown."""
        if message.moved is not None and not message.ask.name.startswith("f"):
            self.lead_to(Moment(message.moved))
            return
        from ccos_tui.screens.answer import AnswerScreen

        self.push_screen(AnswerScreen(message))

    def lead_to(self, moment: Moment) -> None:
        """Back to the debugger, and stand there."""
        while not isinstance(self.screen, Debugger):
            self.pop_screen()
        self.home.lead_to(moment)

    def remember_search(self, text: str) -> None:
        """Somebody searched this; `n` searches it again."""
        if text:
            self.searched = [*(each for each in self.searched if each != text), text][-REMEMBERED:]

    def remember_query(self, query: str) -> None:
        """Somebody asked for this; it can be asked again."""
        self.queries = [*(each for each in self.queries if each != query), query][-REMEMBERED:]

    def on_ready(self, message: Ready) -> None:
        self.home.ready(message)
