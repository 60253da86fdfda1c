"""Go where the text of a step leads: to a step, a file or a symbol that it names; unfold it; leave it."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.present.rows import Moment, clean
from ccos_tui.bridge.ask import ask
from ccos_tui.messages import Answered
from ccos_tui.present.followed import Target
from ccos_tui.screens.searching import Searching
from ccos_tui.screens.taking import Taking
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.step_pane import StepPane


class Following(Searching, Taking):
    """What a screen does about the text of a step."""

    active: str

    def show_pane(self, name: str) -> None:
        """Bring a pane to where it can be seen; the screen itself knows how."""
        raise NotImplementedError

    def leave_pane(self) -> None:
        """Go back to the steps."""
        raise NotImplementedError

    def lead_to(self, moment: Moment) -> None:
        """Stand where something leads."""
        raise NotImplementedError

    @property
    def step_pane(self) -> StepPane | None:
        """The pane of the step's text, as long as it is there."""
        return next(iter(self.query(StepPane)), None)

    def follow(self, pane: StepPane) -> None:
        """Unfold the row at the cursor, or go to the first thing it names that the record knows."""
        if pane.unfold(row_only=True):
            return
        row = pane.selected
        if row is not None and row.leads is not None:
            self.lead_to(row.leads)
        else:
            self._try(pane.targets())

    def _try(self, targets: Sequence[Target]) -> None:
        if not targets:
            self.said("this row names no step, file or symbol")
            return
        first, *others = targets
        if first.step is not None:
            self.lead_to(Moment(min(first.step, self.ours.steps.head)))
        else:
            self._look_up(first.names, others, self.here.step)

    def _look_up(self, names: Sequence[str], others: Sequence[Target], step: int) -> None:
        """Ask what a name means; where it means nothing, what the next one does."""

        def found(message: Answered) -> None:
            if self.here.step == step:
                self.lead_to(Moment(node=message.answer.node))

        def unknown(_: object) -> None:
            if names[1:]:
                self._look_up(names[1:], others, step)
            elif others:
                self._try(others)
            else:
                self.said(f"“{clean(names[-1])}” isn't a file or symbol of this session")

        if self.ours.is_open:
            self.ours.errands.send(self.ours.engine, ask("provenance", step, node=names[0]), found, unknown)

    def marked_anew(self) -> None:
        """Another word is marked, or none."""
        if self.step_pane is not None:
            self.step_pane.mark_anew()

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_unfold(self, count: int | None, char: str) -> None:
        pane = self.step_pane
        if pane is None or pane.answer is None:
            return
        if not pane.unfold() and not pane.fold():
            self.said("no text of this step is long enough to be folded")

    def do_enter(self, count: int | None, char: str) -> None:
        """In the list of steps, show the step's text if nothing shows it."""
        steps, pane = isinstance(self.rows, StepList), self.step_pane
        super().do_enter(count, char)
        if steps and pane is not None and not pane.display:
            self.show_pane("step")

    def step_out(self) -> bool:
        """Unmark what was searched; else go back to the steps."""
        if self.ours.marked_word:
            self.ours.mark_word("")
        elif self.active != "steps":
            self.leave_pane()
        else:
            return False
        return True
