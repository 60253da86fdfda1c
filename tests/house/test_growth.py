"""What judges linear time tells it from quadratic time; and a run tries as much as its depth says."""

import re

import pytest

from tests import depth
from tests.growth import assert_linear_cpu, lines_at_most


def look_through(text: str, times: int) -> int:
    found = 0
    for _ in range(times):
        for char in text:
            found += char == "b"
    return found


def test_lines_are_counted_and_end_the_work() -> None:
    with lines_at_most(1_000):
        assert look_through("a" * 100, 1) == 0
    with pytest.raises(AssertionError, match="more than 1,000 lines"), lines_at_most(1_000):
        look_through("a" * 100, 10**9)


def test_cpu_time_tells_linear_from_quadratic() -> None:
    assert_linear_cpu(lambda size: "a" * size, lambda text: look_through(text, 10), 5_000)
    with pytest.raises(AssertionError, match="8 times the size"):
        assert_linear_cpu(lambda size: "a" * size, re.compile("a*c").findall, 2_000)


@pytest.mark.parametrize(("deep", "usual"), [(1, 1), (5, 5), (20, 8), (40, 10), (100, 25), (500, 25)])
def test_a_law_tries_a_quarter_of_what_it_says(monkeypatch: pytest.MonkeyPatch, deep: int, usual: int) -> None:
    for is_deep, expected in ((False, usual), (True, deep)):
        monkeypatch.setattr(depth, "DEEP", is_deep)
        assert depth.examples_of(deep) == expected
