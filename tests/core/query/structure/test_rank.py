"""Centrality in integers: the same numbers everywhere, and close to what floats would give."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.structure.graph import Graph, graph
from ccos_core.query.structure.rank import FOLLOWED, ROUNDS, WHOLE, millionths, ranks
from tests.core.query.structure.making import edges_of, graphs


def test_what_everyone_depends_on_ranks_first() -> None:
    star = ranks(graph(5, [(0, 4), (1, 4), (2, 4), (3, 4)]))
    assert star[0] == star[1] == star[2] == star[3] < star[4]
    # by hand: r = a + 4 * 0.85 * a for the middle, a = (0.15 + 0.85 * r) / 5 for each
    assert [millionths(rank) for rank in star] == [pytest.approx(119_047, abs=1)] * 4 + [pytest.approx(523_809, abs=1)]


def test_in_a_ring_nobody_is_more_central() -> None:
    assert ranks(graph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])) == [WHOLE // 4] * 4


def test_without_edges_and_without_nodes() -> None:
    assert ranks(graph(0, [])) == []
    assert ranks(graph(3, [])) == [WHOLE // 3] * 3


@given(graphs())
@settings(deadline=None)
def test_it_is_what_floats_give_within_a_millionth(told: Graph) -> None:
    size = len(told)
    expected = [1 / size] * size
    for _ in range(ROUNDS):
        ended = sum(rank for rank, below in zip(expected, told.out, strict=True) if not below)
        anew = (1 - FOLLOWED / 100 + ended * FOLLOWED / 100) / size
        expected = [
            anew + sum(expected[node] * FOLLOWED / 100 / len(told.out[node]) for node in above) for above in told.into
        ]
    found = ranks(told)
    assert all(type(rank) is int for rank in found)
    assert [rank / WHOLE for rank in found] == [pytest.approx(rank, abs=1e-9) for rank in expected]


@given(told=graphs(), seed=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_numbers_are_only_names(told: Graph, seed: object) -> None:
    """Numbered in another way, every node has the same rank to the last digit."""
    order = list(range(len(told)))
    seed.shuffle(order)  # type: ignore[attr-defined]
    renamed = graph(len(told), [(order[start], order[end]) for start, end in edges_of(told)])
    before, after = ranks(told), ranks(renamed)
    assert [after[order[node]] for node in range(len(told))] == before
