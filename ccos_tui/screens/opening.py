"""Screens before any record is open: the sessions of this machine, searched while typing, and a record on its way.

They know only the keys that need no record. A record on its way shows how far it has come, or why it can't be opened
and what can be done next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from ccos_core.present.rows import Row
from ccos_tui.bridge import opening, work
from ccos_tui.keys import Action
from ccos_tui.present.opening import (
    DEMO,
    GO_ON,
    LEAVE,
    OPEN,
    SESSIONS,
    Choice,
    choice_rows,
    opening_rows,
    stopped_rows,
    trouble_rows,
)
from ccos_tui.present.sessions import empty_rows, matching, none_rows, session_row, tally, title_row
from ccos_tui.screens.full import FullScreen
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line, WorkLine

if TYPE_CHECKING:
    from ccos_core.session.listing import Listed as Session
    from ccos_tui.bridge.work import Work
    from ccos_tui.messages import Brought, Listed, Progressed, Stopped

KNOWN = frozenset({
    "down", "up", "first", "last", "page-down", "page-up", "half-down", "half-up", "enter", "next-pane", "prev-pane",
    "search", "search-all", "command", "copy", "export", "sessions", "demo", "settings", "mouse", "help", "legend",
    "palette", "go-on", "back", "quit",
})  # fmt: skip


class Doorway(FullScreen):
    """One list, and no record behind it."""

    named: ClassVar[Mapping[str, str]] = {"enter": "open", "back": "back", "quit": "leave"}
    """Actions that the foot names, and what they are called here."""

    def foot(self) -> Sequence[tuple[str, str]]:
        return [(self.keys.sign(id_), words) for id_, words in self.named.items()]

    def act(self, action: Action) -> None:
        if action.id in KNOWN:
            super().act(action)
        else:
            self.said("This needs a session: open one first.")


PATIENCE = 2.0
"""Seconds to wait for an import at the end."""


class OpeningScreen(Doorway):
    """Between a name and its record."""

    keyed: ClassVar[str] = "opening"
    title_words: ClassVar[str] = "Opening"
    named: ClassVar[Mapping[str, str]] = {"enter": "choose", "back": "stop or go back", "quit": "leave"}

    def __init__(self, path: str, trouble: Stopped | None = None) -> None:
        super().__init__()
        self.path = path
        self.trouble = trouble
        self.work: Work | None = None
        self.progress: Progressed | None = None
        self.is_stopped = False
        self.choices: list[Choice] = []

    def compose(self) -> ComposeResult:
        yield Line(id="head")
        told = Rows(id="told")
        told.can_focus = False
        yield told
        yield Rows(id="list")
        yield Line(id="status")
        yield Foot()

    def on_mount(self) -> None:
        if self.trouble is None:
            self.call_after_refresh(self.start)
        self.call_after_refresh(self.fill)

    def on_resize(self) -> None:
        self.call_after_refresh(self.fill)

    def on_unmount(self) -> None:
        if self.work is not None:  # where all ends, what it has open is closed first
            self.work.end(PATIENCE if self.ours._exit else 0.0)

    def start(self) -> None:
        """Have it brought."""
        if self.is_gone:
            return
        self.is_stopped, self.trouble, self.progress = False, None, None
        self.work = opening.bringing(self.path, self.ours.post_message)
        self.work.start()
        self.fill()

    def fill(self) -> None:
        """All there is to say."""
        if self.is_gone:
            return
        width = max(self.size.width - 3, 1)
        at = self.progress
        done, total, kept = (at.done, at.total, at.kept) if at is not None else (0, 1, 0)
        name = self.work.name if self.work is not None else ""
        if self.trouble is not None:
            told = trouble_rows(self.trouble.fact, self.trouble.place, self.trouble.hint, width)
        elif self.is_stopped:
            told = stopped_rows(self.path, name, done, total, kept)
        else:
            told = opening_rows(self.path, name, done, total, kept, width)
        self.choices = self._choices(kept)
        box = self.query_one("#told", Rows)
        box.styles.height = len(told)
        box.show(told)
        box.cursor = -1
        self.show(choice_rows(self.choices))

    def _choices(self, kept: int) -> list[Choice]:
        """What can be done next; nothing while it is on its way."""
        others = [
            Choice(SESSIONS, "Choose a session on this machine"),
            Choice(DEMO, "Open a demonstration"),
            Choice(LEAVE, "Leave"),
        ]
        if self.trouble is not None:
            return others
        if not self.is_stopped:
            return []
        there = [Choice(OPEN, f"Open the {kept:,} steps that are ready")] if kept else []
        return [Choice(GO_ON, "Continue"), *there, *others]

    # -- what comes ---------------------------------------------------------------------------------------------------

    def progressed(self, message: Progressed) -> None:
        """It has come so far."""
        if message.engine is self.work:
            self.progress = message
            self.fill()

    def stopped(self, message: Stopped) -> None:
        """Somebody gave it up, or it can't be done."""
        if message.engine is not self.work:
            return
        if message.fact:
            self.trouble, self.ours.code = message, message.code
        self.is_stopped = True
        self.list.cursor = 0
        self.fill()

    def brought(self, message: Brought) -> None:
        """It is here."""
        if message.engine is self.work:
            self.ours.brought(message.workspace, message.transcript)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        if event.rows.id != "list" or not 0 <= event.index < len(self.choices):
            return
        does = self.choices[event.index].does
        if does == GO_ON:
            self.start()
        elif does == OPEN:
            self.ours.brought(opening.session_path(self.path), "")
        elif does == SESSIONS:
            self.ours.do_sessions(None, "")
        elif does == DEMO:
            self.ours.code, self.path = 0, opening.DEMO
            self.start()
        else:
            self.ours.exit(return_code=self.ours.code)

    def do_go_on(self, count: int | None, char: str) -> None:
        if self.is_stopped:
            self.start()

    def do_back(self, count: int | None, char: str) -> None:
        if self.work is not None and not self.is_stopped and not self.work.ended:
            self.work.give_up()
            return
        if len(self.ours.screen_stack) > 2:
            self.ours.code = 0
        self.ours.back()


