"""The op that pins everything a fold depends on, so that nothing ambient can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ccos_core.ops.base import Op
from ccos_core.ops.table import VOCABULARY

FORMAT = 1
"""The canonical bytes and the chain rule, as `docs/FORMAT.md` states them."""

WORK = ("failed", "passed", "prompt", "seen.edit", "seen.read", "seen.write", "tool")
"""What counts as work, as KIND or KIND.HOW. All else is bookkeeping: an ingest, a recall, a note moves no clock."""

TICKS: Mapping[str, int] = dict.fromkeys(WORK, 1)
"""How far each kind of work moves the virtual clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch(Op):
    """From here on, fold by these. The first op of every record is one."""

    format: int
    vocabulary: int
    interpreters: Mapping[str, int]
    """Versions of whatever turns contents into facts."""

    ticks: Mapping[str, int]
    weights: Mapping[str, int]
    caps: Mapping[str, int]
    """Bounds a fold respects."""


def current(at: int | None = None) -> Epoch:
    """The epoch this version of the program writes."""
    return Epoch(at=at, format=FORMAT, vocabulary=VOCABULARY, interpreters={}, ticks=TICKS, weights={}, caps={})
