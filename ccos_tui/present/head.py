"""The line at the top: which record, what fails at the cursor, and the hash that proves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, clean
from ccos_core.present.words import count, moment, short

if TYPE_CHECKING:
    from ccos_core.query.state import State


NARROWEST = 12
"""Columns of a name, however narrow the screen is."""
DATED_FROM, CHAINED_FROM = 100, 64
"""Columns from which on there is room for when it was, and for the hash."""


def head_row(name: str, steps: int, state: State | None, note: str = "", width: int = 160) -> Row:
    """` demo  61 steps  1 fails  ...      2026-02-14 09:39:06 UTC  chain 3f9c..`: no part of it is there by half."""
    right = _right(state, width)
    room = width - sum(cell_len(each.text) for each in right) - 1
    named = [Span(" ◉ ", "bad"), Span(clip(clean(name), max(width // 3, NARROWEST)), "strong")]
    parts = list(_parts(steps, state, note))
    while parts and sum(cell_len(each.text) for each in (*named, *parts)) > room:
        parts.remove(min(parts, key=_worth))
    return Row((*named, *parts), right)


def _parts(steps: int, state: State | None, note: str) -> Iterator[Span]:
    yield Span(f"  {count(steps, 'step')}", "quiet")
    if note:
        yield Span(f"  {note}", "note")
    if state is not None:
        yield Span(f"  {count(state.files, 'file')}, {count(state.symbols, 'symbol')}", "quiet")
        now = state.failures - state.rerun_due
        fails = f"✗ {now:,} fails" if now == 1 else f"✗ {now:,} fail"
        if now or not state.rerun_due:
            yield Span(f"  {fails}", "bad") if now else Span("  ✓ nothing fails", "good")
        if state.rerun_due:
            yield Span(f"  ? {state.rerun_due:,} not run again", "note")


def _worth(part: Span) -> int:
    """What is quiet goes first where there is no room for all."""
    if part.role == "quiet":
        return 0 if "file" in part.text else 1
    return 2 if part.role == "note" else 3


def _right(state: State | None, width: int) -> tuple[Span, ...]:
    if state is None or width < CHAINED_FROM:
        return ()
    at = f"{moment(state.at)} UTC  " if state.at is not None and width >= DATED_FROM else ""
    return (Span(at, "quiet"), Span(f"chain {clean(short(state.hash))} ", "link"))
