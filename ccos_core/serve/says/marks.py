"""The words of `mark` and `note`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.serve.says import parts

if TYPE_CHECKING:
    from ccos_core.query.marks import Marks
    from ccos_core.values.marks import Mark

LONGEST = 120


def says(answer: Marks, columns: int | None) -> Iterator[str]:
    """What was kept or forgotten; else all there are."""
    kept, dropped = answer.kept, answer.dropped
    if kept is not None:
        before = f", which was at step {dropped.step:,}" if dropped is not None and dropped.step != kept.step else ""
        yield f"kept: {_called(kept)} at step {kept.step:,}{before}"
    elif dropped is not None:
        yield f"forgotten: {_called(dropped)} at step {dropped.step:,}"
    elif not answer.marks:
        yield "Nothing is marked or noted yet. As in: mark here-it-broke"
    else:
        rows = [(f"{mark.step:,}", _seen(mark.name) or "note", _seen(mark.text)) for mark in answer.marks]
        yield from parts.table([("step", "mark", ""), *rows], left=[1, 2])


def _called(mark: Mark) -> str:
    said = f"mark {_seen(mark.name)}" if mark.name else "note"
    return f"{said} ({_seen(mark.text)})" if mark.text else said


def _seen(text: str) -> str:
    return words.clipped(words.visible(text), LONGEST)
