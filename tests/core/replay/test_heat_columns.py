"""Heat by the column is heat, number by number."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay import heat_columns
from ccos_core.state import heat
from ccos_core.state.rules import CAUSES, LARGEST
from ccos_core.state.world import MOST_DOUBLINGS

ticks = st.integers(0, 3_000)


def _made(parts: tuple[int, int, int]) -> int:
    return heat.scaled(heat.add(heat.impulse(parts[0], 7), heat.impulse(parts[1], 9)), parts[2], 9)


heats = st.one_of(
    st.just(0),
    st.just(heat.HIGHEST),
    ticks.map(lambda tick: heat.impulse(tick, 32)),
    st.tuples(ticks, ticks, st.integers(0, LARGEST)).map(_made),
)
weights = st.integers(0, LARGEST)
priors = st.integers(0, LARGEST * (MOST_DOUBLINGS + 1))


def column(values: list[int]) -> heat_columns.Heats:
    return np.array(values, np.int64)


@given(st.lists(st.tuples(heats, heats), min_size=1, max_size=9))
def test_sums_are_the_same(pairs: list[tuple[int, int]]) -> None:
    ones, others = (column(list(each)) for each in zip(*pairs, strict=True))
    assert heat_columns.added(ones, others).tolist() == [heat.add(*pair) for pair in pairs]


@given(st.lists(st.tuples(heats, priors), min_size=1, max_size=9), st.integers(0, 16))
def test_shares_are_the_same(pairs: list[tuple[int, int]], parts: int) -> None:
    ones, times = (column(list(each)) for each in zip(*pairs, strict=True))
    assert heat_columns.scaled(ones, times, parts).tolist() == [heat.scaled(*pair, parts) for pair in pairs]


@given(st.lists(st.tuples(heats, heats, heats, heats, priors), min_size=1, max_size=9), st.lists(weights, min_size=4))
def test_scores_are_the_same(rows: list[tuple[int, ...]], some: list[int]) -> None:
    weighing = dict(zip(CAUSES, some, strict=False))
    *parts, prior = (column(list(each)) for each in zip(*rows, strict=True))
    alone = [
        heat.scaled(heat.total(heat.scaled(h, weighing[c], 4) for h, c in zip(row, CAUSES, strict=False)), row[4], 4)
        for row in rows
    ]
    assert heat_columns.scores(parts, prior, weighing).tolist() == alone