class SessionList(Rows):
    """A row a session, made when it is drawn."""

    def __init__(self) -> None:
        super().__init__(id="list")
        self.sessions: Sequence[Session] = ()
        self.instead: Sequence[Row] = ()
        """What is shown where there is none."""

    def count(self) -> int:
        return len(self.sessions) or len(self.instead)

    def row_at(self, index: int) -> Row:
        if not self.sessions:
            return self.instead[index]
        return session_row(self.sessions[index], self.scrollable_content_region.width)

    def show_sessions(self, sessions: Sequence[Session], instead: Sequence[Row]) -> None:
        """Others; the selection stays on the session it is on."""
        on = self.sessions[self.cursor].path if self.cursor and self.cursor < len(self.sessions) else ""
        self.sessions, self.instead = sessions, instead
        at = next((at for at, each in enumerate(sessions) if each.path == on), 0) if on else 0
        at = at if sessions else next((at for at, each in enumerate(instead) if each.copies), 0)
        self.resize_to(self.count())
        self.select(at, told=False)
        self.refresh()


class SessionsScreen(Doorway):
    """What agents have left on this machine."""

    keyed: ClassVar[str] = "sessions"
    named: ClassVar[Mapping[str, str]] = {
        "enter": "open", "search": "search", "search-all": "search inside", "demo": "demonstrations",
        "sessions": "reload", "settings": "settings", "help": "help", "back": "back",
    }  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.searched = ""
        self.work: Work | None = None
        self.found: Listed | None = None

    def compose(self) -> ComposeResult:
        yield Line(id="head")
        yield Line(id="titles")
        yield SessionList()
        yield WorkLine(id="work")
        yield Line(id="status")
        yield Foot()

    def on_mount(self) -> None:
        self.title_is("Sessions on this machine")
        if self.ours.listed is not None:
            self.found = self.ours.listed
        self.call_after_refresh(self.look)

    def on_resize(self) -> None:
        self.call_after_refresh(self.fill)

    def on_unmount(self) -> None:
        if self.work is not None:
            self.work.give_up()

    def look(self) -> None:
        """Look for them; those that were found before are shown until then."""
        if self.is_gone:
            return
        self.work = work.looking(self.ours.post_message)
        self.work.start()
        self.fill()

    @property
    def sessions(self) -> Sequence[Session]:
        """All that are known."""
        return self.found.sessions.sessions if self.found is not None else ()

    def fill(self) -> None:
        """Show those that are searched."""
        if self.is_gone:
            return
        shown = matching(self.sessions, self.searched)
        self.title_is("Sessions on this machine", tally(len(shown), len(self.sessions), self.searched))
        box = self.query_one(SessionList)
        box.show_sessions(shown, self._instead())
        self.query_one("#titles", Line).say(title_row(self.size.width - 2) if shown else Row())

    def _instead(self) -> Sequence[Row]:
        if self.sessions:
            return none_rows(self.searched, len(self.sessions))
        whole = self.found is not None and self.found.whole
        return empty_rows(work.places(), self.keys, opening.demos()) if whole else ()

    # -- what comes ---------------------------------------------------------------------------------------------------

    def take_sessions(self, message: Listed) -> None:
        """More of them were looked at."""
        if message.engine is not self.work:
            return
        if not message.whole and len(message.sessions.sessions) < len(self.sessions):
            return  # those that were there before stay until all were looked at
        self.found = message
        if message.whole:
            self.query_one(WorkLine).nothing()
        self.fill()

    def progressed(self, message: Progressed) -> None:
        """So much was looked at."""
        if message.engine is self.work:
            self.query_one(WorkLine).show_work(message.work, message.done, message.total)

    def stopped(self, message: Stopped) -> None:
        """They can't be looked for."""
        if message.engine is self.work:
            self.query_one(WorkLine).nothing()
            self.said(message.sentence)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        if self.query_one(SessionList).sessions:
            self.open_selected()
        elif self.found is not None and not self.sessions:
            chosen = event.rows.selected
            names = dict(opening.demos())
            self.ours.open(f"{opening.DEMO}:{chosen.copies}" if chosen and chosen.copies in names else opening.DEMO)

    def do_sessions(self, count: int | None, char: str) -> None:
        self.look()

    def open_selected(self) -> None:
        """Open the session that is selected, if any is shown."""
        box = self.query_one(SessionList)
        if box.sessions:
            self.ours.open(box.sessions[box.cursor].path)

    def do_search(self, count: int | None, char: str) -> None:
        """Enter opens the one that is selected while it is typed, Tab goes on in the list of those that match."""
        from ccos_tui.screens.prompt import Prompt

        before = self.searched

        def typed(line: str | None) -> None:
            self.search(before if line is None else line)
            if line is not None and self.searched and prompt.chosen:
                self.open_selected()

        hint = "first words, project, agent, model or path"
        prompt = Prompt("/", filled=before, hint=hint, changed=self.search, moved=self.list.move)
        self.ours.push_screen(prompt, typed)

    def search(self, said: str) -> None:
        """Show only those that have these words."""
        self.searched = said.strip()
        self.fill()

    def do_back(self, count: int | None, char: str) -> None:
        if self.searched:
            self.search("")
        else:
            self.ours.back()
