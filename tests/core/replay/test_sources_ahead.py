"""What is made one by one and remembered is what would be made anew, in the middle of which something may fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.sources import Ahead


class Busy(Exception):
    """Something that passes."""


@given(st.lists(st.integers(), max_size=8), st.lists(st.integers(0, 9), max_size=5), st.sets(st.integers(0, 7)))
def test_whoever_comes_gets_all_from_the_first_on(made: list[int], looks: list[int], failing: set[int]) -> None:
    fails = set(failing)

    def make() -> Iterator[int]:
        for at, each in enumerate(made):
            if at in fails:
                fails.discard(at)
                raise Busy
            yield each

    found = Ahead(make)
    for many in looks:
        try:
            got = [each for _, each in zip(range(many), found, strict=False)]
        except Busy:
            continue
        assert got == made[:many]
    while fails & set(range(len(made))):
        with pytest.raises(Busy):
            list(found)
    assert list(found) == made


def test_nothing_is_made_before_somebody_asks_and_nothing_twice() -> None:
    asked: list[int] = []

    def make() -> Iterator[int]:
        for each in range(5):
            asked.append(each)
            yield each

    found = Ahead(make)
    assert asked == []
    one, other = iter(found), iter(found)
    assert [next(one), next(one), next(other)] == [0, 1, 0]
    assert asked == [0, 1]
    assert list(found) == list(range(5))
    assert asked == list(range(5))
