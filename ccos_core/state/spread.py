"""How far a failure reaches: from where it was felt, along what that depends on, to where it may come from.

Each step passes on a share: less along a passing mention than along a call, less to what everything depends on (it is
seldom the cause, and says little), less where there is much to choose from. A node gets what reaches it by its best
way, so neither the number of ways nor their order matters. Steps and nodes are bounded by the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from ccos_core.state.graph import Graph
from ccos_core.state.rules import Rules
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting

TYPES = frozenset({"class", "struct", "type", "enum", "union", "interface", "trait"})
WHOLE = 1 << 16
"""The strength a failure has where it is felt."""
LEAST = 1 << 4
"""A strength too small to go on."""

Place = tuple[str, int]
"""A file and one of its symbols, or MODULE for the file."""


def spread(graph: Graph, rules: Rules, starts: Iterable[tuple[Place, int]]) -> dict[str, int]:
    """Node → the strength that reaches it from where it starts, the strongest first."""
    waiting: list[tuple[int, int, str, Place]] = []
    for place, strength in starts:
        heappush(waiting, (-strength, 0, _node(graph, place), place))
    found: dict[str, int] = {}
    fewest: dict[str, int] = {}
    while waiting and len(found) < rules.caps["reach"]:
        negative, hops, node, place = heappop(waiting)
        if fewest.get(node, hops + 1) <= hops:
            continue  # it was here before, more strongly and with as far to go
        found.setdefault(node, -negative)
        fewest[node] = hops
        for target, strength, further in _onward(graph, rules, place, -negative):
            strength = min(strength, -negative)  # a share, whatever the weights
            if strength >= LEAST and hops + further <= rules.caps["hops"]:
                heappush(waiting, (-strength, hops + further, _node(graph, target), target))
    return found


def _onward(graph: Graph, rules: Rules, place: Place, strength: int) -> Iterator[tuple[Place, int, int]]:
    """(place, strength that goes on to it, dependencies that takes) of everything next to a place."""
    path, symbol = place
    shares: dict[Place, int] = {}
    for link in graph.depends(path, symbol):
        target = (link.target.path, link.target.symbol)
        if target != place and link.target.path in graph.files:
            shares[target] = max(shares.get(target, 0), rules.weights.get(f"spread.{link.role}", 0))
    wide = len(shares).bit_length()
    for target, share in shares.items():
        common = graph.degrees.get(_node(graph, target), 0).bit_length()
        yield target, strength * share * 64 // ((16 + wide) * (4 + common) * 256), 1
    nesting = graph.files[path]
    if symbol == MODULE:
        for member in nesting.members[MODULE]:
            yield (path, member), strength * rules.weights["spread.file"] // ((1 + wide) * 256), 1
        return
    outer = nesting.parents[symbol]  # what a method reads of itself, another one has put there, ...
    beside = [outer] if outer != MODULE else _makers(nesting, symbol)
    for each in beside:
        yield (path, each), strength * rules.weights["spread.around"] >> 8, 0


def _makers(nesting: Nesting, symbol: int) -> list[int]:
    """... or where types have no constructors of their own, a function beside it that is called after it."""
    told = nesting.outline.symbols[symbol]
    if told.kind not in TYPES:
        return []
    name = _plain(told.name)
    return [
        at
        for at in nesting.members[MODULE]
        if nesting.outline.symbols[at].kind == "function" and name in _plain(nesting.outline.symbols[at].name)
    ]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _node(graph: Graph, place: Place) -> str:
    path, symbol = place
    return graph.files[path].node(symbol)
