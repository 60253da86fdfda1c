"""`mark` and `note`: what the reader writes beside the record. Questions write nothing: an answer says what to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound, Usage
from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, row, table
from ccos_core.query.question import Argument, Question
from ccos_core.query.steps import is_free
from ccos_core.query.words import nearest
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LONGEST = 4_000
"""Characters of a note."""
SHOWN = 120
"""Columns of it that are shown."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The answer to `mark` and `note`."""

    schema: ClassVar[str] = "ccos.marks/1"
    kept: Mark | None
    """What is kept from now on."""

    dropped: Mark | None
    """What isn't kept any more; also where a name was put at another step."""

    marks: tuple[Mark, ...]
    """All that are kept now, by step."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return _rows(self)


def mark(timeline: Timeline, at: int, *, marks: tuple[Mark, ...], name: str | None, text: str, drop: bool) -> Marks:
    """Call a step something; without a name, tell which are called what."""
    if name is None:
        return Marks(None, None, marks)
    had = next((each for each in marks if each.name == name), None)
    if drop:
        if had is None:
            names = [each.name for each in marks if each.name]
            raise NotFound("there is no mark of this name", place=name, hint=nearest(name, names))
        return _now(marks, None, had)
    if not is_free(name):
        raise Usage(
            "can't be a mark's name, because it already means a step", place=name, hint=f"As in: {MARK.example}"
        )
    return _now(marks, Mark(at, name, _bounded(text)), had)


def note(timeline: Timeline, at: int, *, marks: tuple[Mark, ...], text: str | None, drop: bool) -> Marks:
    """Note something at a step; without words, tell what was noted."""
    if drop:
        return _now(marks, None, _noted(marks, at, text))
    if not text:
        return Marks(None, None, tuple(each for each in marks if each.text))
    return _now(marks, Mark(at, "", _bounded(text)), None)


def _noted(marks: tuple[Mark, ...], at: int, text: str | None) -> Mark:
    """The note of a step that has these words, or begins with them; without words the only one there is."""
    here = [each for each in marks if each.step == at and not each.name]
    meant = [each for each in here if each.text == text] or [each for each in here if each.text.startswith(text or "")]
    if not meant:
        raise NotFound("there is no such note", place=f"step {at:,}", hint="`note` lists all notes.")
    if len(meant) > 1:
        raise Usage("is the start of several notes", place=f"step {at:,}", hint="Type more of the note.")
    return meant[0]


def _now(marks: tuple[Mark, ...], kept: Mark | None, dropped: Mark | None) -> Marks:
    left = [each for each in marks if each != dropped]
    there = [*left, *([kept] if kept is not None and kept not in left else [])]
    return Marks(kept, dropped, tuple(sorted(there, key=lambda each: each.step)))


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise Usage(f"a note has at most {LONGEST:,} characters", place=text[:40] + "…")
    return text


# ---- its rows ----


def _rows(answer: Marks) -> list[Row]:
    """What was kept or removed; or all there are."""
    kept, dropped = answer.kept, answer.dropped
    if kept is not None:
        before = f", instead of at step {dropped.step:,}" if dropped is not None and dropped.step != kept.step else ""
        return [row("kept: ", *_called(kept), f" at step {kept.step:,}{before}", leads=Moment(kept.step))]
    if dropped is not None:
        return [row("removed: ", *_called(dropped), f" at step {dropped.step:,}", leads=Moment(dropped.step))]
    if not answer.marks:
        return [row(Span(f"There are no marks and notes yet. As in: {MARK.example}", "quiet"))]
    leads = [Moment(each.step) for each in answer.marks]
    return table([_cells(each) for each in answer.marks], right=(0,), leads=leads)


def _cells(mark: Mark) -> list[Part]:
    name = Span(_shown(mark.name), "strong") if mark.name else Span("note", "quiet")
    return [Span(f"{mark.step:,}", "link", f"step {mark.step:,}"), name, *([_shown(mark.text)] if mark.text else [])]


def _called(mark: Mark) -> list[Part]:
    name: list[Part] = ["mark ", Span(_shown(mark.name), "strong")] if mark.name else ["note"]
    return [*name, f" ({_shown(mark.text)})"] if mark.text else name


def _shown(text: str) -> str:
    return clip(clean(text), SHOWN)


MARK = Question(
    ask=mark,
    answers=(Marks,),
    example="mark here-it-broke",
    arguments=(
        Argument("name", "name", "the name"),
        Argument("text", "text", "a remark", default=""),
        Argument("drop", "switch", "remove the name", default=False, flag=True),
    ),
    needs=("marks",),
    keeps=lambda answer: (answer.kept, answer.dropped),
    about="A name can be used wherever a step is expected. Names are kept in the workspace's file, outside the "
    "record. Without a name, it lists the marks.",
)
NOTE = Question(
    ask=note,
    answers=(Marks,),
    example="note the cause left the window here",
    arguments=(
        Argument("drop", "switch", "remove the note of this step that begins with this text", default=False, flag=True),
        Argument("text", "text", "the note"),
    ),
    needs=("marks",),
    keeps=lambda answer: (answer.kept, answer.dropped),
)
QUESTIONS = {"mark": MARK, "note": NOTE}
