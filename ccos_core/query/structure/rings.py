"""The shortest circle of a graph in which every node leads to every other one, and the edge worth taking out of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from ccos_core.query.structure.components import knots
from ccos_core.query.structure.graph import Graph, graph

Edge = tuple[int, int]
Ring = tuple[int, ...]

PATIENCE = 3_000_000
"""Edges looked at in search of the shortest circle; then the shortest so far will have to do."""
CUTS = 32
"""Edges of a circle that are tried out, the cheapest first."""


def shortest_ring(knot: Graph, through: frozenset[Edge] = frozenset()) -> tuple[Ring, bool]:
    """One of the shortest circles (through one of these edges, if there are any), from its lowest node on; and whether
    it is certain that none is shorter. Of several it is the first that is found from the lowest node."""
    search = _Search(knot)
    best: Ring = ()
    for start, first in _starts(knot, through):
        found = search.ring(start, first, len(best) or len(knot) + 1)
        best = found or best
        if len(best) == 2 or search.left < 0:
            break
    lowest = best.index(min(best))
    return best[lowest:] + best[:lowest], len(best) == 2 or search.left >= 0


def best_cut(knot: Graph, ring: Ring, cost: Callable[[Edge], int]) -> tuple[Edge, int]:
    """The edge of a circle without which the fewest nodes stay in circles, of several the cheapest; and how many
    stay."""
    edges = sorted(zip(ring, (*ring[1:], ring[0]), strict=True), key=lambda edge: (cost(edge), edge))
    best, fewest = edges[0], len(knot) + 1
    for edge in edges[:CUTS]:
        left = sum(map(len, knots(_without(knot, edge))))
        if left < fewest:
            best, fewest = edge, left
        if not left:
            break
    return best, fewest


def _starts(knot: Graph, through: frozenset[Edge]) -> list[tuple[int, Sequence[int]]]:
    """Where to begin, and with which steps. A circle that meets no fork is all of its knot, so forks are enough."""
    if through:
        steps: dict[int, list[int]] = {}
        for start, end in sorted(through):
            steps.setdefault(start, []).append(end)
        return list(steps.items())
    forks = [(node, below) for node, below in enumerate(knot.out) if len(below) > 1]
    return list(forks) or [(0, knot.out[0])]


def _without(knot: Graph, edge: Edge) -> Graph:
    return graph(len(knot), (each for each in knot.edges() if each != edge))


class _Search:
    """A search that ends."""

    def __init__(self, knot: Graph) -> None:
        self.knot = knot
        self.left = PATIENCE

    def ring(self, start: int, first: Sequence[int], shorter_than: int) -> Ring:
        """The shortest way from a node back to it that begins with one of these steps; empty where none is so
        short."""
        came = dict.fromkeys(first, start)
        waiting = deque((node, 2) for node in first)
        while waiting:
            node, length = waiting.popleft()  # of the circle, if it closes from here
            if length >= shorter_than or (self.left < 0 and shorter_than <= len(self.knot)):
                break  # the first one is always searched for to its end
            self.left -= len(self.knot.out[node])
            for to in self.knot.out[node]:
                if to == start:
                    return _way(came, node, start)
                if to not in came:
                    came[to] = node
                    waiting.append((to, length + 1))
        return ()


def _way(came: dict[int, int], node: int, start: int) -> Ring:
    way = [node]
    while way[-1] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))
