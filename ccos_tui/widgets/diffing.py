"""Which two steps are compared where the reader stands, and the question about them. Two panes ask it."""

from __future__ import annotations

from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import OURS, Focus

MOST = 500
"""Items of a host's window that are told of each kind: a compaction drops many, and that is what one came to see."""


def span_of(here: Focus) -> tuple[int, int]:
    """From the mark, or the step before, to here."""
    if here.mark is not None and here.mark != here.step:
        return min(here.mark, here.step), max(here.mark, here.step)
    return max(here.step - 1, 0), here.step


def diff_of(here: Focus) -> Ask | None:
    """What changed up to here."""
    return _diff(here, span_of(here))


def step_diff_of(here: Focus) -> Ask | None:
    """What this step alone changed."""
    return _diff(here, (max(here.step - 1, 0), here.step))


def _diff(here: Focus, span: tuple[int, int]) -> Ask | None:
    first, last = span
    if first == last:
        return None
    limit = None if here.lens == OURS else MOST
    return ask("diff", last, span=f"{first}..{last}", limit=limit, **here.through())
