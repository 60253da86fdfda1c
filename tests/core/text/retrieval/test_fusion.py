"""Fusion by place: what a list is worth, ties, and that arrival doesn't matter."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.scores import STEEPNESS, WHOLE, added, best_first, first, places, shares

SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=12).map(lambda found: np.array(found, dtype=np.int64))


def test_a_place_is_worth_its_inverse() -> None:
    given = shares(3, np.array([10, 30, 0, 20, 10], dtype=np.int64)).tolist()
    first, second, third = (3 * WHOLE // (STEEPNESS + place) for place in (1, 2, 3))
    assert given == [third, first, 0, second, third]


def test_two_lists_that_agree_beat_one_that_is_sure() -> None:
    one, other = np.array([9, 5, 0, 0]), np.array([0, 5, 9, 1])
    assert best_first(added([shares(1, one), shares(1, other)])) == [1, 0, 2, 3]


def test_best_first_leaves_out_what_has_too_little() -> None:
    scores = np.array([3, 0, 9, 3, 1], dtype=np.int64)
    assert best_first(scores) == [2, 0, 3, 4]
    assert best_first(scores, 3) == [2, 0, 3]
    assert best_first(np.zeros(0, dtype=np.int64)) == []


@given(SCORES)
def test_a_place_is_how_many_are_better_and_one(scores: np.ndarray) -> None:  # type: ignore[type-arg]
    assert places(scores).tolist() == [1 + sum(other > score for other in scores) for score in scores]


@given(SCORES, st.randoms(use_true_random=False))
def test_where_something_stands_changes_nothing(scores: np.ndarray, random: object) -> None:  # type: ignore[type-arg]
    order = list(range(len(scores)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert shares(2, scores[order]).tolist() == shares(2, scores)[order].tolist()


@given(SCORES, st.integers(1, 12))
def test_the_first_are_those_that_are_best(scores: np.ndarray, most: int) -> None:  # type: ignore[type-arg]
    assert first(scores, most) == best_first(scores)[:most]
