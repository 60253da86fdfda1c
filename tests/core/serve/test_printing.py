"""Lines that are broken to fit a terminal."""

import click
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.cells import width_of
from ccos_core.serve.printing import NARROWEST, fitted

words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=60)
gaps = st.integers(1, 4)


@given(st.integers(0, 9), st.lists(st.tuples(words, gaps), max_size=20), st.integers(1, 200))
def test_a_line_is_broken_between_words_and_nothing_is_lost(
    indent: int, told: list[tuple[str, int]], columns: int
) -> None:
    line = (" " * indent + "".join(word + " " * gap for word, gap in told)).rstrip()
    found = list(fitted(line, columns))
    room = max(columns, NARROWEST)
    assert " ".join(found).split() == line.split()
    assert found == [line] or all(part == part.rstrip() for part in found)
    for part in found:
        assert width_of(part) <= room or len(part.split()) == 1


def test_columns_that_do_not_fit_stand_below() -> None:
    line = f"  {'src/db.py#load':<40}  0.00 to 7.66  +7.66 by step 67, a run of tests"
    assert list(fitted(line, 60)) == [
        f"  {'src/db.py#load':<40}  0.00 to 7.66",
        "      +7.66 by step 67, a run of tests",
    ]
    assert list(fitted(line, 200)) == [line]


def test_colours_take_no_room() -> None:
    line = click.style("a" * 50, fg="red") + "  " + click.style("b" * 20, fg="green")
    assert list(fitted(line, 72)) == [line]
    assert [click.unstyle(part) for part in fitted(line, 71)] == ["a" * 50, "    " + "b" * 20]
