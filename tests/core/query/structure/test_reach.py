"""Dependents of dependents are counted once each, in a circle and out of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.structure import reach
from ccos_core.query.structure.graph import Graph, graph
from ccos_core.query.structure.reach import dependencies, dependents, dependents_of
from tests.core.query.structure.making import graphs, reached


def test_a_diamond_counts_its_top_once() -> None:
    diamond = graph(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    assert dependents(diamond) == [0, 1, 1, 3]
    assert dependencies(diamond) == [3, 1, 1, 0]


def test_in_a_circle_everyone_depends_on_everyone_else() -> None:
    assert dependents(graph(4, [(0, 1), (1, 2), (2, 0), (3, 0)])) == [3, 3, 3, 0]


def test_nothing_depends_on_nothing() -> None:
    assert dependents(graph(0, [])) == []
    assert dependents(graph(2, [(1, 1)])) == [0, 0]


@given(told=graphs(), block=st.integers(1, 10))
@settings(deadline=None)
def test_it_is_what_a_walk_from_each_node_finds(told: Graph, block: int) -> None:
    leads = [reached(told, node) - {node} for node in range(len(told))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reach, "BLOCK", block)
        assert dependents(told) == [sum(node in each for each in leads) for node in range(len(told))]
        assert [dependents_of(told, node) for node in range(len(told))] == dependents(told)
        assert dependencies(told) == [len(each) for each in leads]
