"""The steps of a record in groups, folded and filtered; only those on the screen are ever read.

A row is a group, a folded turn, folded subagents or a single step (`present/step_layout.py`). The cursor of the
debugger is a step: a row that holds it is selected, and moving goes from row to row.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.present.groups import Held, Look, clock_of, fold_row, group_row
from ccos_core.present.rows import Row
from ccos_core.present.steps import step_row
from ccos_core.present.words import count
from ccos_tui.present.step_layout import GROUP, SUBAGENTS, TURN, Folds, Layout, Line, laid_out
from ccos_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from ccos_core.query.step_outline import Outline
    from ccos_tui.bridge.steps import Steps
    from ccos_tui.focus import Focus

CLOCKS = ("time of day", "elapsed time", "no time")
NO_TIME = -(2**62)


class StepList(Rows):
    """Rows of steps; row 0 is where nothing has happened yet."""

    DEFAULT_CSS = """
    StepList { border: round $foreground 25%; border-title-color: $text-muted; border-subtitle-color: $text-muted; }
    StepList:focus { border: round $accent; border-title-color: $accent; border-title-style: bold; }
    """

    def __init__(self, steps: Steps) -> None:
        super().__init__(id="steps")
        self.steps = steps
        self.border_title = "Steps"
        self.stepped: Callable[[int], object] | None = None
        """Hears of another step at once: a message would come a frame later."""
        self.laid_out: Callable[[], object] | None = None
        """Hears that steps are other rows now."""
        self.fitted: Callable[[], object] | None = None
        """Hears that the list has another height, or another number of rows."""
        self.step = 0
        """Where the cursor of the debugger stands: on a step of the selected row, or on one that is hidden there."""
        self._shown = 1, 1
        self.layout_of_rows = Layout()
        self.folds = Folds()
        self.grouped = True
        """Whether steps are grouped, rather than each a row."""
        self.filter_text = ""
        self.clock = CLOCKS[0]
        self.found: tuple[int, str, str] = (0, "", "")
        """The step a search found, the line that matches, and the words."""
        self._marks: dict[int, str] = {}
        self._marked: list[int] = []

    @property
    def marks(self) -> dict[int, str]:
        """Signs that stand beside steps: bookmarks, and the step to compare with."""
        return self._marks

    @marks.setter
    def marks(self, marks: dict[int, str]) -> None:
        self._marks, self._marked = marks, sorted(marks)

    # -- which rows there are -----------------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self.layout_of_rows) + self.steps.head - self.layout_of_rows.head

    def lay_out(self) -> None:
        """Lay out the rows anew: the steps were grouped, or something was folded, opened or filtered."""
        outline, shown = self.steps.outline, None
        if outline is None or not (self.grouped or self.filter_text):
            self.layout_of_rows = Layout()
        else:
            if self.filter_text:
                _, shown = self.steps.filtered(self.filter_text)
            folds = self.folds if self.grouped else Folds(subagents=False, opened=frozenset(outline.first.tolist()))
            self.layout_of_rows = laid_out(outline, folds, shown)
        groups = count(int(shown.sum()), "row") if shown is not None else ""
        self.border_subtitle = f"{self.filter_text} · {groups}" if self.filter_text else ""
        self.resize_to(self.count())
        self.cursor = min(self.layout_of_rows.row_of(self.step), self.count() - 1)
        self.reveal(self.cursor, centred=True)
        self.refresh()
        if self.laid_out is not None:
            self.laid_out()

    def is_several(self, step: int) -> bool:
        """Whether the row of a step stands for several."""
        return self.layout_of_rows.line(self.layout_of_rows.row_of(step)).sort in (GROUP, TURN, SUBAGENTS)

    def refold(self, folds: Folds) -> None:
        """Fold or open something."""
        self.folds = folds
        self.lay_out()

    def span_of(self, row: int) -> tuple[int, int]:
        """The first and the last step of a row, with what a filter hides behind it."""
        begin = self.layout_of_rows.line(row).begin
        after = self.layout_of_rows.line(row + 1).begin if row + 1 < self.count() else self.steps.head + 1
        return begin, max(after - 1, begin)

    def shown_steps(self) -> tuple[int, int]:
        """The first and the last step on the screen; while the list is hidden, those that were there before."""
        if self.size.height:
            top = round(self.scroll_y)
            bottom = max(min(top + self.page, self.count()) - 1, 0)
            self._shown = max(self.span_of(min(top, bottom))[0], 1), max(self.span_of(bottom)[1], 1)
        return self._shown

    def resize_to(self, count: int) -> None:
        super().resize_to(count)
        if self.fitted is not None:
            self.fitted()

    # -- the cursor ---------------------------------------------------------------------------------------------------

    def stand(self, step: int, *, centred: bool = False) -> None:
        """The cursor of the debugger stands on a step; a jump opens what hides it."""
        line = self.layout_of_rows.line(self.layout_of_rows.row_of(step))
        if centred and line.sort in (TURN, SUBAGENTS) and self.layout_of_rows.step_at(self._row(step)) != step:
            self._unfold(step, line)
        before, self.step = self.step, step
        self._select(self._row(step), centred=centred, again=before != step)

    def select(self, index: int, *, told: bool = True, centred: bool = False) -> None:
        row = min(max(index, 0), max(self.count() - 1, 0))
        self.step = self.layout_of_rows.step_at(row)
        self._select(row, centred=centred, told=told)

    def _select(self, row: int, *, centred: bool, told: bool = False, again: bool = False) -> None:
        before = self.cursor
        super().select(row, told=told, centred=centred)
        if abs(before - self.cursor) < self.page:
            for passed in range(min(before, self.cursor), max(before, self.cursor)):
                self._redraw(passed)  # was in the cursor's future and isn't any more, or the other way round
            if again:
                self._redraw(self.cursor)
        else:
            self.refresh()

    def tell(self) -> None:
        if self.stepped is not None:
            self.stepped(self.step)

    def _row(self, step: int) -> int:
        return self.layout_of_rows.row_of(step)

    def _unfold(self, step: int, line: Line) -> None:
        outline = self.steps.outline
        if outline is None:
            return
        place = outline.group_of(step)
        turn, name = int(outline.turn[place]), outline.contexts[int(outline.context[place])]
        folds = self.folds.toggled_turn(turn) if line.sort == TURN else self.folds
        self.refold(folds.toggled_subagent(name) if folds.folds(name) else folds)

    def inside(self, here: Focus) -> Focus:
        """Return the same place in the context of its step: a subagent's, unless another one was chosen."""
        outline = self.steps.outline
        if outline is None or here.session is not None or here.context is not None or not here.step:
            return here
        return replace(here, context=outline.contexts[int(outline.context[outline.group_of(here.step)])] or None)

    # -- rows ---------------------------------------------------------------------------------------------------------

    def row_at(self, index: int) -> Row:
        line, outline = self.layout_of_rows.line(index), self.steps.outline
        look = self._look(index, line, outline)
        if line.sort == GROUP:
            group = self.steps.group(line.place)
            if group is not None:
                return group_row(group, look)
        elif line.sort in (TURN, SUBAGENTS) and outline is not None:
            return self._folded(line, outline, look)
        told = self.steps.told(line.begin) if line.begin else None
        width = self.scrollable_content_region.width
        return step_row(told, line.begin, future=look.future, mark=look.mark, width=width)

    def _look(self, index: int, line: Line, outline: Outline | None) -> Look:
        begin, end = self.span_of(index)
        marked = bisect_left(self._marked, begin)
        is_marked = marked < len(self._marked) and self._marked[marked] <= end
        known = line.sort >= GROUP and outline is not None
        return Look(
            width=self.scrollable_content_region.width,
            future=index > self.cursor,
            mark=self._marks[self._marked[marked]] if is_marked else "",
            step=self.step if index == self.cursor and self._is_inside(line) else 0,
            clock=self._clock(outline, line.place) if known and outline is not None else "",
            waited=outline.waited(line.place) if known and outline is not None else 0,
            lane=_lane(outline, line.place) if known and outline is not None and line.sort == GROUP else 0,
            name=_name(outline, line.place) if known and outline is not None else "",
            found=self.found[1:] if begin <= self.found[0] <= end else ("", ""),
        )

    def _is_inside(self, line: Line) -> bool:
        """Whether the cursor stands on another step of a group than where its row leads."""
        outline = self.steps.outline
        if line.sort != GROUP or outline is None:
            return False
        return self.step in outline.steps_of(line.place) and self.step != int(outline.done[line.place])

    def _clock(self, outline: Outline, place: int) -> str:
        at = int(outline.at[place])
        if self.clock == CLOCKS[-1] or at == NO_TIME:
            return " " if self.clock != CLOCKS[-1] else ""
        return clock_of(at, outline.began if self.clock == CLOCKS[1] else None)

    def _folded(self, line: Line, outline: Outline, look: Look) -> Row:
        held = slice(line.place, line.last + 1)
        group = self.steps.group(line.place)
        calls = int((outline.tool[held] >= 0).sum())
        steps = outline.steps_of(line.last).stop - int(outline.first[line.place])
        inside = Held(steps, calls, outline.failed_groups(held), outline.grown(held))
        words = group.says if group is not None else ""
        if line.sort == SUBAGENTS:
            names = dict.fromkeys(outline.contexts[each] for each in outline.context[held].tolist())
            words = f"{' '.join(name[:8] for name in names)}  {words}"
        return fold_row(words, inside, int(outline.done[line.place]), look, prompt=line.sort == TURN)


def _lane(outline: Outline, place: int) -> int:
    context = int(outline.context[place])
    return context + 1 if outline.contexts[context] else 0


def _name(outline: Outline, place: int) -> str:
    """The subagent's name, where its groups begin here."""
    context = int(outline.context[place])
    is_first = place == 0 or int(outline.context[place - 1]) != context
    return outline.contexts[context] if is_first else ""
