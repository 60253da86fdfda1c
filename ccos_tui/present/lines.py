"""Lines of an answer as rows: what they say stays as it is, and every step they name leads there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ccos_core.present.rows import Moment, Row, Span, clean

STEP = re.compile(r"\bstep ([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)\b")
NUMBERED = re.compile(r"^[▸ ] *([0-9]+)  ")
"""A line of a list of steps begins with its step."""


def rows_of(lines: Iterable[tuple[str, Moment | None]]) -> list[Row]:
    """Return a row for each line, which leads where that is said, or to a step that the line names."""
    return [Row((Span(clean(line)),), leads=leads or _step_in(line)) for line, leads in lines]


def _step_in(line: str) -> Moment | None:
    found = NUMBERED.match(line) or STEP.search(line)
    return Moment(int(found[1].replace(",", ""))) if found is not None else None
