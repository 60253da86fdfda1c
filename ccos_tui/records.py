"""Which record the app has open: how one comes to it, leaves it for another, goes on with it while it grows.

The app proper knows screens, keys and colours; this is the part of it that has a record. There may be none: then the
reader picks one, or is told why what was named can't be opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import App
from textual.message import Message
from textual.screen import Screen

from ccos_tui.bridge import opening
from ccos_tui.bridge.engine import FOLDING, Engine
from ccos_tui.bridge.steps import Steps
from ccos_tui.bridge.work import Work, explained
from ccos_tui.messages import (
    Brought,
    Folded,
    FromEngine,
    Grown,
    Indexed,
    Listed,
    Outlined,
    Progressed,
    Proven,
    SearchFound,
    Stopped,
)
from ccos_tui.screens.debugger import Debugger

if TYPE_CHECKING:
    from ccos_tui.bridge.opening import Passing

SWITCH = 0.001
"""Seconds after which a thread that computes lets the one that draws go on."""
LOOK_AFTER = 0.5
"""Seconds between two looks whether a record has grown."""


class RecordApp(App[None]):
    """An app with a record, or on the way to one."""

    steps: Steps
    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        self.path = ""
        """The record that is open."""
        self.wanted = ""
        """What somebody named: a transcript, a workspace, a folder, the demonstration; nothing to pick one."""
        self.transcript = ""
        """Where the record comes from, if that is known."""
        self.trouble: Stopped | None = None
        """Why what was named last can't be opened."""
        self._passing: list[Passing] = []
        """Folders that go when the app does."""
        self._left: list[Steps] = []
        """Of records that were left: a screen that goes may still draw a line of them."""
        self.is_open = False
        self._shows = False
        """Whether what is open is about to be shown."""
        self.picks = False
        """Whether the reader began with the list of sessions, and goes back there, ..."""
        self.picked_in = ""
        """... or picked this one in another list: `search`, `demos`."""
        self.follows = False
        """Whether the cursor stays at the end of a record that grows."""
        self.work: Work | None = None
        """What imports into this record, ..."""
        self.proof: Work | None = None
        """... and what proves it."""
        self.listed: Listed | None = None
        """The sessions on this machine, as far as somebody looked."""
        self.code = 0
        """What the program ends with."""

    # -- how it begins ------------------------------------------------------------------------------------------------

    def name_it(self, path: str) -> bool:
        """Somebody wants this; gives whether it could be opened at once."""
        self.wanted, self.trouble, self.code = path, None, 0
        if not path or path in (opening.DEMOS, opening.SEARCH) or opening.is_demo(path):
            return False
        try:
            found = opening.workspace_of(path)
            transcript = "" if found else os.path.abspath(os.path.expanduser(path))
            found = found or opening.session_path(transcript)
            if found:
                self.take(found, transcript)
        except Exception as error:
            self.trouble = Stopped("opening", *explained(error, path))
            self.code = self.trouble.code
            return False
        return bool(found)

    def take(self, workspace: str, transcript: str = "") -> None:
        """Have this record from now on, and leave the one there was."""
        steps = Steps(workspace)  # the one there was is left only where this works
        self.leave()
        self.path, self.transcript, self.steps = workspace, transcript, steps
        self.engine = Engine(workspace, self.post_message)
        self.is_open = True
        self.code = steps.code
        self.follows = opening.is_live(transcript) if transcript else opening.goes_on(workspace)

    def leave(self, patience: float = 0.0) -> None:
        """Close what is open."""
        for work in filter(None, (self.work, self.proof)):
            work.end(patience)
        self.work = self.proof = None
        if self.is_open:
            self.is_open = False
            self.engine.close(patience)
            self._left.append(self.steps)

    def put_away(self) -> None:
        """Close the steps of records that were left: nothing draws them any more."""
        while self._left:
            self._left.pop().close()

    @property
    def is_passing(self) -> bool:
        """Whether what is open was made to be looked at, and goes when the app does."""
        return any(self.path.startswith(os.path.join(each.name, "")) for each in self._passing)

    def clear_away(self) -> None:
        """What was made to be looked at goes, when nothing reads it any more."""
        while self._passing:
            self._passing.pop().cleanup()

    def first_screen(self) -> Screen[None]:
        """What is shown for what was named."""
        if self.is_open:
            return self.debugger()
        if self.wanted == opening.SEARCH:
            return self.search_screen()
        if self.wanted == opening.DEMOS:
            return self._demos_screen()
        if self.wanted:
            return self._on_the_way()
        from ccos_tui.screens.opening import SessionsScreen

        self.picks = True
        return SessionsScreen()

    def debugger(self) -> Debugger:
        """The home of the record that is open."""
        raise NotImplementedError

    def land(self) -> None:
        """Stand where the reader wanted to, once that is recorded."""

    def begin(self) -> None:
        """What can wait until something is to be seen."""
        sys.setswitchinterval(SWITCH)
        self.set_interval(LOOK_AFTER, self.look)
        if self.is_open:
            self._ask()

    def homes(self) -> Iterator[Debugger]:
        """The debugger, if there is one."""
        yield from (screen for screen in self.screen_stack if isinstance(screen, Debugger))

    # -- another one --------------------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Leave what is shown for something else that somebody named."""
        self.picked_in = ""
        if self.name_it(path):
            self._show_soon()
        else:
            self.push_screen(self._on_the_way())

    def brought(self, workspace: str, transcript: str) -> None:
        """What was on its way is a record by now."""
        try:
            self.take(workspace, transcript)
        except Exception as error:
            self.trouble = Stopped("opening", *explained(error, workspace))
            self.code = self.trouble.code
            self.switch_screen(self._on_the_way())
            return
        self._show_soon()

    def goes_in(self, word: str, rest: str) -> bool:
        """Do what a line says, where it says how to get in: `open PATH`, `sessions`, `demo`, `verify`; gives whether it
        does."""
        if word == "open" and rest:
            self.open(rest)
        elif word == "demo":
            self.open(f"{opening.DEMO}:{rest}" if rest else opening.DEMO)
        elif word == "sessions":
            self.do_sessions(None, "")
        elif word == "verify" and self.is_open:
            self.do_verify(None, "")
        else:
            return False
        return True

    def back_to_sessions(self) -> bool:
        """From the first record that was picked back to where it was picked; gives whether it was."""
        if not self.picks or not isinstance(self.screen, Debugger):
            return False
        from ccos_tui.screens.opening import SessionsScreen

        self.code = 0
        self.leave()
        picked = {opening.SEARCH: self.search_screen, opening.DEMOS: self._demos_screen}
        self.switch_screen(picked.get(self.picked_in, SessionsScreen)())
        return True

    def pick_demo(self, name: str) -> None:
        """Open one of the demonstrations from the list of them."""
        self.open(f"{opening.DEMO}:{name}")
        self.picks, self.picked_in = True, opening.DEMOS

    def do_demo(self, count: int | None, char: str) -> None:
        """Show the demonstrations."""
        self.push_screen(self._demos_screen())

    def _demos_screen(self) -> Screen[None]:
        from ccos_tui.screens.demos import DemosScreen

        return DemosScreen()

    def search_screen(self) -> Screen[None]:
        """The search over all sessions."""
        raise NotImplementedError

    def do_sessions(self, count: int | None, char: str) -> None:
        """Pick another session: back to where they are listed, or there for the first time."""
        from ccos_tui.screens.opening import SessionsScreen

        if not any(isinstance(screen, SessionsScreen) for screen in self.screen_stack):
            self.push_screen(SessionsScreen())
        while not isinstance(self.screen, SessionsScreen):
            self.pop_screen()

    def _on_the_way(self) -> Screen[None]:
        from ccos_tui.screens.opening import OpeningScreen

        return OpeningScreen(self.wanted, self.trouble)

    def _show_soon(self) -> None:
        """Show the record that was opened; once, however often somebody pressed the key."""
        if not self._shows:
            self._shows = True
            self.call_later(self._show_record)

    async def _show_record(self) -> None:
        """Show the record that was opened, and nothing behind it."""
        self._shows = False
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        self.put_away()
        await self.push_screen(self.debugger())
        self.call_after_refresh(self.land)
        self.call_after_refresh(self._ask)

    def _ask(self) -> None:
        self.engine.start()
        for home in self.homes():
            home.tell_panes()
        if self.transcript:
            self.import_more()

    # -- long work besides the engine's -------------------------------------------------------------------------------

    def give_up(self) -> bool:
        """Leave the long work that is being done; what is done of it is kept. Gives whether there was any."""
        if self.is_open and self.engine.give_up():
            return True
        for work in (self.proof, self.work):
            if work is not None and not work.ended and work.name != opening.FOLLOWING:
                work.give_up()
                return True
        return False

    def import_more(self) -> None:
        """Import what is new of the transcript; and what comes, where the reader follows it."""
        if self.work is not None:
            self.work.give_up()
        if self.follows:
            self.work = opening.following(self.transcript, self.path, self.post_message)
        else:
            self.work = opening.bringing(self.transcript, self.post_message)
        self.work.start()

    def do_verify(self, count: int | None, char: str) -> None:
        """Prove that nothing was changed."""
        if self.is_open and (self.proof is None or self.proof.ended):
            self.proof = opening.proving(self.path, self.post_message)
            self.proof.start()

    def do_follow(self, count: int | None, char: str) -> None:
        """Stay at the end of a session that goes on, or stop."""
        self.follows = not self.follows
        if self.transcript and self.follows:
            self.import_more()
        elif self.work is not None:
            self.work.give_up()
        for home in self.homes():
            home.followed(self.follows)

    def do_go_on(self, count: int | None, char: str) -> None:
        """Go on with long work that was stopped."""
        for home in self.homes():
            if home.stopped_work == FOLDING:
                self.engine.fold_on()
            elif home.stopped_work == opening.IMPORTING:
                self.import_more()
            elif home.stopped_work == opening.PROVING:
                self.do_verify(None, "")
            elif not home.stopped_work:
                home.said("nothing was stopped that could go on")

    def look(self) -> None:
        """Show what others have recorded, where that may be."""
        if self.is_open and (self.follows or (self.work is not None and not self.work.ended)):
            self._look()

    def _look(self) -> None:
        before = self.steps.head
        try:
            grown = self.steps.look_again()
        except Exception as error:  # it may be replaced, or out of reach for a moment
            fact, place, hint, _ = explained(error, "look")
            for home in self.homes():
                home.said(f"{place}: {fact}. {hint}")
            return
        if grown or opening.is_heard(self.path):
            self.engine.catch_up()
        if grown:
            for home in self.homes():
                home.recorded(before)
            self.land()

    # -- what comes from other threads --------------------------------------------------------------------------------

    def is_old(self, message: FromEngine) -> bool:
        """Whether it is from somebody whose record was left meanwhile."""
        return isinstance(message.engine, Engine) and (not self.is_open or message.engine is not self.engine)

    def _tell_screens(self, name: str, message: Message) -> None:
        """Hand a message to each screen that has a method for it, unless it is closing: its widgets are gone then."""
        for screen in self.screen_stack:
            handle = getattr(screen, name, None)
            if handle is not None and screen.is_running:
                handle(message)

    def on_progressed(self, message: Progressed) -> None:
        if self.is_old(message):
            return
        self._tell_screens("progressed", message)

    def on_stopped(self, message: Stopped) -> None:
        if self.is_old(message):
            return
        self._tell_screens("stopped", message)

    def on_folded(self, message: Folded) -> None:
        if not self.is_old(message):
            for home in self.homes():
                home.folded(message)

    def on_outlined(self, message: Outlined) -> None:
        if not self.is_old(message):
            self.steps.group_by(message.outline)
            for home in self.homes():
                home.grouped()

    def on_grown(self, message: Grown) -> None:
        if not self.is_old(message):
            for home in self.homes():
                home.grown(message)

    def on_proven(self, message: Proven) -> None:
        if message.engine is self.proof:
            for home in self.homes():
                home.proven(message)

    def on_brought(self, message: Brought) -> None:
        if message.folder is not None:
            self._passing.append(message.folder)
        if message.engine is self.work:
            self._look()
            for home in self.homes():
                home.imported()
            return
        self._tell_screens("brought", message)

    def on_listed(self, message: Listed) -> None:
        self.listed = message
        self._tell_screens("take_sessions", message)

    def on_indexed(self, message: Indexed) -> None:
        self._tell_screens("indexed", message)

    def on_search_found(self, message: SearchFound) -> None:
        self._tell_screens("search_found", message)
