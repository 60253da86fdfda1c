"""What somebody named is on its way: how far it has come, or why it can't be opened, and what can be done next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from ccos_tui.bridge import opening
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
from ccos_tui.screens.doorway import Doorway
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line

if TYPE_CHECKING:
    from ccos_tui.bridge.work import Work
    from ccos_tui.messages import Brought, Progressed, Stopped


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
            Choice(DEMO, "Open the demonstration"),
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
