"""Whoever is looked for among those above a place is found: what a search skips holds nobody as high as that."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency.order import NOWHERE, TOP, Order, order_of
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale


@settings(deadline=None, max_examples=80)
@given(stories, st.data())
def test_rows_that_hold_are_those_a_pass_finds(story: list[tuple[Any, ...]], data: st.DataObject) -> None:
    journal = timeline_of(told_tale(story)).journal
    order = order_of(journal)
    steps = st.integers(0, journal.head + 1)
    places = [NOWHERE - 1, NOWHERE, 0, 1, order.above_all, TOP, *order.place.tolist()]
    for _ in range(20):
        first, last, least = data.draw(steps), data.draw(steps), data.draw(st.sampled_from(places))
        assert sorted(order.alive(first, last, least).tolist()) == by_a_pass(order, first, last, least)


def by_a_pass(order: Order, first: int, last: int, least: int) -> list[int]:
    """Row by row."""
    end = order.journal.rows(max(last - 1, 0))
    place, ends = order.place.tolist(), order.ends.tolist()
    return [row for row in range(end) if place[row] >= least and ends[row] > first]
