"""Screens that are one list: a title, the rows, what can be done, and a way back to the debugger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult

from ccos_core.present.rows import Row, Span, clean
from ccos_tui.messages import Answered, Refused
from ccos_tui.screens.taking import Taking
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.status import Foot, Line


class FullScreen(Taking):
    """One list on a screen of its own. Enter goes where the row leads, q goes back."""

    CSS_PATH = "../styles/full.tcss"
    title_words: ClassVar[str] = ""
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "search", "copy", "export", "back", "help")
    """Actions that the foot names, ..."""
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "open"}
    """... and what those do here whose own word says something else."""

    slot: ClassVar[str] = ""
    """By which name its answer comes back."""
    answer: Any = None
    """What was answered last."""

    def __init__(self) -> None:
        super().__init__()
        self._titled = False

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

    def fill(self) -> None:
        """Show the rows as wide as there is room. Where that makes no difference there is nothing to do."""

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

    def answered(self, message: Answered) -> None:
        """An answer this screen may have asked for."""
        if message.slot == self.slot:
            self.answer = message.answer
            self.fill()

    def refused(self, message: Refused) -> None:
        """A question that has no answer. Where it was the screen's own, nobody is to wait for it any more."""
        self.said(message.sentence)
        if message.slot == self.slot and self.answer is None:
            self.show([Row((Span(f" {clean(message.sentence)}", "note"),))])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        row = event.rows.selected
        if row is not None and row.leads is not None:
            self.ours.lead_to(row.leads)
        elif row is not None and row.text and not row.copies:
            self.said("this row links to nothing")
