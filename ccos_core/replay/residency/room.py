"""Budgets and room: which part of a budget decides who is in a working set, in parts of a token."""

from __future__ import annotations

from ccos_core.values.tokens import UNIT
from ccos_core.window.working_set import SHARE


def room_in(budget: int) -> int:
    """What there is room for in a budget."""
    return budget * UNIT * SHARE[0] // SHARE[1]


def budget_for(need: int) -> int:
    """The smallest budget in which there is room for that."""
    return -(-need * SHARE[1] // (UNIT * SHARE[0]))
