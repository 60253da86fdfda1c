"""Words: watch and explain a sentence of the step's text, and show what was said and what the window lost of it.

What was said is asked once for a whole session and context, behind everything that is painted; the answer holds for
every step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ccos_tui.bridge.ask import YES, Ask, ask
from ccos_tui.focus import THEIRS, Focus
from ccos_tui.messages import Answered
from ccos_tui.screens.running import Running
from ccos_tui.widgets.scrubber import Scrubber
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.step_pane import StepPane
from ccos_tui.widgets.window_pane import WindowPane

if TYPE_CHECKING:
    from textual.timer import Timer

    from ccos_core.query.statements import Statements

Context: TypeAlias = tuple[str | None, str | None]
"""(session, context) of the agent."""

SPOKEN = "spoken"
LANES, WINDOW = f"{SPOKEN}:lanes", f"{SPOKEN}:window"
"""The slots of what was said, for the timeline and for the window pane."""
TOLD = "told"
"""The slot of what had been said about the step."""
RESTING_SECONDS = 0.2
"""After so long at a step the reader is taken to read it."""
CONTEXTS_KEPT = 8
"""Contexts whose answers are kept."""


class Wording(Running):
    """What a screen does about words."""

    def __init__(self) -> None:
        super().__init__()
        self._said_asked: dict[Context, Ask] = {}
        """Context → the question about it that was asked last, ..."""
        self._said_known: dict[Context, Statements] = {}
        """... and the last answer, which is an older one while the record grows."""
        self._said_awaited: dict[str, Context] = {}
        """Slot → the context that is being asked about."""
        self._told_soon: Timer | None = None
        """When it is asked what had been said about the step."""

    # -- what was said ------------------------------------------------------------------------------------------------

    def look_for_said(self, inside: Focus) -> list[tuple[str, Ask]]:
        """Show what is known of what was said, and return what is to be asked: for the timeline in the context that was
        chosen, for the window in that of the step."""
        self._show_said(inside)
        wanted = ((LANES, self.here),) if self.query_one(Scrubber).shows_lanes else ()
        if self.here.lens == THEIRS and self.query_one(WindowPane).display:
            wanted = (*wanted, (WINDOW, inside))
        questions = []
        for slot, place in wanted:
            question = ask("statements", self.ours.steps.head, limit=0, course=YES, session=place.session,
                           context=place.context)  # fmt: skip
            if self._said_asked.get(_context(place)) != question:
                self._said_asked.pop(self._said_awaited.get(slot, _context(place)), None)
                self._said_asked[_context(place)], self._said_awaited[slot] = question, _context(place)
                questions.append((slot, question))
        return questions

    def heard_said(self, message: Answered) -> None:
        """It is known what was said in a context."""
        context = self._said_awaited.pop(message.slot, None)
        if context is None:
            return
        self._said_known.pop(context, None)
        self._said_known[context] = message.answer
        if len(self._said_known) > CONTEXTS_KEPT:
            oldest = next(iter(self._said_known))
            del self._said_known[oldest]
            self._said_asked.pop(oldest, None)
        self._show_said(self.query_one(StepList).inside(self.here))

    def forget_said(self) -> None:
        """What was said may be otherwise now: ask anew."""
        self._said_asked.clear()

    def _show_said(self, inside: Focus) -> None:
        known = self._said_known.get(_context(self.here))
        self.query_one(Scrubber).show_said(known)
        self.query_one(WindowPane).show_said(self._said_known.get(_context(inside)))

    def do_statements(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.statements import StatementsScreen

        inside = self.query_one(StepList).inside(self.here)
        self.ours.push_screen(StatementsScreen(self.here.step, inside.session, inside.context))

    def do_memory(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.memory import MemoryScreen

        inside = self.query_one(StepList).inside(self.here)
        self.ours.push_screen(MemoryScreen(self.here.step, inside.session, inside.context))

    def do_rules(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.rules import RulesScreen

        self.ours.push_screen(RulesScreen(self.here.step))

    def do_diary(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.diary import DiaryScreen

        self.ours.push_screen(DiaryScreen(self.here.step))

    def do_claims(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.statements import ClaimsScreen

        self.ours.push_screen(ClaimsScreen(self.here.step))

    def do_told(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.statements import ToldScreen

        if self.here.step:
            self.ours.push_screen(ToldScreen(self.here.step))
        else:
            self.said("nothing was done yet")

    # -- what had been said about the step ----------------------------------------------------------------------------

    def ask_what_was_told(self) -> None:
        """Ask what had been said about the step, once the reader rests there."""
        if self._told_soon is not None:
            self._told_soon.stop()
        self._told_soon = self.set_timer(RESTING_SECONDS, self._ask_told)

    def heard_told(self, message: Answered) -> None:
        """It is known what had been said about a step."""
        self.query_one(StepPane).show_told(message.ask.at or 0, message.answer)

    def _ask_told(self) -> None:
        pane = self.query_one(StepPane)
        if self.here.step and pane.display and not pane.has_told(self.here.step) and self.ours.is_open:
            self.ours.engine.ask(TOLD, ask("told", self.here.step, step=self.here.step, limit=0))

    # -- the step's text ----------------------------------------------------------------------------------------------

    def do_watch_words(self, count: int | None, char: str) -> None:
        """Watch the words at the cursor; on a heading, the file that it names."""
        node = self._words_pointed()
        if node is None:
            self.do_watch(count, char)
        else:
            self.watch_node(node)

    def do_why(self, count: int | None, char: str) -> None:
        """In the step's text, explain the words at the cursor."""
        node = self._words_pointed()
        if node is not None and self.active == "step":
            self.go(self.here.on(node))
        super().do_why(count, char)

    def do_sentence_on(self, count: int | None, char: str) -> None:
        self._to_sentence(count or 1)

    def do_sentence_back(self, count: int | None, char: str) -> None:
        self._to_sentence(-(count or 1))

    def _to_sentence(self, by: int) -> None:
        if not self.query_one(StepPane).move_sentence(by):
            self.said("no later sentence in this text" if by > 0 else "no earlier sentence in this text")

    def _words_pointed(self) -> str | None:
        """The words at the cursor of the step's text, as a node; None for a row without any, such as a heading."""
        pane = self.query_one(StepPane)
        is_heading = pane.selected is not None and pane.selected.leads is not None
        return None if is_heading else pane.words


def _context(place: Focus) -> Context:
    return place.session, place.context
