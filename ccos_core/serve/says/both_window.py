"""The words of `recall` and `state` in both windows: what theirs held, and what ours held that theirs had lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import both, host_window, parts, window

if TYPE_CHECKING:
    from ccos_core.query.windows import BothWindow


def says(answer: BothWindow, columns: int | None) -> Iterator[str]:
    """The gap, theirs, and ours in a line; the text of ours is what `recall` without a lens shows."""
    yield from window.summary(answer.ours, answer.ours.step)
    yield both.overlap_line(answer.overlap)
    yield from both.lost(answer.overlap)
    yield "theirs:"
    yield from (f"  {line}" for line in host_window.says(answer.theirs, columns))


def plain(answer: BothWindow) -> Iterator[str]:
    yield from parts.aloud(window.summary(answer.ours, answer.ours.step))
    yield from both.overlap_aloud(answer.overlap)
    yield "Theirs:"
    yield from host_window.plain(answer.theirs)
