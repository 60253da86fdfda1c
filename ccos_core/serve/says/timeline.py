"""The words of `timeline`: a line a step, with a sign where the cursor stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.op_line import OpLines
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.timeline import Steps

HERE, ELSEWHERE = "▸ ", "  "


def says(answer: Steps, columns: int | None) -> Iterator[str]:
    """The steps, with the reader's marks below them."""
    lines = OpLines(columns)
    yield from _left_out(answer.before, "earlier")
    for told in answer.steps:
        yield from lines.tell(told, HERE if told.step == answer.at else ELSEWHERE)
        for mark in answer.marks:
            if mark.step == told.step:
                yield f"{'':>10}{coloured(_mark(mark.name, mark.text), 'note')}"
    yield from _left_out(answer.after, "later")
    if not answer.steps:
        yield "no steps"
    yield f"(cursor at step {answer.at:,} of {answer.head:,})"


def plain(answer: Steps) -> Iterator[str]:
    yield f"{count(len(answer.steps), 'step')} of {answer.head:,}. The cursor is at step {answer.at:,}."
    if answer.before or answer.after:
        yield f"Left out: {answer.before:,} earlier and {answer.after:,} later."
    for told in answer.steps:
        here = " The cursor is here." if told.step == answer.at else ""
        yield f"Step {told.step:,}: {parts.op_aloud(told)}.{here}"
        for mark in answer.marks:
            if mark.step == told.step:
                yield f"{_mark(mark.name, mark.text).capitalize()}."


def _left_out(number: int, which: str) -> list[str]:
    if not number:
        return []
    said = f"… {number:,} {which} {'step' if number == 1 else 'steps'} left out: ask for a span, or with --limit 0"
    return [f"{ELSEWHERE}{coloured(said, 'quiet')}"]


def _mark(name: str, text: str) -> str:
    said = f"mark {name}" if name else "note"
    return words.clipped(words.visible(f"{said}: {text}" if text else said), 200)
