"""Search the steps in everything that was recorded of them, and find: a query over all steps.

The engine searches the record one step at a time, so a session of any length is searched as fast as `find` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.rows import Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.bridge.ask import ask, ask_for_text
from ccos_tui.bridge.words import canned_queries
from ccos_tui.messages import Answered, Refused
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.step_pane import StepPane

if TYPE_CHECKING:
    from ccos_tui.focus import Focus

SEARCH = "go:search"
"""The slot of searches: as urgent as other runs to a step."""


class Searching(KeyedScreen):
    """What a screen with steps does about `/`, `n` and `N`."""

    here: Focus

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else; the screen itself knows how."""
        raise NotImplementedError

    def again(self, by: int) -> None:
        """On to the next step that holds what was searched, or back; other lists are searched as they stand."""
        text = self.ours.searched[-1] if self.ours.searched else ""
        if not text or not isinstance(self.rows, (StepList, StepPane)):
            super().again(by)
            return
        self.ours.mark_word(text)
        if isinstance(self.rows, StepPane) and (found := self.rows.next_match(self.rows.cursor, by)) is not None:
            self.rows.select(found)
            return
        step = self.here.step
        span, which = (f"{step + 1}..", "first") if by > 0 else (f"..{step - 1}", "last")
        if (by > 0 and step >= self.ours.steps.head) or (by < 0 and step <= 1):
            self.said(f"no step {'after' if by > 0 else 'before'} this one")
            return
        self.said(f"searching “{text}” ...")
        self.ours.engine.ask(SEARCH, ask_for_text(step, text, span, which))

    def searched_for(self, message: Answered) -> None:
        """Found, or not."""
        found, on = message.answer, message.answer.query.endswith("first")
        text = self.ours.searched[-1] if self.ours.searched else ""
        if not found.rows:
            self.said(f"“{text}” occurs in no step {'after' if on else 'before'} this one")
            return
        step = found.rows[0].step
        for steps in self.query(StepList):
            steps.found = (step, self.ours.steps.line_with(step, text), text)
            steps.refresh()
        self.go(self.here.at(step), jump=True)
        more = count(found.steps - 1, "more match", "more matches")
        said = f"{more} {'after' if on else 'before'} this" if found.steps > 1 else "last match"
        self.said(f"“{text}”: {said}")


LISTED = 500
"""Rows that are listed of a query; a query can be made narrower."""


class FindScreen(FullScreen):
    """Rows of a query."""

    keyed: ClassVar[str] = "find"
    slot: ClassVar[str] = "find"
    title_words: ClassVar[str] = "Find"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "find-query", "search", "copy", "export", "back", "help")

    def __init__(self, at: int, budget: int, query: str = "") -> None:
        super().__init__()
        self.at = at
        self.budget = budget
        self.query_text = query
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
        self.answer = None
        self.show([row(Span("Searching ...", "quiet"))])
        self.ask_for(ask("find", self.at, budget=self.budget, limit=LISTED, expr=self.query_text))

    def refused(self, message: Refused) -> None:
        if message.slot == self.slot and self.settle(message):
            self.show([row(Span(clean(message.sentence), "bad")), *beginnings(canned_queries(), self.ours.queries)])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        chosen = event.rows.selected
        if chosen is not None and chosen.leads is None and chosen.copies:
            event.prevent_default()  # the class below would hear of it as well
            self.find(chosen.copies)


def beginnings(canned: Sequence[tuple[str, str]], before: Sequence[str]) -> list[Row]:
    """Queries to begin with, and those that were asked before; a row's copy is its query."""
    rows = [heading("Queries to begin with")]
    rows += [Row((Span(f"  {query:<24}", "link"), Span(says, "quiet")), copies=query) for query, says in canned]
    if before:
        rows += [Row(), heading("Asked before")]
        rows += [Row((Span(f"  {clean(query)}", "link"),), copies=query) for query in reversed(before)]
    return rows
