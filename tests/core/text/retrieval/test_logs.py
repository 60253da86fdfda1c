"""Whole-number logarithms against the real ones."""

from math import log2 as real

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.logs import UNIT, log2, rarity


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
