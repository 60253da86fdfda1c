"""Windows that were really handed to an agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ccos_core.ops.base import Item, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall(Op):
    """An agent got a suggested window: what was in it, in which order, and how it was computed."""

    lens: str
    """`working-set`, `around:X`, `task:TEXT`, ..."""

    budget: int
    computed_at: int
    """The step whose state it shows."""

    parameters: Mapping[str, int]
    """All other parameters that shaped it."""

    items: tuple[Item, ...]

    window: str
    """blake3 of the text that was delivered, in hex."""
