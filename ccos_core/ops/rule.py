"""Changes of the rules by which heat is weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ccos_core.ops.base import Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Retune(Op):
    """Other weights from here on, learned or chosen."""

    weights: Mapping[str, int]
    reason: str | None = None
