"""Answers given to whoever asked: as lines, as sentences, or as one JSON object a line."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ccos_core.serve import terminal
from ccos_core.serve.cli.common import give, tell
from ccos_core.serve.printing import as_json_object, as_lines

if TYPE_CHECKING:
    from ccos_core.query.question import Answer
    from ccos_core.session.asking import Desk


class Manner(Enum):
    """How answers are wanted."""

    LINES = "lines"
    ALOUD = "aloud"
    """Sentences without signs or columns, for screen readers."""
    JSON = "json"


def manner_of(*, as_json: bool, aloud: bool) -> Manner:
    """By the options that were given."""
    return Manner.JSON if as_json else Manner.ALOUD if aloud else Manner.LINES


def show(answer: Answer, manner: Manner, partial: int = 0) -> None:
    """An answer on stdout."""
    if manner is Manner.JSON:
        give(as_json_object(answer, partial))
        return
    for line in as_lines(answer, terminal.columns(), aloud=manner is Manner.ALOUD, partial=partial):
        terminal.show(line)


def told_of_damage(desk: Desk) -> bool:
    """Say where the record is damaged that was asked, if it is; answers end before that."""
    if desk.broken is None:
        return False
    tell(f"ccos-tui: {desk.broken.fact}; answers end at step {desk.timeline.head:,}\n  {desk.broken.hint}")
    return True
