"""The shortest circle and the best cut, held to trying everything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.structure import rings
from ccos_core.query.structure.components import knots
from ccos_core.query.structure.graph import Graph, graph
from ccos_core.query.structure.rings import best_cut, shortest_ring
from tests.core.query.structure.making import circles, edges_of, graphs


def knots_of() -> st.SearchStrategy[Graph]:
    """Graphs in which everything leads to everything."""
    return graphs(7).filter(lambda told: bool(knots(told))).map(lambda told: told.within(knots(told)[0]))


def steps(ring: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(ring, (*ring[1:], ring[0]), strict=True))


def test_a_ring_is_told_from_its_lowest_node_on() -> None:
    assert shortest_ring(graph(5, [(3, 1), (1, 4), (4, 0), (0, 2), (2, 3)])) == ((0, 2, 3, 1, 4), True)


def test_a_shorter_one_behind_a_fork_is_found() -> None:
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    assert shortest_ring(graph(5, [*ring, (3, 1)])) == ((1, 2, 3), True)
    assert shortest_ring(graph(5, [*ring, (4, 3)])) == ((3, 4), True)


def test_through_an_edge() -> None:
    told = graph(4, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 1)])
    assert shortest_ring(told, frozenset([(2, 3)])) == ((1, 2, 3), True)


def test_a_huge_ring_takes_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 20_000
    monkeypatch.setattr(rings, "PATIENCE", 2 * size)
    found, proven = shortest_ring(graph(size, [(node, (node + 1) % size) for node in range(size)]))
    assert (len(found), proven) == (size, True)


@pytest.mark.parametrize("patience", [0, 12])
def test_a_search_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch, patience: int) -> None:
    ring = [(node, (node + 1) % 9) for node in range(9)]
    monkeypatch.setattr(rings, "PATIENCE", patience)
    found, proven = shortest_ring(graph(9, [*ring, (0, 5), (8, 6)]))
    assert not proven
    assert set(steps(found)) <= {*ring, (0, 5), (8, 6)}


@given(knots_of())
@settings(deadline=None)
def test_none_is_shorter(told: Graph) -> None:
    found, proven = shortest_ring(told)
    assert proven
    assert found in set(circles(told))
    assert len(found) == min(map(len, circles(told)))


@given(told=knots_of(), data=st.data())
@settings(deadline=None)
def test_none_through_these_edges_is_shorter(told: Graph, data: st.DataObject) -> None:
    through = frozenset(data.draw(st.sets(st.sampled_from(edges_of(told)), min_size=1)))
    fitting = [ring for ring in circles(told) if through & set(steps(ring))]
    assert fitting
    found, proven = shortest_ring(told, through)
    assert proven
    assert found in fitting
    assert len(found) == min(map(len, fitting))


@given(told=knots_of(), costs=st.lists(st.integers(1, 3), min_size=49, max_size=49))
@settings(deadline=None)
def test_no_other_cut_of_the_ring_leaves_fewer(told: Graph, costs: list[int]) -> None:
    ring, _ = shortest_ring(told)

    def cost(edge: tuple[int, int]) -> int:
        return costs[edge[0] * 7 + edge[1]]

    def left(cut: tuple[int, int]) -> int:
        rest = graph(len(told), [edge for edge in edges_of(told) if edge != cut])
        return sum(map(len, knots(rest)))

    cut, stay = best_cut(told, ring, cost)
    assert cut in steps(ring)
    assert stay == left(cut)
    assert (stay, cost(cut), cut) == min((left(edge), cost(edge), edge) for edge in steps(ring))
