"""The words of `missing` in both windows: two strips, the gap between them, and what theirs went through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import both, host_missing, missing, parts

if TYPE_CHECKING:
    from ccos_core.query.missing import BothMissing


def says(answer: BothMissing, columns: int | None) -> Iterator[str]:
    """Ours above theirs, and what ours held that theirs had lost."""
    ours, theirs = answer.ours, answer.theirs
    yield parts.node(ours.node)
    yield from both.strips(ours.runs, theirs.runs, ours.budget, theirs.whose, columns)
    yield f"  {both.gap(answer.compared)}"
    yield from both.gaps(answer.compared)


def plain(answer: BothMissing) -> Iterator[str]:
    yield from both.aloud(answer.compared)
    yield "Ours:"
    yield from missing.plain(answer.ours)
    yield "Theirs:"
    yield from host_missing.plain(answer.theirs)
