"""The token estimate: additive, the same everywhere, and never absurd."""

from functools import partial
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.tokens import (
    LONGEST_LINE,
    MOST_LINES,
    UNIT,
    VERSION,
    estimate,
    line_parts,
    text_parts,
    tokens,
)
from tests.growth import assert_linear_cpu

TEXTS = st.text(max_size=80) | st.text(alphabet="aB1_ \t\n(é中😀-", max_size=80)

# Vectors: a change of any is a new version of the estimate.
VECTORS = [
    ("", 2),
    ("x", 126),
    ("def connect(self, timeout=30):", 513),
    ("    return self._pool.get(url)", 517),
    ("HTTPServer", 187),
    ("\t\tif err != nil {", 408),
    ("internationalization", 348),
    ("naïve", 257),
    ("中文", 207),
    ("😀", 223),
    ('"😀"', 286),
    ("-" * 80, 175),
    ("# " + "=" * 30 + " #", 221),
    ("1234567", 252),
    ("   ", 63),
    ("a = b;", 252),
    ("extends core.$ZodType {}", 438),
]


@pytest.mark.parametrize(("line", "parts"), VECTORS)
def test_vectors(line: str, parts: int) -> None:
    assert VERSION == 3
    assert line_parts(line) == parts


@given(TEXTS, TEXTS)
def test_additive_over_lines(one: str, other: str) -> None:
    assert text_parts(f"{one}\n{other}") == text_parts(one) + text_parts(other)
    assert text_parts(one) == sum(line_parts(line) for line in one.split("\n"))


@given(TEXTS)
def test_never_less_than_nothing_nor_more_than_its_bytes(text: str) -> None:
    """No vocabulary makes more tokens of a text than it has bytes."""
    lines = text.count("\n") + 1
    assert 0 < text_parts(text) <= 64 * 2 * (len(text.encode("utf-8", "replace")) + lines)


@given(TEXTS)
def test_whole_tokens_cover_the_parts(text: str) -> None:
    parts = text_parts(text)
    assert (estimate(text) - 1) * UNIT < parts <= estimate(text) * UNIT
    assert tokens(0) == 0


def test_a_line_without_end_is_no_trap() -> None:
    for piece in ("a", "(", " ", "aA1_", "é"):
        assert_linear_cpu(partial(mul, piece), lambda line: line_parts(line) > 0 or pytest.fail(line[:9]), 20_000)


SOURCE = """
class Store:
    def load(self, row: int) -> Row | None:
        \"\"\"The row of that number, if there is one.\"\"\"
        found = self._rows.get(row)
        return found if found is not None else self.fallback(row)
"""
REAL = 54
"""What it takes in cl100k."""


def test_a_piece_of_source_takes_about_what_a_real_vocabulary_makes_of_it() -> None:
    assert 0.95 * REAL <= estimate(SOURCE) <= 1.05 * REAL


GENERICS = """
export interface $ZodUnionDef<Options extends readonly $ZodType[] = readonly $ZodType[]> extends $ZodTypeDef {
  inner: core.$ZodTypeInternals<$InferOuterFor<Options[number]>>;
}
"""
REAL_OF_GENERICS = 51
"""The same of names that have `$` before them, which is a piece of its own there."""


def test_the_first_part_of_a_name_of_several_takes_more_than_it_would_alone() -> None:
    assert 0.93 * REAL_OF_GENERICS <= estimate(GENERICS) <= 1.05 * REAL_OF_GENERICS


def test_a_line_drawn_of_one_mark_takes_little() -> None:
    for mark in ("-", "=", "*", "─"):
        assert line_parts(mark * 70) < 4 * UNIT


def test_only_lines_of_usual_length_are_remembered() -> None:
    remembered = line_parts.__self__  # type: ignore[attr-defined]
    for length, stays in ((LONGEST_LINE, True), (LONGEST_LINE + 1, False)):
        line = "?" * length
        line_parts(line)
        assert (line in remembered) is stays


def test_no_more_lines_are_remembered_than_there_is_room_for() -> None:
    remembered = line_parts.__self__  # type: ignore[attr-defined]
    for number in range(MOST_LINES + 10):
        line_parts(f"line {number}")
    assert len(remembered) <= MOST_LINES


def test_an_indent_is_one_token_however_deep() -> None:
    """White space is no line drawn of one mark."""
    shallow, deep = line_parts("  return x"), line_parts(" " * 40 + "return x")
    assert shallow == deep
    assert line_parts("\t" * 7 + "x") == line_parts("\t" * 3 + "x")
