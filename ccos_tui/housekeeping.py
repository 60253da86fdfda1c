"""What the app owes to the terminal and to whoever sits before it: the mouse where somebody wants it back, a screen as
text, and an end with a sentence instead of a traceback.

Textual has no words of its own for some of this. What is taken from inside of it is taken here and nowhere else.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOBase
from typing import TYPE_CHECKING

from rich.console import Console
from textual.app import App
from textual.css.query import NoMatches

from ccos_core.present.rows import Moment, clean
from ccos_tui.bridge import defects
from ccos_tui.bridge.ask import Ask
from ccos_tui.bridge.queue import Errands
from ccos_tui.bridge.words import lines_of
from ccos_tui.messages import Answered, Refused
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.screens.taking import Taking

if TYPE_CHECKING:
    from textual.driver import Driver

    from ccos_core.query.marks import Marks
    from ccos_tui.bridge.engine import Engine
    from ccos_tui.bridge.steps import Steps
    from ccos_tui.keys import Keys

MARKS = "ccos.marks/1"
WIDEST = 1_000
"""Columns of an answer that is told on one line."""
ENDING = ("SIGTERM", "SIGHUP", "SIGINT")
"""Each ends with 128 and its number. A Ctrl-C that is typed is a key; what comes as a signal is somebody's `kill`."""
MOUSE_LEFT = "mouse off: select text with the terminal; {} switches it on"
MOUSE_TAKEN = "mouse on: click, drag, scroll"


class Housekeeping(App[None]):
    """An app that leaves everything as it found it."""

    engine: Engine
    steps: Steps
    keys: Keys
    path: str
    code: int

    def __init__(self) -> None:
        super().__init__()
        self.errands = Errands()
        self.mouse_is_ours = True
        self.parting = ""
        """What is said on stderr when the screen is gone."""

    # -- what is kept -------------------------------------------------------------------------------------------------

    def keep(self, question: Ask, then: Callable[[], object], otherwise: Callable[[str], object]) -> None:
        """Ask something that keeps or forgets a mark; every screen hears of it before `then`."""

        def kept(message: Answered) -> None:
            self.marked(message.answer)
            then()

        self.errands.send(self.engine, question, kept, lambda refused: otherwise(clean(refused.sentence)))

    def marked(self, answer: Marks) -> None:
        """Something was kept or forgotten."""
        for screen in self.screen_stack:
            if isinstance(screen, Taking):
                screen.marked(answer)

    def ran_errand(self, message: Answered | Refused) -> bool:
        """Whether it was an answer for somebody who is no pane; it is handed over. What a line kept is told to all."""
        if isinstance(message, Refused):
            return self.errands.refused(message)
        if message.ask.line and message.answer.schema == MARKS and (message.answer.kept or message.answer.dropped):
            self.marked(message.answer)
            self.tell(" ".join(lines_of(message.answer, WIDEST)))
            return True
        try:
            return self.errands.answered(message)
        except Exception as error:  # what wanted the answer fails over it, and nothing else
            self.tell(self.defect(error, message.ask.words()))
            return True

    def tell(self, text: str) -> None:
        """Say something on whatever screen is shown."""
        if isinstance(self.screen, KeyedScreen):
            self.screen.said(clean(text))

    def follow_link(self, record: str, moment: Moment) -> None:
        """Somebody said a moment as one word."""
        head = self.steps.head
        if record != os.path.basename(self.path):
            self.tell(f"the link is for {record}, but this is {os.path.basename(self.path)}")
        elif moment.step is not None and moment.step > head:
            self.tell(f"there is no step {moment.step:,}: the last step is {head:,}")
        else:
            self.lead_to(moment)

    def lead_to(self, moment: Moment) -> None:
        """Stand there."""
        raise NotImplementedError

    # -- the terminal -------------------------------------------------------------------------------------------------

    def _build_driver(self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None) -> Driver:
        """What writes to the terminal, also when that goes away."""
        driver = super()._build_driver(headless, inline, mouse, size)
        if isinstance(file := getattr(driver, "_file", None), TextIOBase):
            driver._file = Parting(file)  # type: ignore[attr-defined]  # before its thread takes it
        return driver

    def screen_lines(self) -> list[str]:
        """The screen as lines of text, as it is drawn."""
        width, height = self.size
        update = self.screen._compositor.render_update(full=True, screen_stack=self._background_screens)
        if update is None:
            return []
        console = Console(width=width, height=height, force_terminal=True, legacy_windows=False)
        lines = console.render_lines(update, console.options.update_dimensions(width, height), pad=False)
        return ["".join(each.text for each in line if not each.control) for line in lines[:height]]

    def do_mouse(self, count: int | None, char: str) -> None:
        """Leave the mouse to the terminal, or take it back."""
        self.have_mouse(not self.mouse_is_ours)
        self.tell(MOUSE_TAKEN if self.mouse_is_ours else MOUSE_LEFT.format(self.keys.sign("mouse")))

    def have_mouse(self, ours: bool) -> None:
        """From now on the mouse is ours, or the terminal's; also after the app was away and comes back."""
        driver = self._driver
        if driver is None or ours == self.mouse_is_ours:
            return
        self.mouse_is_ours = ours
        if ours:
            driver._mouse = True
            getattr(driver, "_enable_mouse_support", _nothing)()
        else:
            getattr(driver, "_disable_mouse_support", _nothing)()
            driver._mouse = False  # or it would be taken again when the app comes back

    def do_suspend(self, count: int | None, char: str) -> None:
        """Back to the shell; `fg` comes back."""
        self.action_suspend_process()

    def heed_signals(self) -> None:
        """Whoever ends us from outside gets the terminal back as well."""
        for name in ENDING:
            if (number := getattr(signal, name, None)) is None:
                continue
            with suppress(NotImplementedError, ValueError, RuntimeError):  # no such loop, or not its main thread
                asyncio.get_running_loop().add_signal_handler(number, self._ended, number)

    def _ended(self, number: int) -> None:
        self.exit(return_code=128 + number)

    # -- what goes wrong ----------------------------------------------------------------------------------------------

    def defect(self, error: Exception, *words: str) -> str:
        """What is said of something of ours that failed, and can be done without; its report is in a file."""
        return defects.told(error, *words)[0]

    def hand_over(self, screen: Taking, message: Answered) -> None:
        """Give a screen an answer; where it fails over it, that is all that fails."""
        try:
            screen.answered(message)
        except Exception as error:
            screen.said(clean(self.defect(error, message.ask.words())))

    def _handle_exception(self, error: Exception) -> None:
        """The end, after something that can't be done without: Textual's own would show what is in memory."""
        if self._exit and isinstance(error, NoMatches):
            return  # who leaves while a screen is being made takes its parts away from under it
        sentence, self.code = defects.told(error, "screens")
        self.parting = self.parting or clean(f"ccos-tui: {sentence}")
        self._return_code = self.code
        if self._exception is None:  # whoever drives us from a test wants to have it
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        super()._print_error_renderables()
        if self.parting:
            sys.stderr.write(f"{self.parting}\n")
            self.parting = ""


class Parting:
    """A terminal that may be closed under the program. What is written then is lost; Textual's own thread would end
    over it, and the program would wait for ever for somebody to write what it has to say."""

    def __init__(self, file: TextIOBase) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write it, if there is anybody to read it."""
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """See to it that it was written."""
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """The number of the terminal."""
        return self._file.fileno()


def _nothing() -> None:
    """What a driver without a terminal does about a mouse."""
