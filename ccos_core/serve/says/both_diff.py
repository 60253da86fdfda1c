"""The words of `diff` in both windows: ours, theirs, and what ours held that theirs had lost, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import both, diff, host_diff

if TYPE_CHECKING:
    from ccos_core.query.diff import BothDiff


def says(answer: BothDiff, columns: int | None) -> Iterator[str]:
    """The gap first, then theirs, then ours."""
    yield f"at step {answer.ours.last:,}, {both.overlap_line(answer.after)}"
    yield from both.lost(answer.after)
    yield f"at step {answer.ours.first:,}, {both.overlap_line(answer.before)}"
    yield "theirs:"
    yield from (f"  {line}" for line in host_diff.says(answer.theirs, columns))
    yield "ours:"
    yield from (f"  {line}" for line in diff.says(answer.ours, columns))


def plain(answer: BothDiff) -> Iterator[str]:
    yield f"At step {answer.ours.last:,}:"
    yield from both.overlap_aloud(answer.after)
    yield f"At step {answer.ours.first:,}:"
    yield from both.overlap_aloud(answer.before)
    yield "Theirs:"
    yield from host_diff.plain(answer.theirs)
    yield "Ours:"
    yield from diff.plain(answer.ours)
