"""The numbers a fold goes by, as the epoch in effect and what was retuned since say them.

An epoch that doesn't name a number (the first workspaces were made before there were any) means `DEFAULTS`, which for
that reason never change; the epochs written today name every one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ccos_core.ops.epoch import CAPS, TICKS, WEIGHTS

CAUSES = ("read", "edit", "engaged", "failure")
"""What heat comes from, in the order in which it is added up."""

LARGEST = 1 << 16
"""No weight, cap or tick counts for more."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that weighs."""

    ticks: Mapping[str, int]
    weights: Mapping[str, int]
    caps: Mapping[str, int]

    def retuned(self, weights: Mapping[str, int]) -> Rules:
        """Other weights from here on; those that aren't named stay."""
        return replace(self, weights={**self.weights, **_bounded(weights)})

    @property
    def half_life(self) -> int:
        """Ticks until heat is half of what it was."""
        return max(1, min(self.weights["half_life"], LONGEST_LIFE))

    def tick(self, kind: str, how: str = "") -> int:
        """How far an op moves the virtual clock."""
        return self.ticks.get(f"{kind}.{how}", self.ticks.get(kind, 0)) if how else self.ticks.get(kind, 0)


LONGEST_LIFE = 4_096
"""Ticks of a half-life, at most."""

INITIAL = Rules(TICKS, WEIGHTS, CAPS)
"""Before any epoch."""


def rules_of(epoch: Mapping[str, Any]) -> Rules:
    """The rules an epoch, as a plain op, sets."""
    return Rules(
        _bounded(epoch["ticks"]),
        {**WEIGHTS, **_bounded(epoch["weights"])},
        {**CAPS, **_bounded(epoch["caps"])},
    )


def _bounded(numbers: Mapping[str, int]) -> dict[str, int]:
    """As they are, but none below 0 and none so large that it could do harm."""
    return {name: min(max(value, 0), LARGEST) for name, value in numbers.items()}
