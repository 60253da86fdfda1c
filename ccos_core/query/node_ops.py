"""Which ops speak of a node: read from the record once and kept with its journal, as far as a question needed them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

Ops: TypeAlias = "Sequence[tuple[int, Plain]]"
"""(step, op) in the order of the steps."""
OpsByNode: TypeAlias = "dict[str, list[tuple[int, Plain]]]"


class NodeOps:
    """The ops of some kinds by node; `read` gives the (node, op) pairs of one."""

    def __init__(self, kinds: Collection[str], read: Callable[[Timeline, Plain], Iterable[tuple[str, Plain]]]) -> None:
        self._codes = [KIND_CODES[kind] for kind in kinds]
        self._read = read
        self._upto = 0
        self._ops: OpsByNode = {}

    def until(self, timeline: Timeline, at: int) -> OpsByNode:
        """Return node → ops up to a step, and for some until later. Steps behind it aren't read, so damage there
        doesn't matter."""
        for row in np.flatnonzero(np.isin(timeline.journal.steps["kind"][self._upto : at], self._codes)) + self._upto:
            step = int(row) + 1
            for node, op in self._read(timeline, timeline.op(step)):
                self._ops.setdefault(node, []).append((step, op))
            self._upto = step
        self._upto = max(self._upto, min(at, timeline.journal.head))
        return self._ops

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Read later steps anew."""
        self._upto = min(self._upto, sizes["steps"])
        kept = {node: [each for each in ops if each[0] <= self._upto] for node, ops in self._ops.items()}
        self._ops = {node: ops for node, ops in kept.items() if ops}
