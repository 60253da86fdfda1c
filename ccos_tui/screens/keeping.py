"""What a reader keeps beside a record: letters for steps, and notes; and the window's own text line by line.

They are the catalogue's `mark` and `note`, so they lie in the workspace's file and can be used wherever a step is
wanted. Each note leads to its step, can be edited and dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Span, clean, row
from ccos_tui.bridge.ask import YES, Ask, ask
from ccos_tui.focus import THEIRS, Focus, Trail
from ccos_tui.messages import Answered
from ccos_tui.present import notes
from ccos_tui.present.notes import ordered, rows_of, said
from ccos_tui.present.texts import window_rows, window_text
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.taking import Taking
from ccos_tui.widgets.scrubber import Scrubber
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.window_pane import window_title

if TYPE_CHECKING:
    from ccos_core.query.commits import Commits
    from ccos_core.query.marks import Marks
    from ccos_core.values.marks import Mark


class WindowText(FullScreen):
    """A window as text."""

    keyed: ClassVar[str] = "text"
    slot: ClassVar[str] = "text"
    title_words: ClassVar[str] = "Text of the window"
    footer: ClassVar[tuple[str, ...]] = ("down", "half-down", "search", "copy", "export", "open", "back")
    words: ClassVar[Mapping[str, str]] = {"down": "row", "half-down": "half a page", "open": "open in $PAGER"}

    def __init__(self, here: Focus) -> None:
        super().__init__()
        self.here = here

    def on_mount(self) -> None:
        here = self.here
        self.title_is(f"Text of the window  {window_title(here)}", f"step {here.step:,}")
        self.show([row(Span("Reading ...", "quiet"))])
        if here.lens == THEIRS:
            question = ask("verbatim", here.step, session=here.session, context=here.context)
        else:
            question = ask("recall", here.step, **here.through())
        self.ask_for(question)

    def fill(self) -> None:
        if self.answer is not None:
            self.show(window_rows(self.answer, self.keys))

    def plain_text(self) -> str:
        return window_text(self.answer) if self.answer is not None else super().plain_text()

    def do_open(self, count: int | None, char: str) -> None:
        """All of it in the reader's own program."""
        if self.answer is not None:
            self.open_outside(window_text(self.answer), f"window-at-{self.here.step}.txt")


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
        self.committed: tuple[int, ...] = ()
        """Steps at which commits were made."""
        self._signed: tuple[object, ...] = ()
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

    def note_commits(self, answer: Commits) -> None:
        """Show where commits were made, on the timeline and beside the steps."""
        self.committed = tuple(dict.fromkeys(each.step for each in answer.commits))
        for timeline in self.query(Scrubber):
            timeline.note_commits(self.committed)
        self.sign_steps()

    def sign_steps(self) -> None:
        """Signs beside the steps, where they are others now."""
        wanted = (self.marks, self.here.mark, self.committed)
        if wanted == self._signed:
            return
        self._signed = wanted
        for steps in self.query(StepList):
            steps.marks = notes.signs(self.marks, self.here.mark, self.committed)
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

        self.ours.push_screen(NotesScreen())

    def do_recoveries(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.recoveries import RecoveriesScreen

        self.ours.push_screen(RecoveriesScreen(self.here.step))

    def do_restore(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.files import FilesScreen

        self.ours.push_screen(FilesScreen(self.here.step))

    def do_text(self, count: int | None, char: str) -> None:

        self.ours.push_screen(WindowText(self.here))


def marking(step: int, name: str, text: str = "") -> Ask:
    """The question that calls a step so."""
    return Ask("mark", (("name", name), *((("text", text),) if text else ())), step)


def forgetting(mark: Mark) -> Ask:
    """The question that forgets a bookmark or a note."""
    if mark.name:
        return Ask("mark", (("name", mark.name), ("drop", YES)), mark.step)
    return Ask("note", (("text", mark.text), ("drop", YES)), mark.step)


NOTES_SLOT = "notes"


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
        self.ours.engine.ask(NOTES_SLOT, ask("mark", at=0))

    def answered(self, message: Answered) -> None:
        if message.slot == NOTES_SLOT:
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
