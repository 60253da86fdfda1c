"""The edges of the graph at a step, both ways, and who depends on whom through others, ring by ring.

A row of the journal says how often a node used another from a step on; the last one says whether it does. A ring costs
one look at the rows. A node depends on what anything inside it depends on; on the way a file stands only for what is
outside its symbols, or every importer would depend on everything. Whoever uses a type may use all of it, so going back
a type comes behind each of its members. Insides are told by names; of several types of one name in a file the first
stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.values.ids import file_node, path_of
from ccos_core.window.around import MOST_USES, WEIGHTS


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


INSIDE = "contains"
"""The role in which a type depends on its members."""
WEAKEST = 1
"""How strong a role is that has no weight, and that of containing."""

Roles = Mapping[str, int]
"""Role → how often."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A node on a way."""

    node: str
    hops: int
    strength: int
    """That of the weakest dependency on the way, ..."""

    own: int
    """... and that of the last one."""

    roles: Roles
    """Those of the last one."""

    before: Reached | None
    """Where the way comes from; none for those next to where it begins."""


class Dependence:
    """The graph around a node at a step, as far as somebody asks."""

    def __init__(self, journal: Journal, step: int, node: str, inside: Iterable[str], widest: int) -> None:
        self.journal = journal
        self.node = node
        self.group = dict.fromkeys((node, *inside))
        """The node with all that is inside of it."""
        self.widest = widest
        """How many nodes may be reached; behind a ring with which it is more there is no further one."""
        self.cut = False
        """Whether that kept a ring away."""
        self._edges = Edges(journal, step)
        self._there = _there(journal, step)

    def of(self, hops: int) -> list[Reached]:
        """What it depends on, ring by ring, in each the strongest first."""
        return self._rings(hops, self._onward)

    def on(self, hops: int) -> list[Reached]:
        """What depends on it."""
        return self._rings(hops, self._backward)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _rings(self, hops: int, further: Callable[[Sequence[str]], Ways]) -> list[Reached]:
        found: dict[str, Reached] = {}
        ring: list[str] = [self.node]
        for hop in range(1, hops + 1):
            if len(found) > self.widest:
                self.cut = True
                break
            reached: dict[str, Reached] = {}
            for (node, to), roles in sorted(further(ring).items()):
                if to not in found and to not in self.group:
                    way = _way(found.get(node), to, hop, roles)
                    if to not in reached or way.strength > reached[to].strength:
                        reached[to] = way
            ring = sorted(reached, key=lambda node: (-reached[node].strength, node))
            found.update((node, reached[node]) for node in ring)
        return list(found.values())

    def _onward(self, ring: Sequence[str]) -> Ways:
        """(node of the ring, what it or anything inside of it depends on) → roles."""
        holders = self._holders(ring)
        found: Ways = {}
        for use in self._edges.of(holders):
            if self._there[use.target]:
                for node in holders[use.owner]:
                    _put(found, node, self.journal.name(use.target), use.roles)
        return found

    def _backward(self, ring: Sequence[str]) -> Ways:
        """(node of the ring, what depends on it by itself or by anything inside) → roles."""
        id_, name = self.journal.id, self.journal.name
        targets = {id_(each): node for node in ring for each in (self.group if node == self.node else (node,))}
        found: Ways = {}
        for use in self._edges.on(number for number in targets if number >= 0):
            owner = name(use.owner)
            for each in (owner, *self._types(owner)):
                _put(found, targets[use.target], each, use.roles)
        for node in ring:
            for each in self._types(node)[:1]:
                _put(found, node, each, {INSIDE: 1})
        return found

    def _holders(self, ring: Sequence[str]) -> dict[int, list[str]]:
        """Number of a node that depends on something itself → those of the ring that stand for it."""
        journal, found = self.journal, dict[int, list[str]]()
        for node in ring:
            for each in self.group if node == self.node else (node,):
                if (number := journal.id(each)) >= 0:
                    found.setdefault(number, []).append(node)
        wanted = {node for node in ring if node.startswith("sym:") and node != self.node}
        files = np.zeros(len(journal.names), bool)
        files[[journal.id(file_node(path_of(node) or "")) for node in sorted(wanted)]] = True
        for owner in np.unique(journal.uses["owner"][files[journal.uses["file"]]]).tolist():
            holding = [each for each in outers(journal.name(owner)) if each in wanted]
            found.setdefault(owner, []).extend(holding)
        return found

    def _types(self, node: str) -> list[str]:
        """What a node is a member of, the innermost first."""
        numbers = ((outer, self.journal.id(outer)) for outer in outers(node))
        return [outer for outer, number in numbers if number >= 0 and self._there[number]]


Ways = dict[tuple[str, str], dict[str, int]]
"""(node, the next one) → roles, how often."""


def strength(roles: Roles) -> int:
    """How strong a dependency is: each role by its weight, and how often, of which no more than a few count."""
    return sum(WEIGHTS.get(role, WEAKEST) * min(count, MOST_USES) for role, count in roles.items())


def outers(node: str) -> list[str]:
    """The names of what a symbol may stand inside of, the innermost first."""
    head, mark, name = node.partition("#")
    if not mark or not node.startswith("sym:"):
        return []
    parts = name.split(".")
    return [f"{head}#{'.'.join(parts[:end])}" for end in range(len(parts) - 1, 0, -1)]


def _way(before: Reached | None, node: str, hops: int, roles: Roles) -> Reached:
    own = strength(roles)
    return Reached(node, hops, min(own, before.strength) if before is not None else own, own, roles, before)


def _put(ways: Ways, node: str, to: str, roles: Roles) -> None:
    known = ways.setdefault((node, to), {})
    for role, count in roles.items():
        known[role] = known.get(role, 0) + count


def _there(journal: Journal, step: int) -> Numbers:
    """Number of a node → whether it is in the graph at the end of a step's moment."""
    upto = journal.there.upto(step)
    found = np.zeros(len(journal.names), bool)
    found[journal.there["node"][:upto]] = journal.there["there"][:upto] == 1
    return found
