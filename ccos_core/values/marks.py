"""What a reader writes beside a record: names of steps, and notes. No op, and nothing a fold reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """One of them."""

    step: int
    """Where it was put."""

    name: str
    """What the step is called; a note has none."""

    text: str
    """What was noted."""
