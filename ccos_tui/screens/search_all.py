"""The search over all sessions of this machine: words are typed, hits come while that goes on, Enter opens one.

What is new is read first, on a thread; what was read before can be searched meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from ccos_core.present.rows import View
from ccos_tui.bridge import searching
from ccos_tui.present.search import hint_rows, nothing_rows
from ccos_tui.screens.opening import Doorway
from ccos_tui.screens.prompt import Prompt
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line, WorkLine

if TYPE_CHECKING:
    from ccos_core.session.search import Hit
    from ccos_tui.bridge.work import Work
    from ccos_tui.messages import Indexed, Progressed, SearchFound, Stopped

TITLE = "Search all sessions"
PAUSE = 0.08
"""Seconds without a key after which a search begins."""


class SearchScreen(Doorway):
    """Words, and where they stand."""

    keyed: ClassVar[str] = "search"
    named: ClassVar[Mapping[str, str]] = {
        "enter": "open at the step", "search": "search", "sessions": "sessions", "help": "help", "back": "back",
    }  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.there: Sequence[str] | None = None
        """Files that can be searched, as far as that is known: what is new is read first."""
        self.reading: Work | None = None
        self.asking: Work | None = None
        self.hits: list[Hit | None] = []
        """What each row is about."""
        self.answered_line = ""
        """The line whose hits are shown: Enter opens none of those of another one."""
        self.awaits_line = True

    def compose(self) -> ComposeResult:
        yield Line(id="head")
        yield Rows(id="list")
        yield WorkLine(id="work")
        yield Line(id="status")
        yield Foot()

    def on_mount(self) -> None:
        self.title_is(TITLE)
        self.call_after_refresh(self.begin)

    def on_unmount(self) -> None:
        for work in filter(None, (self.reading, self.asking)):
            work.give_up()

    def on_resize(self) -> None:
        self.call_after_refresh(self.fill)

    def begin(self) -> None:
        """Read what is new, and ask for words; who comes back finds what was found."""
        if self.is_gone:
            return
        self.reading = searching.reading(self.ours.post_message)
        self.reading.start()
        self.fill()
        if self.ours.search_found is None:
            self.do_search(None, "")
        else:
            self.awaits_line = False
            self.list.select(self.ours.search_at, told=False)

    def fill(self) -> None:
        """What was found, or how to search."""
        if self.is_gone:
            return
        found = self.ours.search_found
        if found is None:
            self.title_is(TITLE)
            self.hits = []
            self.show(hint_rows(self.room))
            return
        self.title_is(f"{TITLE}  {self.answered_line or found.words}", found.tally if found.hits else "")
        listed = found.listed(View(self.room, full=True))
        self.hits = [hit for _, hit in listed]
        self.list.show([each for each, _ in listed] or nothing_rows(found.tally, self.room))

    # -- what comes ---------------------------------------------------------------------------------------------------

    def indexed(self, message: Indexed) -> None:
        """What was new is read."""
        if message.engine is self.reading:
            self.there = message.there
            self.query_one(WorkLine).nothing()
            self.ask()

    def progressed(self, message: Progressed) -> None:
        """So much of it is read."""
        if message.engine is self.reading:
            self.query_one(WorkLine).show_work(message.work, message.done, message.total)

    def stopped(self, message: Stopped) -> None:
        """It can't be read, or searched."""
        if message.engine not in (self.reading, self.asking):
            return
        if message.engine is self.reading:
            self.query_one(WorkLine).nothing()
        elif message.fact:  # the line that is typed into hides the one for messages
            self.hits = []
            self.list.show(nothing_rows(message.sentence, self.room))
            return
        if message.fact:
            self.said(message.sentence)

    def search_found(self, message: SearchFound) -> None:
        """Found, or not: the newest search counts."""
        if message.engine is not self.asking:
            return
        self.ours.search_found, self.answered_line = message.found, message.line
        self.said("")
        self.fill()
        self.list.select(0 if not self.hits else 1, told=False)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_search(self, count: int | None, char: str) -> None:
        """Type words. Enter opens the hit that is selected, Tab goes over to the list."""
        before = self.ours.search_line

        def typed(line: str | None) -> None:
            if line is None:
                self.search(before)
                return
            self.search(line)
            if prompt.chosen and line == self.answered_line:
                self.open_selected()

        hint = 'words   "a phrase"   begin*   in:prompt,result   agent:codex   project:DIR   since:3d'
        early = self.hand_over()
        prompt = Prompt("search ", filled=before, hint=hint, changed=self.search, moved=self.list.move, early=early)
        self.ours.push_screen(prompt, typed)

    def search(self, line: str) -> None:
        """Search for these words, a moment after the last of them was typed."""
        if line == self.ours.search_line:
            return
        self.ours.search_line = line
        self.set_timer(PAUSE, lambda: self.ask() if line == self.ours.search_line else None)

    def ask(self) -> None:
        """Ask for what was typed last."""
        line = self.ours.search_line
        if self.is_gone:
            return
        if not line.strip():
            self.ours.search_found = None
            self.fill()
            return
        self.asking = searching.searching(line, self.there, self.ours.post_message)
        self.asking.start()

    def open_selected(self) -> None:
        """Open the session of the row that is selected at the step that was found."""
        at = self.list.cursor
        hit = self.hits[at] if at < len(self.hits) else None
        if hit is not None:
            self.ours.search_at = at
            self.ours.open_hit(hit)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.prevent_default()  # the class above would say that the row leads nowhere
        self.open_selected()

    def do_back(self, count: int | None, char: str) -> None:
        self.ours.back()
