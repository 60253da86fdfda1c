"""A window as rows: what is in it, file by file, how fully and why; and how much of the budget that takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_tui.present.rows import Moment, Row, Span, clean, clip, heading, row

if TYPE_CHECKING:
    from ccos_core.query.windows import Shown
    from ccos_core.window.linearize import Item, Missed

LEVELS = {"name": "▁", "signature": "▃", "skeleton": "▅", "body": "█"}
"""How fully an item is shown, as a sign; the word stands beside it."""


def rows_of(answer: Shown, width: int) -> list[Row]:
    """Everything that is in, and what it just missed."""
    return [gauge(answer.tokens, answer.budget, width), *_items(answer.items), *_missed(answer.missed)]


def gauge(tokens: int, budget: int, width: int) -> Row:
    """`████████░░░░  1,740 of 2,048 tokens`."""
    told = f" {tokens:,} of {budget:,} tokens"
    cells = max(min(width - len(told) - 1, 40), 4)
    full = min(tokens * cells // max(budget, 1), cells)
    return Row((Span("█" * full, "good"), Span("░" * (cells - full), "quiet"), Span(told)))


def _items(items: tuple[Item, ...]) -> Iterator[Row]:
    path = None
    for item in items:
        if item.path != path:
            path = item.path
            yield heading(clean(path))
        name = clean(item.uri.partition("#")[2]) or "the file"
        spans = (Span(f"  {LEVELS.get(item.level, '?')} ", "in"), Span(name), Span(f"  {item.level}", "quiet"))
        reason = Span(f"  {clip(clean(item.reason), 60)}", "quiet")
        yield Row((*spans, reason), (Span(f"{item.tokens:,}", "number"),), Moment(node=item.uri), copies=item.text)


def _missed(missed: tuple[Missed, ...]) -> Iterator[Row]:
    if missed:
        yield heading("not in, next in the order")
    for each in missed:
        name = clean(each.uri.partition(":")[2])
        spans = Span("  ○ ", "out"), Span(name, "quiet"), Span(f"  {clip(clean(each.reason), 50)}", "quiet")
        yield row(*spans, right=(Span(f"{each.short:,} short", "out"),), leads=Moment(node=each.uri))
