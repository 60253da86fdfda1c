"""Centrality: where a reader spends the time who follows dependencies at random, and now and then begins anew.

That is PageRank. It is iterated in integers for a fixed number of rounds, because an order may not hang on how a
machine adds floats: what is divided is rounded down, and what is lost by that is the same everywhere.
"""

from __future__ import annotations

import numpy as np

from ccos_core.query.structure.graph import Graph

WHOLE = 10**15
"""All the reader's time."""
FOLLOWED = 85
"""Per cent of steps that follow a dependency."""
ROUNDS = 50
"""0.85 to the 50th is 0.0003: what is still to come changes no rank."""
MILLION = 10**6


def ranks(graph: Graph) -> list[int]:
    """Node → its part of `WHOLE`."""
    size = len(graph)
    if not size:
        return []
    degree = np.array([len(below) for below in graph.out], np.int64)
    above = np.array([each for nodes in graph.into for each in nodes], np.int64)
    sizes = np.array([len(nodes) for nodes in graph.into], np.int64)
    led_to = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[led_to]
    found = np.full(size, WHOLE // size, np.int64)
    for _ in range(ROUNDS if len(above) else 0):
        followed = found * FOLLOWED // 100
        ended = int(followed[degree == 0].sum())
        share = followed // np.maximum(degree, 1)
        found = np.full(size, (WHOLE - WHOLE * FOLLOWED // 100 + ended) // size, np.int64)
        found[led_to] += np.add.reduceat(share[above], starts)
    return [int(each) for each in found]


def millionths(rank: int) -> int:
    """A rank as people and JSON have it: parts per million."""
    return rank * MILLION // WHOLE
