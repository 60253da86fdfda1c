"""Find: a query over all steps. Rows lead to their steps; a query is changed where it stands."""

from __future__ import annotations

from typing import Any, ClassVar

from ccos_core.present.rows import Span, clean, row
from ccos_tui.bridge.ask import ask
from ccos_tui.bridge.words import canned_queries
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.find import beginnings, rows_of
from ccos_tui.screens.full import FullScreen
from ccos_tui.widgets.rows import Rows

SLOT = "find"
LISTED = 500
"""Rows that are listed of a query; a query can be made narrower."""


class FindScreen(FullScreen):
    """Rows of a query."""

    keyed: ClassVar[str] = "find"
    title_words: ClassVar[str] = "Find"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "find-query", "search", "copy", "export", "back", "help")

    def __init__(self, at: int, budget: int, query: str = "") -> None:
        super().__init__()
        self.at = at
        self.budget = budget
        self.query_text = query
        self.answer: Any = None
        self.awaits_line = not query

    def on_mount(self) -> None:
        self.show(beginnings(canned_queries(), self.ours.queries))
        if self.query_text:
            self.find(self.query_text)
        else:
            self.do_find_query(None, "")

    def do_find_query(self, count: int | None, char: str) -> None:
        """Say what to find, or say it otherwise."""
        self.ours.prompt("find ", self.find, filled=self.query_text, before=self.ours.queries,
                         hint='kind=tool error text~"..."   up: history   Esc: example queries')  # fmt: skip

    def find(self, query: str) -> None:
        """Ask."""
        self.query_text = query.strip()
        if not self.query_text:
            self.show(beginnings(canned_queries(), self.ours.queries))
            return
        self.ours.remember_query(self.query_text)
        self.title_is(f"Find  {self.query_text}")
        self.show([row(Span("Searching ...", "quiet"))])
        self.ours.engine.ask(SLOT, ask("find", self.at, budget=self.budget, limit=LISTED, expr=self.query_text))

    def answered(self, message: Answered) -> None:
        if message.slot == SLOT:
            self.answer = message.answer
            self.show(rows_of(message.answer))

    def refused(self, message: Refused) -> None:
        if message.slot == SLOT:
            self.show([row(Span(clean(message.sentence), "bad")), *beginnings(canned_queries(), self.ours.queries)])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        chosen = event.rows.selected
        if chosen is not None and chosen.leads is None and chosen.copies:
            event.prevent_default()  # the class below would hear of it as well
            self.find(chosen.copies)
