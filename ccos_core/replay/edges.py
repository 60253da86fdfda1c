"""The edges of the graph at a step, node by node, both ways: looked up where a question goes, a ring at a time.

A row of the journal says how often a node used another from a step on; the last one says whether it does. So a ring
costs one look at the rows, and who asks about a corner of the graph doesn't pay for all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal


class Uses(NamedTuple):
    """One node uses another, by their numbers."""

    owner: int
    target: int
    roles: dict[str, int]
    """Role → how often."""


class Edges:
    """Who depends on whom at a step."""

    def __init__(self, journal: Journal, step: int) -> None:
        self.journal = journal
        self._upto = journal.uses.upto(step)

    def of(self, owners: Iterable[int]) -> list[Uses]:
        """What these nodes depend on."""
        return self._found("owner", owners)

    def on(self, targets: Iterable[int]) -> list[Uses]:
        """What depends on these nodes."""
        return self._found("target", targets)

    def _found(self, end: str, numbers: Iterable[int]) -> list[Uses]:
        rows = self.journal.among(self.journal.uses[end][: self._upto], list(numbers))
        found: dict[tuple[int, int], dict[str, int]] = {}
        for owner, target, role, count in holding(self.journal, rows):
            found.setdefault((owner, target), {})[self.journal.name(role)] = count
        return [Uses(owner, target, roles) for (owner, target), roles in found.items()]


def holding(journal: Journal, rows: Numbers) -> list[tuple[int, int, int, int]]:
    """(owner, target, role, count) of what holds by these rows of uses: by what was told last of each."""
    uses = journal.uses
    owners, targets, roles, counts = (uses[name][rows].tolist() for name in ("owner", "target", "role", "count"))
    last = dict(zip(zip(owners, targets, roles, strict=True), counts, strict=True))
    return [(*key, count) for key, count in last.items() if count]
