"""The words of `watch` in both windows: two strips, and for how long each held what the other didn't."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import both, host_watch, parts, watch

if TYPE_CHECKING:
    from ccos_core.query.watch import BothWatch


def says(answer: BothWatch, columns: int | None) -> Iterator[str]:
    """Ours above theirs, and the gap in figures."""
    ours, theirs = answer.ours, answer.theirs
    yield parts.node(ours.node)
    yield from both.strips(ours.runs, theirs.runs, ours.budget, theirs.whose, columns)
    yield f"  {both.gap(answer.compared)}"


def plain(answer: BothWatch) -> Iterator[str]:
    yield f"{both.gap(answer.compared).capitalize()}."
    yield "Ours:"
    yield from watch.plain(answer.ours)
    yield "Theirs:"
    yield from host_watch.plain(answer.theirs)
