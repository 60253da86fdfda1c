"""The most that failures give some nodes at a time, against looking through all that live then."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.residency.pressed import most_given

NODES = 4
REACHED = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(1, 9)), max_size=3)
FAILURES = st.lists(st.tuples(st.integers(0, 3), st.booleans(), REACHED), max_size=12)


@given(FAILURES, st.lists(st.booleans(), min_size=NODES, max_size=NODES))
def test_it_is_the_most_of_all_that_live(failures: list[tuple[int, bool, list[Any]]], which: list[bool]) -> None:
    sizes = [len(reached) for _, _, reached in failures]
    ends = np.cumsum(np.array(sizes, np.int64))
    rows = [row for _, _, reached in failures for row in reached]
    journal: Any = SimpleNamespace(
        failures={
            "key": np.array([key for key, _, _ in failures], np.int32),
            "told": np.array([0 if lives else -1 for _, lives, _ in failures], np.int32),
            "begin": ends - sizes,
            "end": ends,
        },
        reached={
            "node": np.array([node for node, _ in rows], np.int32),
            "strength": np.array([strength for _, strength in rows], np.int32),
        },
    )
    live: dict[int, list[Any]] = {}
    expected = [0]
    for key, lives, reached in failures:
        live[key] = reached if lives else []
        given = (strength for each in live.values() for node, strength in each if which[node])
        expected.append(max(given, default=0))
    assert most_given(journal, np.array(which, bool)).tolist() == expected
