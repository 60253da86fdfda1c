"""How far a failure reaches: from where it was felt, along what that depends on, to where it may come from.

Each step passes on a share: less along a passing mention than along a call, less to what everything depends on (it is
seldom the cause, and says little), less where there is much to choose from. A node gets what reaches it by its best
way, so neither the number of ways nor their order matters. Steps and nodes are bounded by the epoch: a failure felt at
a file as a whole reaches what stands in the file, and of all else fewer nodes than one that is felt at a symbol.

A failure of a method reaches its class only as a *container*: from there it goes on to what the class itself and its
constructors depend on, not to what its other methods depend on. A class is reached as a whole where something uses it
and names no member of it but its constructors.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from ccos_core.state.graph import Graph
from ccos_core.state.rules import Rules
from ccos_core.state.spreads import Starts
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting

TYPES = frozenset({"class", "struct", "type", "enum", "union", "interface", "trait"})
BEHAVIOUR = TYPES | {"function", "method"}
"""Kinds of members that a container doesn't speak for. All others are its data."""
WHOLE = 1 << 16
"""The strength a failure has where it is felt."""
LEAST = 1 << 4
"""A strength too small to go on."""

CONSTRUCTORS = frozenset(
    {
        "__init__",
        "__new__",
        "__post_init__",
        "setUp",
        "asyncSetUp",
        "setUpClass",
        "setup_method",
        "constructor",
        "new",
        "default",
        "from",
    }
)
"""Methods that run before any other of their class: in Python, in its test classes, in ECMAScript, in Rust."""

Place = tuple[str, int]
"""A file and one of its symbols, or MODULE for the file. A symbol reached as a container has another place than the
same symbol reached as a whole: see `_as_container`."""
Entry = tuple[int, int, str, Place]
"""What waits for its turn: the strongest first, then what came with the fewest steps; strengths are negative."""


class Ways(NamedTuple):
    """Where a failure may go on to from a place, as far as that doesn't change with others' files."""

    further: list[tuple[Place, str, int]]
    """What it depends on, by the share that goes along such a use, ..."""
    parts: int
    """... in these parts: the more there is to choose from, the less it says."""
    near: list[tuple[Place, str, int, int, int]]
    """What stands in it, where it is a file; else what contains it, or what makes it, both as containers. A share, in
    which parts, and the steps that takes."""
    paths: tuple[str, ...]
    """Its file, and those it leads to."""


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
    """The strengths, and the files that they rest on. This goes round a hundred times for each failure, so all of it
    stands here, and looks up by itself what is known already. What is passed on is a share, whatever the weights."""
    reach, most, degrees, ways_of = rules.caps["reach"], rules.caps["hops"], graph.degrees, graph.ways
    whole = starts[0][0][0] if starts and starts[0][0][1] == MODULE else ""
    elsewhere = rules.caps["symbols"] if whole else reach
    waiting: list[Entry] = [(-strength, 0, _node(graph, place), place) for place, strength in starts]
    heapify(waiting)
    found: dict[str, int] = {}
    fewest: dict[Place, int] = {}
    paths: list[tuple[str, ...]] = []
    while waiting and len(found) < reach:
        negative, hops, node, place = heappop(waiting)
        path, symbol = place
        if (place in fewest and fewest[place] <= hops) or (not elsewhere and path != whole and node not in found):
            continue  # it was here before, more strongly and with as far to go; or stronger nodes took all the room
        strength = -negative
        if node not in found:
            found[node] = strength
            elsewhere -= path != whole
        fewest[place] = hops
        try:
            ways: Ways = ways_of[path][symbol]
        except KeyError:
            ways = ways_of.setdefault(path, {})[symbol] = _found_ways(graph, rules, place)
        further, parts, near, through = ways
        paths.append(through)
        far = hops + 1
        if further and far <= most:
            for target, name, share in further:
                if target not in fewest or fewest[target] > far:
                    given = strength * share // (parts * (4 + degrees.get(name, 0).bit_length()))
                    if given >= LEAST:
                        heappush(waiting, (-given if given < strength else negative, far, name, target))
        for target, name, share, parts, more in near:
            far = hops + more
            if (target not in fewest or fewest[target] > far) and (far <= most or not more):
                given = strength * share // parts
                if given >= LEAST:
                    heappush(waiting, (-given if given < strength else negative, far, name, target))
    return found, paths


