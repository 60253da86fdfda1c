"""A row cut to the width of a pane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len, set_cell_size

from ccos_core.present.rows import Row, Span


def fitted(each: Row, width: int) -> tuple[Span, ...]:
    """Return the spans of a row, exactly `width` columns in all."""
    right = each.right
    taken = sum(cell_len(span.text) for span in right)
    room = max(width - taken - (1 if right else 0), 0)
    if right and (room < width // 3 or taken > width):  # too narrow for both: the left says what it is about
        right, taken, room = (), 0, width
    spans, used = _cut(each.spans, room)
    gap = max(width - used - taken, 0)
    return (*spans, Span(" " * gap), *right)


def _cut(spans: Sequence[Span], room: int) -> tuple[list[Span], int]:
    """Return as many of the spans as there is room for, and the columns they take."""
    cut: list[Span] = []
    used = 0
    for span in spans:
        size = cell_len(span.text)
        if used + size > room:
            text = _clipped(span.text, room - used)
            return [*cut, replace(span, text=text)], used + cell_len(text)
        cut.append(span)
        used += size
    return cut, used


def _clipped(text: str, width: int) -> str:
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""
