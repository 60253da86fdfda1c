"""Bookmarks and notes: each leads to its step, can be said otherwise, and forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from ccos_tui.bridge.ask import ask
from ccos_tui.messages import Answered
from ccos_tui.present.notes import ordered, rows_of, said
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.keeping import forgetting, marking

if TYPE_CHECKING:
    from ccos_core.query.marks import Marks
    from ccos_core.values.marks import Mark

SLOT = "notes"


class NotesScreen(FullScreen):
    """All that is kept beside the record."""

    keyed: ClassVar[str] = "notes"
    title_words: ClassVar[str] = "Bookmarks and notes"
    footer: ClassVar[tuple[str, ...]] = ("enter", "note-change", "note-drop", "search", "copy", "export", "back")

    def __init__(self) -> None:
        super().__init__()
        self.answer: Marks | None = None
        self.marks: tuple[Mark, ...] = ()

    def on_mount(self) -> None:
        self.marks = self.ours.home.marks
        self.fill()
        self.ours.engine.ask(SLOT, ask("mark", at=0))

    def answered(self, message: Answered) -> None:
        if message.slot == SLOT:
            self.marked(message.answer)

    def marked(self, answer: Marks) -> None:
        """This is what is kept now."""
        self.answer, self.marks = answer, answer.marks
        self.fill()

    def fill(self) -> None:
        """A row for each, as wide as there is room."""
        self.marks = ordered(self.marks)
        self.show(rows_of(self.marks, self.ours.steps.told, self.room, self.keys))

    @property
    def meant(self) -> Mark | None:
        """The one that is selected."""
        return self.marks[self.list.cursor] if self.list.cursor < len(self.marks) else None

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_note_drop(self, count: int | None, char: str) -> None:
        if (mark := self.meant) is not None:
            self._forget(mark, lambda: self.said(f"deleted: {said(mark)}"))

    def do_note_change(self, count: int | None, char: str) -> None:
        """Call the step otherwise; of a note, say it otherwise."""
        if (mark := self.meant) is None:
            return
        sign = "name " if mark.name else f"note at step {mark.step:,} "
        self.ours.prompt(sign, lambda text: self._change(mark, text.strip()), filled=mark.name or mark.text)

    def _change(self, mark: Mark, text: str) -> None:
        """The new one is kept first, so that nothing is lost where it can't be."""
        if not text or text == (mark.name or mark.text):
            return
        new = marking(mark.step, text, mark.text) if mark.name else ask("note", mark.step, text=text)
        self.ours.keep(new, lambda: self._forget(mark, lambda: self.said("changed")), self.said)

    def _forget(self, mark: Mark, then: Callable[[], object]) -> None:
        self.ours.keep(forgetting(mark), then, self.said)
