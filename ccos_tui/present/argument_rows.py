"""Short arguments of a call as a table: a name, and what it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ccos_core.present.cells import wrap
from ccos_core.present.rows import Row, Span, clean
from ccos_tui.present.matches import marked, matches

if TYPE_CHECKING:
    from ccos_core.query.step_text import Part

MOST_NAMES = 24  # more arguments are shown as JSON
LONGEST_NAME = 14


def argument_rows(part: Part, width: int, found: str = "", paths: Sequence[str] = ()) -> list[Row] | None:
    """Return the rows of a JSON object of plain values; None if it is anything else.

    An argument that names one of the `paths` is left out: the heading of that file's text says it."""
    if part.language != "json" or not part.text.startswith("{"):
        return None
    try:
        given = json.loads(part.text)
    except (ValueError, RecursionError):
        return None
    if (
        not isinstance(given, dict)
        or len(given) > MOST_NAMES
        or any(isinstance(each, (dict, list)) for each in given.values())
    ):
        return None
    given = {name: value for name, value in given.items() if not _is_path(value, paths)}
    indent = min(max(map(len, given), default=0), LONGEST_NAME) + 3
    return [each for name, value in given.items() for each in _rows(clean(name), _said(value), indent, width, found)]


def _is_path(value: Any, paths: Sequence[str]) -> bool:
    return isinstance(value, str) and any(f"/{value}".endswith(f"/{path}") for path in paths)


def _said(value: Any) -> str:
    return clean(value) if isinstance(value, str) else json.dumps(value)


def _rows(name: str, value: str, indent: int, width: int, found: str) -> list[Row]:
    room = max(width - indent, 8)
    lines = list(wrap(value, room)) or [""]
    head = f" {name}".ljust(indent - 1) + " "
    if len(head) > indent:
        head, lines = f" {name} ", list(wrap(value, max(width - len(name) - 2, 8))) or [""]
    made = []
    for at, line in enumerate(lines):
        spans = marked([(line, "")], matches(line, found))
        before = Span(head if not at else " " * len(head), "quiet")
        made.append(Row((before, *(Span(text, role) for text, role in spans)), copies=value or " "))
    return made
