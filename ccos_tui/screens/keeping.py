"""What a reader keeps beside a record: letters for steps, and notes. They are the catalogue's `mark` and `note`, so
they lie in the workspace's file, and can be said wherever a step is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, clean
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.commands import YES
from ccos_tui.focus import Focus
from ccos_tui.present import notes
from ccos_tui.screens.taking import Taking
from ccos_tui.trail import Trail
from ccos_tui.widgets.scrubber import Scrubber
from ccos_tui.widgets.step_list import StepList

if TYPE_CHECKING:
    from ccos_core.query.marks import Marks
    from ccos_core.values.marks import Mark

BACK = "'"


class Keeping(Taking):
    """A screen with a cursor, whose places can be kept."""

    has_cursor: ClassVar[bool] = True
    here: Focus
    trail: Trail

    def __init__(self) -> None:
        super().__init__()
        self.marks: tuple[Mark, ...] = ()
        """All that is kept, by step."""
        self._signed: tuple[object, int | None] = ((), None)
        """What the signs beside the steps were made of."""

    def on_mount(self) -> None:
        """Ask what is kept; the answer comes when the record is folded."""
        self.look_for_marks()

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else."""
        raise NotImplementedError

    def tell_panes(self) -> None:
        """Let every pane ask what it wants to know."""
        raise NotImplementedError

    def _otherwise(self) -> str | None:
        return None if isinstance(self.rows, StepList) else self.here.node

    # -- what is kept -------------------------------------------------------------------------------------------------

    def look_for_marks(self) -> None:
        """Ask what is kept now."""
        self._ask(ask("mark", at=0), lambda message: self.marked(message.answer))

    def marked(self, answer: Marks) -> None:
        """Something was kept or forgotten, here or by a line that somebody typed."""
        self.marks = answer.marks
        self.sign_steps()
        for timeline in self.query(Scrubber):
            timeline.again()
        self.tell_panes()

    def sign_steps(self) -> None:
        """Signs beside the steps, where they are others now."""
        wanted = (self.marks, self.here.mark)
        if wanted == self._signed:
            return
        self._signed = wanted
        for steps in self.query(StepList):
            steps.marks = notes.signs(self.marks, self.here.mark)
            steps.refresh()

    # -- bookmarks ----------------------------------------------------------------------------------------------------

    def do_bookmark(self, count: int | None, char: str) -> None:
        if char == notes.COMPARED:
            self.go(replace(self.here, mark=self.here.step))
            self.said("marked: views now compare with this step")
            return
        if not char.isalpha():
            self.said("a bookmark's name is one letter")
            return
        said = f"{char} marks step {self.here.step:,}"
        self.ours.keep(marking(self.here.step, char), lambda: self.said(said), self.said)

    def do_to_bookmark(self, count: int | None, char: str) -> None:
        if char == BACK:
            self._back()
            return
        found = next((mark.step for mark in self.marks if mark.name == char), None)
        if char == notes.COMPARED and self.here.mark is not None:
            found = self.here.mark
        if found is None:
            key = self.keys.sign("bookmark")
            self.said(f"there is no bookmark {clean(char)}; {key} and the letter set one")
        else:
            self.ours.lead_to(Moment(found))

    def do_first(self, count: int | None, char: str) -> None:
        self._far(count or 0, lambda: super(Keeping, self).do_first(count, char))

    def do_last(self, count: int | None, char: str) -> None:
        head = self.ours.steps.head
        self._far(count if count is not None else head, lambda: super(Keeping, self).do_last(count, char))

    def _far(self, step: int, otherwise: Callable[[], None]) -> None:
        """To a step that was said, which is a jump; in another list than that of the steps to one of its rows."""
        if isinstance(self.rows, StepList):
            self.go(self.here.at(min(max(step, 0), self.ours.steps.head)), jump=True)
        else:
            otherwise()

    def _back(self) -> None:
        """To where the last jump began; once more, and one is here again."""
        there = self.trail.before(self.here)
        if there is None:
            self.said("no jump yet")
        else:
            self.go(there, jump=True)

    # -- notes --------------------------------------------------------------------------------------------------------

    def do_note(self, count: int | None, char: str) -> None:
        step = self.here.step
        self.ours.prompt(f"note at step {step:,} ", lambda text: self.note(step, text), hint="text of the note")

    def note(self, step: int, text: str) -> None:
        """Note something at a step."""
        if text := text.strip():
            said = f"note saved at step {step:,}: {clip(clean(text), 60)}"
            self.ours.keep(ask("note", step, text=text), lambda: self.said(said), self.said)

    def do_notes(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.notes import NotesScreen

        self.ours.push_screen(NotesScreen())

    def do_text(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.text import WindowText

        self.ours.push_screen(WindowText(self.here))


def marking(step: int, name: str, text: str = "") -> Ask:
    """The question that calls a step so."""
    return Ask("mark", (("name", name), *((("text", text),) if text else ())), step)


def forgetting(mark: Mark) -> Ask:
    """The question that forgets a bookmark or a note."""
    if mark.name:
        return Ask("mark", (("name", mark.name), ("drop", YES)), mark.step)
    return Ask("note", (("text", mark.text), ("drop", YES)), mark.step)
