"""How a graph falls into parts: knots, islands and layers. The one file that asks networkx.

What networkx gives is a set or in an order of its own; everything that leaves here is a tuple in an order of ours.
"""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx  # type: ignore[import-untyped]

from ccos_core.query.structure.graph import Graph

Parts = tuple[tuple[int, ...], ...]


def knots(graph: Graph) -> Parts:
    """The sets of two or more nodes that all depend on each other, the one with the first node first."""
    return _sorted(part for part in nx.strongly_connected_components(_directed(graph)) if len(part) > 1)


def islands(graph: Graph) -> Parts:
    """The parts that have nothing to do with each other, single nodes included; the one with the first node first."""
    return _sorted(nx.weakly_connected_components(_directed(graph)))


def layers(graph: Graph) -> Parts:
    """The nodes by how much is below them: those of the first layer depend on nothing, those of each other one on
    something in the one before. What depends on each other lies in one layer."""
    found = nx.condensation(_directed(graph))
    members = found.nodes.data("members")
    return tuple(
        tuple(sorted(node for knot in generation for node in members[knot]))
        for generation in nx.topological_generations(found.reverse(copy=False))
    )


def condensed(graph: Graph) -> tuple[Parts, Parts]:
    """Every knot, single nodes included, dependents before what they depend on; and for each the ones that depend on
    it, by their places."""
    found = [tuple(sorted(part)) for part in nx.strongly_connected_components(_directed(graph))]
    found.reverse()  # they are found from below
    place = [0] * len(graph)
    for at, knot in enumerate(found):
        for node in knot:
            place[node] = at
    into = tuple(
        tuple(sorted({place[above] for node in knot for above in graph.into[node]} - {at}))
        for at, knot in enumerate(found)
    )
    assert all(above[-1] < at for at, above in enumerate(into) if above)
    return tuple(found), into


def _directed(graph: Graph) -> nx.DiGraph:
    made = nx.DiGraph()
    made.add_nodes_from(range(len(graph)))
    made.add_edges_from(graph.edges())
    return made


def _sorted(parts: Iterable[set[int]]) -> Parts:
    return tuple(sorted(tuple(sorted(part)) for part in parts))
