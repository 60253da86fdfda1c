"""Numbered lines, in every way tools print them, are read back as they stand in the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.numbered import ARROW, BAR, COLON, SEARCH, TAB, found_by_search, numbered, shown

WAYS = {
    TAB: "{:6d}\t{}",
    ARROW: "{:6d}→{}",
    BAR: "{:05d}| {}",
    COLON: "{}: {}",
    SEARCH: "{}:{}",
}
LINES = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=20), min_size=1)
FIRST = st.integers(1, 99_000)


@given(st.sampled_from(sorted(WAYS)), LINES, FIRST)
def test_a_listing_gives_the_lines_back(way: str, lines: list[str], first: int) -> None:
    text = "".join(WAYS[way].format(first + at, line) + "\n" for at, line in enumerate(lines))
    assert numbered(text, way) == [(first + at, line) for at, line in enumerate(lines)]


@given(st.sampled_from([TAB, ARROW, BAR]), LINES, FIRST)
def test_the_way_is_seen_from_the_lines(way: str, lines: list[str], first: int) -> None:
    text = "\n".join(WAYS[way].format(first + at, line) for at, line in enumerate(lines))
    assert numbered(text) == [(first + at, line) for at, line in enumerate(lines)]


@given(st.text(st.sampled_from("0123456789:-|→\t ab\n")))
def test_any_text_gives_rising_numbers(text: str) -> None:
    numbers = [number for number, _ in numbered(text)]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1: def a():\n2:     return 1\n", [(1, "def a():"), (2, "    return 1")]),
        ("12:def a():\n13-    return 1\n", [(12, "def a():"), (13, "    return 1")]),
        ("7:    x = 1\n8:    y = 2\n", [(7, "    x = 1"), (8, "    y = 2")]),
        ("<file>\n00001| a\n00002| \n</file>\n", [(1, "a"), (2, "")]),
        ("     1\ta\n     2\t     1\tb\n", [(1, "a"), (2, "     1\tb")]),
        ("", []),
        ("nothing here\n", []),
    ],
)
def test_each_way(text: str, expected: list[tuple[int, str]]) -> None:
    assert numbered(text) == expected


def test_a_gap_begins_another_stretch() -> None:
    assert shown("a.py", "     3\tx\n     4\ty\n     9\tz\n") == [Shown("a.py", "x\ny\n", 3), Shown("a.py", "z\n", 9)]


def test_what_a_search_shows_counts_from_three_lines_on() -> None:
    lines = [(3, "a"), (7, "b"), (8, "c"), (11, "d"), (12, "e"), (13, "f"), (14, "g")]
    assert [(each.first, each.text) for each in found_by_search("a.py", lines)] == [(11, "d\ne\nf\ng\n")]
