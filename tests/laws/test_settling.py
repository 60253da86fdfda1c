"""Edges that were being brought up to what files say when somebody had enough come out as if nobody had."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.session.worlds import new_world
from ccos_core.state.graph import Graph
from tests.core.state.small import Tale
from tests.laws.test_folding import stories, told_tale


class Enough(BaseException):
    """Somebody doesn't wait any more."""


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(1, 5), st.integers(1, 3))
def test_what_was_left_is_settled_later(story: list[tuple[Any, ...]], patience: int, every: int) -> None:
    told = told_tale(story)
    at_once, by_parts = untold(told), untold(told)
    for at, op in enumerate(told.ops):
        at_once.tell(op)
        by_parts.tell(op)
        if at % every == 0:
            at_once.world.graph.settle()
            settle(by_parts.world.graph, patience)
            assert all_of(by_parts.world.graph) == all_of(at_once.world.graph)


def untold(tale: Tale) -> Tale:
    found = Tale.__new__(Tale)
    found.facts, found.ops, found.world = tale.facts, [], new_world()
    return found


def settle(graph: Graph, patience: int) -> None:
    """As often as it takes, by so many files at a time."""
    while True:
        left = [patience]

        def heard(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Enough

        try:
            return graph.settle(heard)
        except Enough:
            assert graph.unsettled, "what is left is known"


def all_of(graph: Graph) -> tuple[Any, ...]:
    return graph.edges, graph.counts, graph.links, graph.degrees, graph.ended, sorted(graph.rewired), graph.unsettled
