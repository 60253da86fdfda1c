"""Two columns side by side, each as wide as the other: how old and new, here and there are shown."""

from __future__ import annotations

from rich.cells import cell_len

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span

GAP = " │ "
NARROWEST = 64
"""Columns below which two don't fit side by side; the right one stands below the left one then."""


def sides(left: Span, right: Span, width: int, leads: Moment | None = None) -> list[Row]:
    """One row of two columns, or two rows."""
    if width < NARROWEST:
        return [Row((each,), leads=leads) for each in (left, right) if each.text.strip()]
    half = (width - len(GAP)) // 2
    shown = clip(left.text, half)
    gap = " " * (half - cell_len(shown))
    spans = (Span(shown, left.role), Span(gap + GAP, "quiet"), Span(clip(right.text, half), right.role))
    return [Row(spans, leads=leads)]
