"""Which rows the list of steps has: groups, folded turns and subagents, the steps of groups that are open.

Made anew when something is folded or filtered, by a few passes over the columns of an outline; moving the cursor only
searches in it. Steps that were recorded since are rows of their own, until they are grouped.

    layout = laid_out(outline, Folds(turns=frozenset({51})))
    layout.step_at(layout.row_of(412))
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ccos_core.query.step_outline import Outline
    from ccos_core.replay.columns import Numbers

START, STEP, GROUP, TURN, SUBAGENTS = range(5)
"""What a row is: before the first step, a single step, a group, a folded turn, folded subagents."""
UNFOLDED, SUBAGENT = 0, -1
"""Keys of groups that are not folded, and of those that are folded with the subagents beside them."""


@dataclass(frozen=True, slots=True)
class Folds:
    """What is folded or open. Turns are named by the step of their prompt, groups by their first step."""

    turns: frozenset[int] = frozenset()
    subagents: bool = True
    """Whether subagents are folded, but for ..."""

    subagents_but: frozenset[str] = frozenset()
    """... these, for which it is the other way round."""

    opened: frozenset[int] = frozenset()
    """Groups whose steps are rows."""

    def toggled_turn(self, turn: int) -> Folds:
        """The same with one turn folded, or unfolded."""
        return replace(self, turns=self.turns ^ {turn})

    def toggled_subagent(self, name: str) -> Folds:
        """The same with one subagent folded, or unfolded."""
        return replace(self, subagents_but=self.subagents_but ^ {name})

    def toggled_group(self, first: int) -> Folds:
        """The same with one group open, or closed."""
        return replace(self, opened=self.opened ^ {first})

    def folds(self, name: str) -> bool:
        """Whether a subagent is folded."""
        return bool(name) and self.subagents != (name in self.subagents_but)


class Line(NamedTuple):
    """One row."""

    sort: int
    begin: int
    """Its first step."""

    place: int
    """The group it is or begins with; -1 for none."""

    last: int
    """The last group it holds."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows, and the steps they stand for."""

    head: int = 0
    """The last step that is laid out."""

    begin: Numbers | None = None
    """The first step of each row, ascending; None for the row before the first step alone."""

    sort: Numbers | None = None
    place: Numbers | None = None
    last: Numbers | None = None
    outline: Outline | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.begin) if self.begin is not None else 1

    def line(self, row: int) -> Line:
        """Return what a row is; behind the layout, a step."""
        if row >= len(self) or self.begin is None or self.sort is None or self.place is None or self.last is None:
            return Line(STEP if row else START, self.head + row - len(self) + 1 if row else 0, -1, -1)
        return Line(int(self.sort[row]), int(self.begin[row]), int(self.place[row]), int(self.last[row]))

    def row_of(self, step: int) -> int:
        """Return the row that shows a step, or the one before what hides it."""
        if step > self.head:
            return len(self) + step - self.head - 1
        return max(int(self.begin.searchsorted(step, "right")) - 1, 0) if self.begin is not None else 0

    def step_at(self, row: int) -> int:
        """Return where the cursor stands on a row: where all that its group did has happened."""
        line = self.line(row)
        return int(self.outline.done[line.place]) if line.sort >= GROUP and self.outline is not None else line.begin


def laid_out(outline: Outline, folds: Folds, shown: Numbers | None = None) -> Layout:
    """Lay out the groups of an outline; `shown` says of each group whether a filter lets it pass."""
    import numpy as np

    places = np.flatnonzero(shown) if shown is not None else np.arange(len(outline))
    keys = _keys(outline, folds)[places]
    begins = np.ones(len(places), bool)
    begins[1:] = (keys[1:] != keys[:-1]) | (keys[1:] == UNFOLDED)
    rows = np.flatnonzero(begins)
    lasts = np.append(rows[1:], len(places)) - 1 if len(rows) else rows
    first, key = places[rows], keys[rows]
    sort = np.where(key == UNFOLDED, GROUP, np.where(key == SUBAGENT, SUBAGENTS, TURN))
    begin, last = outline.first[first], places[lasts]
    is_open = (sort == GROUP) & np.isin(begin, list(folds.opened))
    steps = [step for place in first[is_open].tolist() for step in outline.steps_of(place)]
    inside = np.searchsorted(outline.first, steps, "right") - 1 if steps else np.empty(0, np.int64)
    begin = np.concatenate([[0], begin[~is_open], steps])
    order = np.argsort(begin, kind="stable")
    sort = np.concatenate([[START], sort[~is_open], np.full(len(steps), STEP)])
    place, last = (np.concatenate([[-1], each[~is_open], inside]) for each in (first, last))
    begin, sort, place, last = (each[order].astype(np.int32) for each in (begin, sort, place, last))
    return Layout(outline.head, begin, sort, place, last, outline)


def _keys(outline: Outline, folds: Folds) -> Numbers:
    """Return for each group what it is folded into: its turn, its subagent, or nothing."""
    import numpy as np

    folded = np.array([folds.folds(name) for name in outline.contexts], bool)
    keys = np.where(folded[outline.context] if len(folded) else False, SUBAGENT, UNFOLDED)
    return np.where(np.isin(outline.turn, list(folds.turns)), outline.turn, keys)
