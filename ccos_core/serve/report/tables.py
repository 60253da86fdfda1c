"""How a report writes texts and rows: each once, harmless, and lists of rows as what differs from the list before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ccos_core.present.later import Part, parts_of
from ccos_core.present.rows import Row, Span
from ccos_core.present.rows import clean as clean_line
from ccos_core.text.sanitize import clean

Json: TypeAlias = Any
"""Lists, dicts, texts, integers, booleans."""


class Table:
    """Values in the order in which they came up, each once."""

    def __init__(self) -> None:
        self.values: list[Json] = []
        self._places: dict[Any, int] = {}

    def place(self, key: Any, written: Callable[[Any], Json]) -> int:
        """Return the place of a value; what is written of it is made when it comes up first."""
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(written(key))
        return self._places[key]


class RowTable(Table):
    """Rows, each once."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[tuple[Any, ...], int] = {}

    def places(self, rows: Sequence[Row]) -> list[int]:
        """Return the places of rows, in their order. Of two that will be made of the same, only one is made."""
        return [self._place(part) for part in parts_of(rows)]

    def _place(self, part: Part) -> int:
        if isinstance(part, Row):
            return self.place(part, row_json)
        made_of = (part.make, part.given)
        if made_of not in self._made:
            self._made[made_of] = self.place(part.make(*part.given), row_json)
        return self._made[made_of]


def row_json(row: Row) -> Json:
    """Write a row as [left spans, right spans, step it leads to or 0, node it is about, role]."""
    leads = row.leads
    step = leads.step if leads is not None else None
    node = leads.node if leads is not None else None
    return [_spans(row.spans), _spans(row.right), step or 0, plain(node or ""), row.role]


def _spans(spans: Sequence[Span]) -> Json:
    """Write each span as its text, or as [text, role], or as [text, role, what a screen reader says instead]."""
    return [_span(span) for span in spans if span.text]


def _span(span: Span) -> Json:
    text = plain(span.text)
    if span.spoken is not None and span.spoken != span.text:
        return [text, span.role, plain(span.spoken)]
    return [text, span.role] if span.role else text


def plain(text: str) -> str:
    """Return a text fit to be shown to others: hidden characters spelled out, secrets masked by the current rules."""
    return clean(text.encode("utf-8", "backslashreplace").decode("utf-8"))[0]


def plain_line(text: str) -> str:
    """Return the same on one line."""
    return clean_line(plain(text))


def difference(before: Sequence[int], now: Sequence[int]) -> list[Json]:
    """Write a list as [places taken from the start of the list before, from its end, the places in between]."""
    shorter = min(len(before), len(now))
    start = 0
    while start < shorter and before[start] == now[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == now[-1 - end]:
        end += 1
    return [start, end, list(now[start : len(now) - end])]


def without_middle(text: str, longest: int) -> str:
    """Return a text with its middle left out, and a line in between that says how much that was."""
    half = longest // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[… {left_out:,} characters left out of this report …]\n{text[len(text) - half :]}"
