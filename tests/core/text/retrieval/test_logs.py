"""Whole-number logarithms and roots against the real ones."""

from math import isqrt
from math import log2 as real

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.text.retrieval.scores import STEP, UNIT, log2, rarity, roots


def test_powers_are_exact() -> None:
    assert [log2(1 << power) for power in range(70)] == [power * UNIT for power in range(70)]


@given(st.integers(1, 10**15))
def test_within_a_step_of_the_real_one(number: int) -> None:
    assert real(number) * UNIT - 2 <= log2(number) <= real(number) * UNIT + 1e-6


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_larger_is_never_less(one: int, other: int) -> None:
    assert (one <= other) <= (log2(one) <= log2(other))


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_rarer_says_more_and_never_less_than_nothing(documents: int, one: int, other: int) -> None:
    few, many = sorted((min(one, documents), min(other, documents)))
    assert rarity(documents, few) >= rarity(documents, many) >= 0


def test_a_few_documents_more_leave_a_rarity_what_it_is() -> None:
    assert len({rarity(documents, 2_100) for documents in range(66_000, 67_000)}) == 1
    assert rarity(66_000, 2_000) % STEP == 0


@given(st.lists(st.integers(0, 2**60) | st.integers(0, 2**30).map(lambda root: max(root * root - 1, 0)), max_size=20))
@example([root * root + by for root in (1, 2**26, 2**26 + 1, 94_906_267, 2**30) for by in (-1, 0, 1)])
def test_a_root_is_the_largest_whose_square_fits(squares: list[int]) -> None:
    assert roots(np.array(squares, dtype=np.int64)).tolist() == [isqrt(square) for square in squares]
