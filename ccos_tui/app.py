"""The app: wires screens, keys, themes and the engine, and knows as little as it can of each."""

from __future__ import annotations

import os
import sys

from textual.app import App

from ccos_tui.bridge.engine import Engine
from ccos_tui.bridge.steps import Steps
from ccos_tui.focus import Focus
from ccos_tui.keys import Keys
from ccos_tui.messages import Answered, Ready, Refused
from ccos_tui.themes import OURS, Paint

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

    def on_mount(self) -> None:
        from ccos_tui.screens.debugger import Debugger

        self.push_screen(Debugger(Focus(step=self.steps.head)))
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """What can wait until something is to be seen."""
        sys.setswitchinterval(SWITCH)
        self.engine.start()
        self.home.tell_panes()

    @property
    def home(self):  # type: ignore[no-untyped-def]
        from ccos_tui.screens.debugger import Debugger

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
        self.home.answered(message)

    def on_refused(self, message: Refused) -> None:
        self.home.refused(message)

    def on_ready(self, message: Ready) -> None:
        self.home.ready(message)