def _found_ways(graph: Graph, rules: Rules, place: Place) -> Ways:
    path, symbol = place
    nesting = graph.files[path]
    contains = symbol < MODULE
    symbol = _as_container(symbol) if contains else symbol
    links = _links_of_container(graph, nesting, symbol) if contains else graph.depends(path, symbol)
    shares = _shares(graph, rules, links, _coarse(graph, nesting, symbol, links, contains))
    for itself in (symbol, _as_container(symbol)):
        shares.pop((path, itself), None)
    wide = len(shares).bit_length()
    if symbol == MODULE:
        inward = rules.weights["spread.file"], (1 + wide) * 256, 1
        near = [((path, member), nesting.names[member], *inward) for member in nesting.members[MODULE]]
    else:
        outer = nesting.parents[symbol]  # what a method reads of itself, another one has put there, ...
        around = rules.weights["spread.around"], 256, 0
        beside = [outer] if outer != MODULE else _makers(nesting, symbol)
        near = [((path, _as_container(each)), nesting.names[each], *around) for each in beside]
    further = [(target, _node(graph, target), share) for target, share in shares.items()]
    paths = tuple(dict.fromkeys([path, *[target for target, _ in shares]]))
    return Ways(further, (16 + wide) * 256, near, paths)


def _as_container(symbol: int) -> int:
    """Return what stands for a symbol as a container in a place, and the symbol where that is given."""
    return MODULE - 1 - symbol


def _shares(graph: Graph, rules: Rules, links: Iterable[Link], coarse: Container[Place]) -> dict[Place, int]:
    """Return the share that goes along the strongest use of each place; `coarse` ones are used as containers."""
    shares: dict[Place, int] = {}
    weights: dict[str, int] = {}
    for _, target, role, _, _ in links:
        if target[0] not in graph.files:
            continue
        if role not in weights:
            weights[role] = max(rules.weights.get(f"spread.{role}", 0), 0) * 64
        used = (target[0], _as_container(target[1])) if target in coarse else target
        if shares.get(used, -1) < weights[role]:
            shares[used] = weights[role]
    return shares


def _links_of_container(graph: Graph, nesting: Nesting, symbol: int) -> list[Link]:
    """Return what a symbol itself, the data in it and its constructors depend on."""
    symbols = nesting.outline.symbols
    owners = {symbol}
    for member in nesting.members.get(symbol, ()):
        if _is_constructor(nesting, member):
            owners |= nesting.inside(member)
        elif symbols[member].kind not in BEHAVIOUR:
            owners.add(member)
    return [link for link in graph.depends(nesting.path, symbol) if link.owner in owners]


def _is_constructor(nesting: Nesting, symbol: int) -> bool:
    return nesting.outline.symbols[symbol].name.rpartition(".")[2] in CONSTRUCTORS


def _coarse(graph: Graph, nesting: Nesting, symbol: int, links: Iterable[Link], contains: bool) -> set[Place]:
    """Return the places that a symbol's links touch as containers: what it stands in, and what it names a member of
    that is no constructor. As a container itself, also the bases of a class, and the types a function makes."""
    path, found = nesting.path, set[Place]()
    for _, (there, at), role, _, _ in links:
        if there not in graph.files or at == MODULE:
            continue
        if contains and (role == "base" or (there == path and symbol in (at, *_makers(nesting, at)))):
            found.add((there, at))
        if not _is_constructor(graph.files[there], at):  # what makes one may use all of it
            found.update((there, each) for each in graph.files[there].around(at))
    found.update((path, each) for each in nesting.around(symbol))
    return found


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
    return graph.files[path].node(symbol if symbol >= MODULE else _as_container(symbol))
