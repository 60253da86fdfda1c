"""What a run was for: a change right before a run of one failing test was meant for that test."""

from __future__ import annotations

import re

from ccos_core.query.autopsy.deeds import Deeds

SHORTEST = 6
"""Letters of a name that isn't in a command by chance."""
PARTS = re.compile(r"::|[.>/ ]+")


def is_aimed(deeds: Deeds, step: int, names: list[str]) -> bool:
    """Whether the command that was run at a step names one of these failures."""
    command = deeds.command(step)
    return any(len(name) >= SHORTEST and name in command for name in map(_own_name, names))


def _own_name(name: str) -> str:
    """What a test itself is called: `refund` of `tests/test_cart.py::TestCart::refund`; of a sentence its end."""
    if " > " in name:
        return name.rpartition(" > ")[2]
    return PARTS.split(name.partition("[")[0])[-1]
