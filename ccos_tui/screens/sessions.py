"""Pick a session: those of every agent on this machine, the newest first, searched while somebody types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from ccos_core.present.rows import Row
from ccos_tui.bridge import listing, opening
from ccos_tui.present.sessions import empty_rows, matching, none_rows, session_row, tally, title_row
from ccos_tui.screens.doorway import Doorway
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line
from ccos_tui.widgets.working import WorkLine

if TYPE_CHECKING:
    from ccos_core.session.listing import Listed as Session
    from ccos_tui.bridge.work import Work
    from ccos_tui.messages import Listed, Progressed, Stopped


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
        self.resize_to(self.count())
        self.select(at, told=False)
        self.refresh()


class SessionsScreen(Doorway):
    """What agents have left on this machine."""

    keyed: ClassVar[str] = "sessions"
    named: ClassVar[Mapping[str, str]] = {
        "enter": "open", "search": "search", "demo": "demonstration", "sessions": "reload", "settings": "settings",
        "help": "help", "back": "back",
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
        self.work = listing.looking(self.ours.post_message)
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
        return empty_rows(listing.places(), self.keys) if self.found is not None and self.found.whole else ()

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
            self.ours.open(opening.DEMO)

    def do_demo(self, count: int | None, char: str) -> None:
        self.ours.open(opening.DEMO)

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
