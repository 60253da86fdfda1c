"""Knots, islands and layers, held to what a slow and plain look at small graphs says."""

from hypothesis import given, settings

from ccos_core.query.structure.components import condensed, islands, knots, layers
from ccos_core.query.structure.graph import Graph, graph
from tests.core.query.structure.making import edges_of, graphs, reached

TWO_RINGS = graph(6, [(4, 1), (1, 4), (0, 2), (2, 5), (5, 0), (5, 1), (3, 3)])


def test_knots_islands_and_layers_of_two_rings() -> None:
    assert knots(TWO_RINGS) == ((0, 2, 5), (1, 4))
    assert islands(TWO_RINGS) == ((0, 1, 2, 4, 5), (3,))
    assert layers(TWO_RINGS) == ((1, 3, 4), (0, 2, 5))


def test_nothing_has_no_parts() -> None:
    empty = graph(0, [])
    assert (knots(empty), islands(empty), layers(empty), condensed(empty)) == ((), (), (), ((), ()))


@given(graphs())
@settings(deadline=None)
def test_a_knot_is_what_leads_to_each_other(told: Graph) -> None:
    leads = [reached(told, node) for node in range(len(told))]
    together = {
        tuple(other for other in range(len(told)) if other == node or (other in leads[node] and node in leads[other]))
        for node in range(len(told))
    }
    assert knots(told) == tuple(sorted(part for part in together if len(part) > 1))


@given(graphs())
@settings(deadline=None)
def test_an_island_is_what_is_tied(told: Graph) -> None:
    both = graph(len(told), [pair for start, end in edges_of(told) for pair in ((start, end), (end, start))])
    tied = {tuple(sorted(reached(both, node) | {node})) for node in range(len(told))}
    assert islands(told) == tuple(sorted(tied))


@given(graphs())
@settings(deadline=None)
def test_a_layer_is_the_longest_way_down(told: Graph) -> None:
    leads = [reached(told, node) for node in range(len(told))]

    def depth(node: int) -> int:
        below = [to for to in leads[node] if node not in leads[to] and to != node]
        return max((depth(to) + 1 for to in below), default=0)

    found = layers(told)
    assert [node for layer in found for node in sorted(layer)] == [node for layer in found for node in layer]
    assert {node: at for at, layer in enumerate(found) for node in layer} == {
        node: depth(node) for node in range(len(told))
    }


@given(graphs())
@settings(deadline=None)
def test_the_condensed_graph_has_dependents_first(told: Graph) -> None:
    parts, above = condensed(told)
    assert sorted(node for part in parts for node in part) == list(range(len(told)))
    place = {node: at for at, part in enumerate(parts) for node in part}
    edges = {(place[start], place[end]) for start, end in edges_of(told) if place[start] != place[end]}
    assert edges == {(before, at) for at, befores in enumerate(above) for before in befores}
    assert all(before < at for before, at in edges)
