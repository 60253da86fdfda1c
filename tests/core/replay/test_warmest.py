"""What is warm, known from places on, against a look at every change."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.heat_columns import warm_at
from ccos_core.replay.journal import Journal
from ccos_core.state.world import ANCHOR, AWAY
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(1, 40), st.randoms(use_true_random=False))
def test_it_is_what_a_look_at_every_change_finds(story: list[tuple[Any, ...]], places: int, order: Any) -> None:
    journal = timeline_of(told_tale(story)).journal
    steps = list(range(journal.head + 1))
    order.shuffle(steps)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ccos_core.replay.heat_columns.PLACES", places)
        for step in steps:
            every = slowly(journal, step)
            for least in (0, order.choice([1, *(score + more for _, _, score in every for more in (0, 1))])):
                found = warm_at(journal, step, least)
                wanted = [each for each in every if each[1] <= ANCHOR or each[2] >= least]
                assert sorted(zip(*(column.tolist() for column in found), strict=True)) == wanted


def slowly(journal: Journal, step: int) -> list[tuple[int, int, int]]:
    """(row, tier, score) of the last change of each node, where that leaves it warm."""
    upto = journal.rows(step)
    last = {node: row for row, node in enumerate(journal.changes["node"][:upto].tolist())}
    tiers, scores = (journal.changes[name].tolist() for name in ("tier", "score"))
    return sorted(
        (row, tiers[row], scores[row])
        for row in last.values()
        if tiers[row] < AWAY and (scores[row] or tiers[row] <= ANCHOR)
    )
