"""Changes of the rules by which heat is weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ccos_core.ops.base import Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Retune(Op):
    """The weights change from here on."""

    weights: Mapping[str, int]
    reason: str | None = None
