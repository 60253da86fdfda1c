"""Parts of sentences that findings share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

MOST_STEPS = 4
"""Steps that a sentence names."""


def times(count: int) -> str:
    """Say how often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def listed_steps(steps: Sequence[int]) -> str:
    """Name steps: `step 3`, `steps 3, 8 and 12`; the first few if they are many."""
    shown = [f"{step:,}" for step in steps[:MOST_STEPS]]
    if len(steps) == 1:
        return f"step {shown[0]}"
    if len(steps) > MOST_STEPS:
        return f"steps {', '.join(shown)} and {len(steps) - MOST_STEPS:,} more"
    return f"steps {', '.join(shown[:-1])} and {shown[-1]}"


def files_named(work: Work, counts: Counter[int]) -> str:
    """Name the file that was changed most, and count the others: `cart.py (3 times) and 2 more files`."""
    path = work.deeds.files.path
    ranked = sorted(counts, key=lambda file: (-counts[file], path(file)))
    if not ranked:
        return ""
    others = len(ranked) - 1
    more = f" and {others:,} more {'file' if others == 1 else 'files'}" if others else ""
    return f"{path(ranked[0])} ({times(counts[ranked[0]])}){more}"


def were(counts: Counter[int]) -> str:
    """The verb for as many files: `was` or `were`."""
    return "was" if len(counts) == 1 else "were"
