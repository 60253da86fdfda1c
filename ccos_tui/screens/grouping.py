"""Folding, opening and filtering the rows of steps, and the times beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_tui.bridge.work import explained
from ccos_tui.messages import sentence_of
from ccos_tui.present.step_layout import GROUP, SUBAGENTS, Folds
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.step_list import CLOCKS, StepList

if TYPE_CHECKING:
    from ccos_core.query.step_outline import Outline
    from ccos_tui.focus import Focus

NOT_READY = "the steps aren't grouped yet"
FILTER_HINT = "kind=edit,Bash context=main outcome=bad file=src/   empty: all steps"


class Grouping(KeyedScreen):
    """A screen with a list of steps."""

    here: Focus

    @property
    def steps(self) -> StepList:
        """The list of steps."""
        return self.query_one(StepList)

    def grouped(self) -> None:
        """It is known which steps are one row."""
        self.steps.lay_out()

    def do_open_row(self, count: int | None, char: str) -> None:
        """Show the steps of the group under the cursor, or the group again."""
        outline = self._outline()
        if outline is None:
            return
        place = outline.group_of(self.here.step)
        steps = outline.steps_of(place)
        if len(steps) == 1 or not self.here.step:
            self.said("this row is a single step")
            return
        self._refold(self.steps.folds.toggled_group(steps[0]))
        if self.steps.layout_of_rows.line(self.steps.cursor).sort == GROUP:
            self.said(f"{len(steps)} steps in one row")
        else:
            self.said(f"the {len(steps)} steps of this row; {self.keys.sign('open-row')} closes them")

    def do_every_step(self, count: int | None, char: str) -> None:
        """Show each step as a row, or groups again."""
        self.steps.grouped = not self.steps.grouped
        self.steps.lay_out()
        self.said("a call and its effects are one row" if self.steps.grouped else "every step is a row")

    def do_fold_turn(self, count: int | None, char: str) -> None:
        """Fold all steps from a prompt to the next into one row, or unfold them."""
        outline = self._outline()
        if outline is None:
            return
        turn = int(outline.turn[outline.group_of(self.here.step)])
        if not turn or not self.here.step:
            self.said("no prompt comes before this step")
        else:
            self._refold(self.steps.folds.toggled_turn(turn))

    def do_fold_turns(self, _: int | None, char: str) -> None:
        """Fold all turns, or unfold them."""
        outline = self._outline()
        if outline is None:
            return
        folds = self.steps.folds
        every = frozenset(each for each in set(outline.turn.tolist()) if each)
        turns = frozenset() if folds.turns else every
        self._refold(Folds(turns, folds.subagents, folds.subagents_but, folds.opened))
        self.said(f"{count(len(turns), 'turn')} folded" if turns else "no turn is folded")

    def do_fold_subagents(self, _: int | None, char: str) -> None:
        """Fold the subagent under the cursor, or unfold it; elsewhere all of them."""
        outline = self._outline()
        if outline is None:
            return
        folds, names = self.steps.folds, {name for name in outline.contexts if name}
        line = self.steps.layout_of_rows.line(self.steps.cursor)
        name = outline.contexts[int(outline.context[outline.group_of(self.here.step)])]
        if not names:
            self.said("this session has no subagent")
        elif line.sort == SUBAGENTS or name:
            held = outline.context[line.place : line.last + 1].tolist() if line.sort == SUBAGENTS else ()
            chosen = {outline.contexts[each] for each in held} or {name}
            self._refold(Folds(folds.turns, folds.subagents, folds.subagents_but ^ chosen, folds.opened))
        else:
            all_folded = all(map(folds.folds, names))
            self._refold(Folds(folds.turns, not all_folded, frozenset(), folds.opened))
            self.said(f"{count(len(names), 'subagent')} {'unfolded' if all_folded else 'folded'}")

    def do_clock(self, count: int | None, char: str) -> None:
        """Show the time of day, the time since the beginning, or none."""
        self.steps.clock = CLOCKS[(CLOCKS.index(self.steps.clock) + 1) % len(CLOCKS)]
        self.steps.refresh()
        self.said(f"beside the steps: {self.steps.clock}")

    # -- filters ------------------------------------------------------------------------------------------------------

    def do_filter(self, count: int | None, char: str) -> None:
        if self._outline() is not None:
            self.ours.prompt("filter ", self.filter_by, filled=self.steps.filter_text, hint=FILTER_HINT)

    def do_filter_clear(self, count: int | None, char: str) -> None:
        self.said("all steps are shown" if self.steps.filter_text else "no filter is set")
        self.filter_by("")

    def filter_by(self, text: str) -> None:
        """Show only the rows that a filter lets pass; all of them without one."""
        steps = self.steps
        if not text.strip():
            steps.filter_text = ""
            steps.lay_out()
            return
        try:
            wanted, shown = self.ours.steps.filtered(text)
        except Exception as error:
            fact, place, hint, _ = explained(error, text)
            self.said(sentence_of(fact, place, hint))
            return
        if not shown.any():
            self.said(f"no step matches {wanted.text}")
            return
        steps.filter_text = wanted.text
        steps.lay_out()
        self.said(f"{count(int(shown.sum()), 'row')} of {len(shown):,}; {self.keys.sign('filter-clear')} shows all")

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _outline(self) -> Outline | None:
        if self.ours.steps.outline is None:
            self.said(NOT_READY)
        return self.ours.steps.outline

    def _refold(self, folds: Folds) -> None:
        self.steps.grouped = True
        self.steps.refold(folds)
