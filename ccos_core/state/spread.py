"""How far a failure reaches: from where it was felt, along what that depends on, to where it may come from.

Each step passes on a share: less along a passing mention than along a call, less to what everything depends on (it is
seldom the cause, and says little), less where there is much to choose from. A node gets what reaches it by its best
way, so neither the number of ways nor their order matters. Steps and nodes are bounded by the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from ccos_core.state.graph import Graph
from ccos_core.state.rules import Rules
from ccos_core.state.spreads import Starts
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting

TYPES = frozenset({"class", "struct", "type", "enum", "union", "interface", "trait"})
WHOLE = 1 << 16
"""The strength a failure has where it is felt."""
NEVER = 1 << 30
"""Steps to where nobody has been."""
LEAST = 1 << 4
"""A strength too small to go on."""

Place = tuple[str, int]
"""A file and one of its symbols, or MODULE for the file."""
Named = tuple[Place, str]
"""A place and its node."""
Entry = tuple[int, int, str, Place]
"""What waits for its turn: the strongest first, then what came with the fewest steps; strengths are negative."""


class Ways(NamedTuple):
    """Where a failure may go on to from a place, as far as that doesn't change with others' files."""

    further: list[tuple[Place, str, int]]
    """What it depends on, by the share that goes along such a use, in parts of 64."""
    wide: int
    """How much there is to choose from."""
    inner: list[Named]
    """What stands in it, where it is a file."""
    beside: list[Named]
    """What it is a part of, or what makes it."""
    paths: tuple[str, ...]
    """Its file, and those it leads to."""


class Measures(NamedTuple):
    """What bounds a spread, besides how many it reaches."""

    hops: int
    inward: int
    """What a file passes on to what stands in it, in parts of 256."""
    around: int
    """What a part passes on to what it is a part of."""


def spread(graph: Graph, rules: Rules, starts: Iterable[tuple[Place, int]]) -> Mapping[str, int]:
    """Node → the strength that reaches it from where it starts, the strongest first. The same object for as long as
    the graph and the rules are what they are."""
    if not graph.spreads.are_by(rules):
        graph.ways.clear()
    starts = tuple(starts)
    known = graph.spreads.find(starts)
    if known is None:
        known, paths = _spread(graph, rules, starts)
        graph.spreads.keep(starts, known, paths)
    return known


def _spread(graph: Graph, rules: Rules, starts: Starts) -> tuple[dict[str, int], list[tuple[str, ...]]]:
    """The strengths, and the files that they rest on. This goes round a hundred times for each failure, so it looks up
    by itself what is known already."""
    reach, degrees, ways_of = rules.caps["reach"], graph.degrees, graph.ways
    measures = Measures(rules.caps["hops"], rules.weights["spread.file"], rules.weights["spread.around"])
    waiting: list[Entry] = []
    for place, strength in starts:
        heappush(waiting, (-strength, 0, _node(graph, place), place))
    found: dict[str, int] = {}
    fewest: dict[str, int] = {}
    paths: list[tuple[str, ...]] = []
    while waiting and len(found) < reach:
        negative, hops, node, place = heappop(waiting)
        if fewest.get(node, NEVER) <= hops:
            continue  # it was here before, more strongly and with as far to go
        found.setdefault(node, -negative)
        fewest[node] = hops
        path, symbol = place
        try:
            ways: Ways = ways_of[path][symbol]
        except KeyError:
            ways = ways_of.setdefault(path, {})[symbol] = _found_ways(graph, rules, place)
        paths.append(ways.paths)
        for entry in _onward(ways, measures, degrees, -negative, hops, fewest):
            heappush(waiting, entry)
    return found, paths


def _onward(
    ways: Ways, measures: Measures, degrees: Mapping[str, int], strength: int, hops: int, fewest: Mapping[str, int]
) -> list[Entry]:
    """Everything next to a place that a failure may reach with fewer steps than before, as it waits for its turn. It
    gets a share, whatever the weights."""
    found: list[Entry] = []
    further, wide, inner, beside, _ = ways
    most, inward, around = measures
    far = hops + 1
    if far <= most and further:
        parts = (16 + wide) * 256
        for target, name, share in further:
            if fewest.get(name, NEVER) > far:
                given = strength * share // (parts * (4 + degrees.get(name, 0).bit_length()))
                if given >= LEAST:
                    found.append((-min(given, strength), far, name, target))
    if far <= most and inner:
        given = strength * inward // ((1 + wide) * 256)
        if given >= LEAST:
            given = min(given, strength)
            found += [(-given, far, name, target) for target, name in inner if fewest.get(name, NEVER) > far]
    if beside and (given := strength * around >> 8) >= LEAST:
        given = min(given, strength)
        found += [(-given, hops, name, target) for target, name in beside if fewest.get(name, NEVER) > hops]
    return found


def _found_ways(graph: Graph, rules: Rules, place: Place) -> Ways:
    path, symbol = place
    shares: dict[Place, int] = {}
    weights: dict[str, int] = {}
    for _, target, role, _, _ in graph.depends(path, symbol):
        if target == place or target[0] not in graph.files:
            continue
        if role not in weights:
            weights[role] = rules.weights.get(f"spread.{role}", 0)
        shares[target] = max(shares.get(target, 0), weights[role])
    nesting = graph.files[path]
    inner: list[Place] = []
    beside: list[Place] = []
    if symbol == MODULE:
        inner = [(path, member) for member in nesting.members[MODULE]]
    else:
        outer = nesting.parents[symbol]  # what a method reads of itself, another one has put there, ...
        beside = [(path, each) for each in ([outer] if outer != MODULE else _makers(nesting, symbol))]
    return Ways(
        [(target, _node(graph, target), share * 64) for target, share in shares.items()],
        len(shares).bit_length(),
        [(each, _node(graph, each)) for each in inner],
        [(each, _node(graph, each)) for each in beside],
        tuple(dict.fromkeys([path, *[target for target, _ in shares]])),
    )


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
