"""The lane of what filled the agent's window: stacked groups that are as high as their tokens, and a row of signs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.composition import PARTS, Course
from ccos_tui.present.filling import GROUPS, blank, filling_bands, filling_words
from ccos_tui.present.same import Same
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import room

ROWS = 6
COURSES = st.integers(1, 30).flatmap(
    lambda size: st.builds(
        Course,
        begins=st.just(tuple(range(1, size + 1))),
        kinds=st.just(PARTS),
        tokens=st.tuples(*(st.tuples(*(st.integers(-90 if kind in ("left", "rest") else 0, 90_000),) * size)
                           for kind in PARTS)),
    )
)  # fmt: skip


@given(COURSES, st.integers(40, 200), st.integers(1, 30))
def test_each_row_is_as_wide_as_the_screen_and_explains_its_signs(course: Course, width: int, last: int) -> None:
    space = room(width, 45, lanes=True)
    bands = filling_bands(Same(course), space, Scale(1, last, space.columns), ROWS)
    assert len(bands) == len(blank(space, ROWS)) == ROWS + 1
    assert {len(band.cells) for band in bands} == {space.columns}
    drawn = {sign for band in bands[:-1] for sign, _ in band.cells} - {" "}
    if space.columns >= 80:
        assert drawn <= {sign for sign, _ in bands[-1].cells}


def test_groups_are_as_high_as_their_tokens() -> None:
    course = Course((1, 2), ("system", "read", "left"), ((3_000, 3_000), (3_000, 1_500), (0, -500)))
    space = room(100, 45, lanes=True)
    bands = filling_bands(Same(course), space, Scale(1, 2, space.columns), ROWS)
    columns = list(zip(*[[sign for sign, _ in band.cells] for band in bands[:-1]], strict=True))
    assert "".join(columns[0]) == "███░░░"
    assert "".join(columns[-1]) == "  █░░░", "what left without a record is taken from what is recorded"
    assert bands[-1].cells[0][0] == GROUPS[0].sign
    assert filling_words(course, 2) == "system 3,000, files 1,000"


def test_a_window_nobody_counted_is_blank() -> None:
    space = room(100, 45, lanes=True)
    bands = filling_bands(Same(Course((1,), (), ())), space, Scale(1, 1, space.columns), ROWS)
    assert {sign for band in bands for sign, _ in band.cells} == {" "}
