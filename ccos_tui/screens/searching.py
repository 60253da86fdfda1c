"""Search in the steps: in everything that was recorded of them, and not only in what the list shows.

The record is searched by the engine, one step at a time, so a session of any length is searched as fast as `find` is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_tui.bridge.ask import ask, query_quoted
from ccos_tui.messages import Answered
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.step_list import StepList

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
        if not text or not isinstance(self.rows, StepList):
            super().again(by)
            return
        step = self.here.step
        span, which = (f"{step + 1}..", "first") if by > 0 else (f"..{step - 1}", "last")
        if (by > 0 and step >= self.ours.steps.head) or (by < 0 and step <= 1):
            self.said(f"no step {'after' if by > 0 else 'before'} this one")
            return
        self.said(f"searching “{text}” ...")
        self.ours.engine.ask(SEARCH, ask("find", step, expr=f"step {span} and text~{query_quoted(text)} | {which}"))

    def searched_for(self, message: Answered) -> None:
        """Found, or not."""
        found, on = message.answer, message.answer.query.endswith("first")
        text = self.ours.searched[-1] if self.ours.searched else ""
        if not found.rows:
            self.said(f"“{text}” occurs in no step {'after' if on else 'before'} this one")
            return
        self.go(self.here.at(found.rows[0].step), jump=True)
        more = count(found.steps - 1, "more match", "more matches")
        said = f"{more} {'after' if on else 'before'} this" if found.steps > 1 else "last match"
        self.said(f"“{text}”: {said}")
