"""The window at the cursor: ours, the host's, or both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.markup import escape

from ccos_core.present.cells import clip
from ccos_core.present.later import Later, about, parts_of, untitled
from ccos_core.present.rows import Row, View, clean
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import BOTH, THEIRS, Focus
from ccos_tui.messages import Answered
from ccos_tui.present import said
from ccos_tui.widgets.diffing import step_diff_of
from ccos_tui.widgets.pane import Pane

if TYPE_CHECKING:
    from ccos_core.query.statements import Statements

NAME_COLUMNS = 12
"""For a subagent's name in a border."""
JUST_LEFT = "just left"
"""How the heading of what left begins; what was said stands below that."""
LEFT = "window:further"
"""By which name it hears what the step took away."""


class WindowPane(Pane):
    """What an agent could see; and what it could see a step before, and can't any more."""

    slot: ClassVar[str] = "window"
    title: ClassVar[str] = "Window"
    awaited: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__()
        self._diff: Any = None
        self._diff_of: Ask | None = None
        self._pointed: tuple[str, str] | None = None
        """What was selected, through which window, when its row was scrolled to."""
        self._said: Statements | None = None
        """What was said to the agent whose window this is; None as long as that isn't known."""
        self._has_all_said = False
        """Whether all of that is shown."""
        self.by_age = False
        """Whether the newest items of the agent's window stand first, instead of the largest."""

    def question(self, here: Focus) -> Ask | None:
        return ask("recall", here.step, **here.through())

    def further(self, here: Focus) -> Ask | None:
        """What else is to be asked: what just left."""
        wanted = step_diff_of(here) if here.lens != BOTH else None
        if wanted == self._diff_of:
            return None
        self._diff, self._diff_of = None, wanted
        return wanted

    def take(self, answered: Answered) -> None:
        if answered.slot == LEFT:
            if answered.ask == self._diff_of:
                self._diff = answered.answer
                self.present()
            return
        super().take(answered)

    def show_said(self, answer: Statements | None) -> None:
        """Show what was said to the agent whose window this is."""
        if answer is not self._said:
            self._said = answer
            self.present()

    def unfold(self) -> bool:
        """Show all that was said, or a few of it again, if that is what the row at the cursor is for."""
        if not said.is_fold(self.selected):
            return False
        self._has_all_said = not self._has_all_said
        self.present()
        return True

    def look(self, here: Focus) -> Ask | None:
        wanted = super().look(here)
        if wanted is None:
            self._point()
        return wanted

    def present(self) -> None:
        super().present()
        self._point()

    def _point(self) -> None:
        """Mark the row of what is selected, where the reader is elsewhere; scroll to it where that is new."""
        node = self.here.node
        if node is None or self.has_focus:
            return
        found = about(self._rows, node)
        if found is None:
            return
        if (node, self.here.lens) != self._pointed:
            self._pointed = (node, self.here.lens)
            self.select(found, told=False, centred=True)
        elif found != self.cursor:
            before, self.cursor = self.cursor, found
            self._redraw(before)
            self._redraw(found)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        self.say_below(f"{subtitle(here)}{_filled(answer)}")
        diff, is_agent = self._diff, hasattr(answer, "overlap")
        if diff is not None and diff.last == answer.step:
            side = diff.agent if is_agent else diff.suggested
        else:
            side = None
        order = {"by_age": self.by_age} if is_agent else {}
        rows = untitled(answer.item_rows(View(width, full=True), side, **order))
        if self._said is None or not is_agent or here.lens != THEIRS:
            return rows
        group = said.group_rows(self._said, answer.step, width, unfolded=self._has_all_said)
        parts = list(parts_of(rows))
        titles = (at for at, each in enumerate(parts) if isinstance(each, Row) and each.role == "heading")
        first = next((at for at in titles if not parts[at].text.startswith(JUST_LEFT)), len(parts))  # type: ignore[union-attr]
        return Later([*parts[:first], *group, *parts[first:]])


def subtitle(here: Focus) -> str:
    """Which window this is, for the border of a pane, where brackets would be markup."""
    return escape(clean(window_title(here)))


def window_title(here: Focus) -> str:
    """Which window this is: `agent's of subagent a1b2`, `suggested, budget 2,048`."""
    names = {"working-set": "suggested", "host": "agent's", "both": "suggested and agent's"}
    whose = f" of subagent {clip(here.context, NAME_COLUMNS)}" if here.context and here.lens in (THEIRS, BOTH) else ""
    budget = "" if here.lens == THEIRS else f", budget {here.budget:,}"
    return names.get(here.lens, here.lens) + whose + budget


def _filled(answer: Any) -> str:
    """How full it is, where the gauge in the list may be scrolled away."""
    suggested = answer.suggested if hasattr(answer, "overlap") else answer
    if suggested is not None:
        return f", {100 * suggested.tokens // max(suggested.budget, 1)}%"
    return f", {answer.counted.tokens:,} tokens" if answer.counted is not None else ""
