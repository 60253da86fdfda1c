"""Which nodes belong together: those with more between them than their numbers of ties would lead one to expect.

That is modularity, climbed by the moves of the Louvain method: each node goes where it gains most, then what came
together moves as one, until nothing gains. Networkx decides these moves by floats and a random order; here a gain is an
integer, nodes move in their order, and of equal gains the lowest neighbour's wins. So the same graph falls into the
same parts everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Weights = Sequence[Mapping[int, int]]
"""Node → neighbour → how much is between them, the same in both directions; to itself, twice what is inside of it."""

SWEEPS = 50
"""Times all nodes of a level may move; few are needed, and a bound costs nothing."""


def communities(weights: Weights) -> list[int]:
    """Node → the lowest node of its community."""
    of_node = list(range(len(weights)))
    while True:
        moved = _settled(weights)
        groups = sorted(set(moved))
        if len(groups) == len(weights):
            return _by_lowest(of_node)
        place = {group: at for at, group in enumerate(groups)}
        of_node = [place[moved[at]] for at in of_node]
        weights = _together(weights, [place[group] for group in moved], len(groups))


def _settled(weights: Weights) -> list[int]:
    """Each node's community when no node gains by going to a neighbour's any more."""
    degrees = [sum(ties.values()) for ties in weights]
    whole = sum(degrees)
    community = list(range(len(weights)))
    totals = degrees.copy()
    for _ in range(SWEEPS):
        restless = False
        for node, ties in enumerate(weights):
            own = community[node]
            totals[own] -= degrees[node]
            between: dict[int, int] = {own: 0}
            for to, weight in ties.items():
                if to != node:
                    between[community[to]] = between.get(community[to], 0) + weight
            gains = (
                (tie * whole - degrees[node] * totals[group], group == own, -group) for group, tie in between.items()
            )
            best = max(gains)
            community[node] = -best[2]
            totals[community[node]] += degrees[node]
            restless |= not best[1]
        if not restless:
            break
    return community


def _together(weights: Weights, group: Sequence[int], size: int) -> Weights:
    """The graph whose nodes are the groups."""
    found: list[dict[int, int]] = [{} for _ in range(size)]
    for node, ties in enumerate(weights):
        row = found[group[node]]
        for to, weight in ties.items():
            row[group[to]] = row.get(group[to], 0) + weight
    return found


def _by_lowest(community: Sequence[int]) -> list[int]:
    lowest: dict[int, int] = {}
    for node, group in enumerate(community):
        lowest.setdefault(group, node)
    return [lowest[group] for group in community]
