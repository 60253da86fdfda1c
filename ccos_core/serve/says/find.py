"""The words of `find`: a line a step, or a count of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.query.telling import one_line
from ccos_core.serve.op_line import OpLines
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.finding.found import Found, Narrowed

HERE, ELSEWHERE = "▸ ", "  "
OF_WINDOWS = ("present(", "absent(")
UNNAMED = {
    "tool": "no tool", "path": "no path", "context": "no context", "session": "no session", "outcome": "no outcome",
    "hour": "time not known",
}  # fmt: skip
"""What steps are called that have no name of that sort."""


def says(answer: Found, columns: int | None) -> Iterator[str]:
    """What was found, and what it was narrowed down from where that is little or nothing."""
    yield _head(answer)
    if answer.shape == "groups":
        rows = [(f"{group.steps:,}", _named(answer.by, group.name), _since(group.first)) for group in answer.groups]
        yield from parts.table(rows, left=(1,))
    lines = OpLines(columns)
    for told in answer.rows:
        yield from lines.tell(told, HERE if told.step == answer.at else ELSEWHERE)
    yield from _left_out(answer)
    yield from parts.table(
        [(f"{left.steps:,}", f"left by {_safe(left.says)}") for left in _narrowed(answer)], left=(1,)
    )
    yield from _notes(answer)


def plain(answer: Found) -> Iterator[str]:
    yield f"{_head(answer)}."
    for group in answer.groups:
        yield f"{_named(answer.by, group.name)}: {count(group.steps, 'step')}, first at step {group.first:,}."
    for told in answer.rows:
        yield f"Step {told.step:,}: {parts.op_aloud(told)}.{' The cursor is here.' if told.step == answer.at else ''}"
    yield from _left_out(answer)
    for left in _narrowed(answer):
        yield f"{_safe(left.says)} left {count(left.steps, 'step')}."
    yield from _notes(answer)


def _head(answer: Found) -> str:
    asked = f"{answer.steps:,} of {count(answer.head, 'step')}: {_safe(answer.query)}"
    windows = any(word in answer.query for word in OF_WINDOWS)
    return f"{asked}  budget {answer.budget:,}" if windows else asked


def _narrowed(answer: Found) -> Sequence[Narrowed]:
    """Which of several conditions left how much, where nothing was found."""
    return answer.narrowed if not answer.steps and len(answer.narrowed) > 1 else ()


def _left_out(answer: Found) -> Iterator[str]:
    what = ("group", "groups") if answer.shape == "groups" else ("step", "steps")
    if answer.left_out:
        said = f"… {answer.left_out:,} more {what[answer.left_out != 1]}: narrow it down, or ask with --limit 0"
        yield f"{ELSEWHERE}{coloured(said, 'quiet')}"


def _notes(answer: Found) -> Iterator[str]:
    for hint in answer.hints:
        yield coloured(_safe(hint), "note")
    if answer.unread:
        yield coloured(f"not searched: {count(answer.unread, 'content')}, erased or not readable", "note")
    if answer.cut:
        yield coloured(f"of {count(answer.cut, 'content')} only the start and the end were kept and searched", "note")


def _named(by: str, name: str) -> str:
    return _safe(name) if name else UNNAMED.get(by, "none")


def _since(step: int) -> str:
    return f"first at step {step:,}"


def _safe(text: str) -> str:
    return one_line(words.visible(text))
