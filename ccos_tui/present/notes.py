"""What the reader keeps: bookmarks and notes as rows that lead to their steps, and as signs beside those."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span, clean, row
from ccos_core.present.steps import DIGITS
from ccos_tui.keys import BY_THEMSELVES, Keys

if TYPE_CHECKING:
    from ccos_core.query.telling import Told
    from ccos_core.values.marks import Mark

NAMED, NOTED, COMPARED, COMMITTED = "◆", "¶", "A", "*"
"""A step with a name longer than a letter, one with a note, the one that others are compared with, and one at which a
commit was made."""
SHORT, LONG = 14, 24
"""Columns for what a step is called, on a narrow screen and on a wide one."""
HAPPENED_FROM = 90
"""Columns from which on what happened stands beside what was noted."""
NONE = (
    "There are no bookmarks and notes yet.",
    "{bookmark} and a letter bookmark a step; {to-bookmark} and the letter go there.",
    "{note} writes a note at a step.",
)


def signs(marks: Iterable[Mark], compared: int | None = None, committed: Iterable[int] = ()) -> dict[int, str]:
    """Step → the sign that stands beside it: of several the letter, and before all the step that is compared with; a
    commit's gives way to all others."""
    found = dict.fromkeys(committed, COMMITTED)
    for mark in sorted(marks, key=lambda each: (_rank(each), each.name), reverse=True):
        found[mark.step] = _sign(mark)
    if compared is not None:
        found[compared] = COMPARED
    return found


def ordered(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """By their steps; of one step the letters first."""
    return tuple(sorted(marks, key=lambda each: (each.step, _rank(each), each.name, each.text)))


def rows_of(
    marks: Iterable[Mark], told: Callable[[int], Told | None], width: int, keys: Keys = BY_THEMSELVES
) -> list[Row]:
    """A row for each; where there is none, how to keep something."""
    return [_row(each, told, width) for each in marks] or [row(Span(keys.told(each), "quiet")) for each in NONE]


def said(mark: Mark) -> str:
    """`bookmark a`, or `the note “...”`, inside of a sentence."""
    return f"bookmark {clean(mark.name)}" if mark.name else f"the note “{clip(clean(mark.text), 40)}”"


def _row(mark: Mark, told: Callable[[int], Told | None], width: int) -> Row:
    name = _padded(_called(mark), SHORT if width < HAPPENED_FROM else LONG)
    text = clean(mark.text)
    spans = (
        Span(f"{mark.step:>{DIGITS},}  ", "link"), Span(_sign(mark), "mark" if mark.name else "note"),
        Span(f" {name} ", "key"), Span(text, "strong"),
    )  # fmt: skip
    happened = _happened(mark.step, told)
    if width < HAPPENED_FROM or not text:
        return Row((*spans, *(() if text else (Span(happened, "quiet"),))), (), Moment(mark.step), copies=_copy(mark))
    beside = Span(clip(happened, width // 3), "quiet")
    return Row(spans, (beside,), Moment(mark.step), copies=_copy(mark))


def _called(mark: Mark) -> str:
    if not mark.name:
        return "note"
    return clean(mark.name) if _sign(mark) == NAMED else "bookmark"


def _padded(text: str, width: int) -> str:
    text = clip(text, width)
    return text + " " * (width - cell_len(text))


def _copy(mark: Mark) -> str:
    return mark.text or mark.name


def _happened(step: int, told: Callable[[int], Told | None]) -> str:
    if step == 0:
        return "before the first step"
    op = told(step)
    return f"{clean(op.kind)} {clean(op.says)}".rstrip() if op is not None else "can't be read"


def _rank(mark: Mark) -> int:
    """Letters first, then names, then notes."""
    return 2 if not mark.name else 1 if _sign(mark) == NAMED else 0


def _sign(mark: Mark) -> str:
    letter = clean(mark.name)
    if not letter:
        return NOTED
    return letter if len(letter) == 1 and cell_len(letter) == 1 else NAMED
