"""How much depends on a node when whatever depends on its dependents is counted too: exact, for a few nodes or all."""

from __future__ import annotations

from ccos_core.query.structure.components import condensed
from ccos_core.query.structure.graph import Graph

BLOCK = 4_096
"""Nodes followed at a time, a bit each: what bounds the memory."""


def dependents_of(graph: Graph, node: int) -> int:
    """How many others reach a node, by a walk from it."""
    seen = {node}
    waiting = [node]
    while waiting:
        for above in graph.into[waiting.pop()]:
            if above not in seen:
                seen.add(above)
                waiting.append(above)
    return len(seen) - 1


def dependents(graph: Graph) -> list[int]:
    """Node → how many others reach it; for all of them cheaper than their walks."""
    knots, into = condensed(graph)
    counts = [0] * len(knots)
    for first in range(0, len(graph), BLOCK):
        seen: list[int] = []
        for at, knot in enumerate(knots):
            bits = 0
            for node in knot:
                if first <= node < first + BLOCK:
                    bits |= 1 << (node - first)
            for before in into[at]:
                bits |= seen[before]
            seen.append(bits)
            counts[at] += bits.bit_count()
    found = [0] * len(graph)
    for at, knot in enumerate(knots):
        for node in knot:
            found[node] = counts[at] - 1
    return found


def dependencies(graph: Graph) -> list[int]:
    """Node → how many others it reaches."""
    return dependents(Graph(graph.into, graph.out))
