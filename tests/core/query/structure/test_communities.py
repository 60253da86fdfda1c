"""Communities: what belongs together is together, whatever it is called, and no worse than everyone for themselves."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from hypothesis import given, settings

from ccos_core.query.structure.communities import Weights, communities
from ccos_core.query.structure.graph import Graph
from tests.core.query.structure.making import edges_of, graphs


def ties(size: int, edges: Sequence[tuple[int, int]], weight: int = 1) -> list[dict[int, int]]:
    found: list[dict[int, int]] = [{} for _ in range(size)]
    for start, end in edges:
        for node, to in ((start, end), (end, start)):
            found[node][to] = found[node].get(to, 0) + weight
    return found


def modularity(weights: Weights, of: Sequence[int]) -> Fraction:
    """As it is defined, exactly."""
    degrees = [sum(each.values()) for each in weights]
    whole = sum(degrees)
    pairs = [(a, b) for a in range(len(of)) for b in range(len(of)) if of[a] == of[b]]
    return sum((weights[a].get(b, 0) - Fraction(degrees[a] * degrees[b], whole) for a, b in pairs), Fraction(0))


def test_two_circles_of_friends_and_an_acquaintance() -> None:
    left, right = (0, 2, 4, 6), (1, 3, 5, 7)
    edges = [*combinations(left, 2), *combinations(right, 2), (6, 1)]
    assert communities(ties(8, edges)) == [0, 1] * 4


def test_a_ring_of_cliques_is_found_in_several_rounds() -> None:
    """Ten groups of four, each tied to the next one by one tie."""
    edges = [pair for group in range(10) for pair in combinations(range(4 * group, 4 * group + 4), 2)]
    edges += [(4 * group, (4 * group + 5) % 40) for group in range(10)]
    assert communities(ties(40, edges)) == [node // 4 * 4 for node in range(40)]


def test_heavy_ties_hold_and_light_ones_do_not() -> None:
    weights = ties(4, [(0, 1), (2, 3)], weight=9)
    for node, to in ((1, 2), (2, 1)):
        weights[node][to] = 1
    assert communities(weights) == [0, 0, 2, 2]


def test_without_ties_everyone_is_alone() -> None:
    assert communities([]) == []
    assert communities([{}, {}, {}]) == [0, 1, 2]


@given(graphs(12))
@settings(deadline=None)
def test_it_gains_and_every_community_is_named_by_its_lowest_node(told: Graph) -> None:
    weights = ties(len(told), edges_of(told))
    found = communities(weights)
    assert all(group <= node and found[group] == group for node, group in enumerate(found))
    if edges_of(told):
        assert modularity(weights, found) >= modularity(weights, range(len(told)))
    for node, each in enumerate(weights):
        tied = {found[to] for to in each}
        assert not each or found[node] in tied  # whoever has a tie is with one of those
