"""The line at the top: which record, what fails at the cursor, and the hash that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.serve.words import count, moment, short
from ccos_tui.present.rows import Row, Span, clean

if TYPE_CHECKING:
    from ccos_core.query.state import State


def head_row(name: str, steps: int, state: State | None, note: str = "") -> Row:
    """` demo  61 steps  1 fails  ...      2026-02-14 09:39:06 UTC  chain 3f9c..`."""
    left = [Span(" ◉ ", "bad"), Span(clean(name), "strong"), Span(f"  {count(steps, 'step')}", "quiet")]
    if note:
        left.append(Span(f"  {note}", "note"))
    if state is None:
        return Row(tuple(left))
    left.append(Span(f"  {count(state.files, 'file')}, {count(state.symbols, 'symbol')}", "quiet"))
    fails = f"✗ {state.failures:,} fails" if state.failures == 1 else f"✗ {state.failures:,} fail"
    left.append(Span(f"  {fails}", "bad") if state.failures else Span("  ✓ nothing fails", "good"))
    at = f"{moment(state.at)} UTC  " if state.at is not None else ""
    return Row(tuple(left), (Span(at, "quiet"), Span(f"chain {short(state.hash)} ", "link")))
