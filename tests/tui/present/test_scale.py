"""Steps in columns."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ccos_tui.present.scale import Scale

SCALES = st.builds(
    lambda first, size, width: Scale(first, first + size - 1, width),
    st.integers(1, 50),
    st.integers(1, 100_000),
    st.integers(1, 300),
)


@given(SCALES, st.data())
def test_a_step_stands_in_the_column_that_begins_with_it_or_before(scale: Scale, data: st.DataObject) -> None:
    step = data.draw(st.integers(scale.first, scale.last))
    cell = scale.cell(step)
    assert 0 <= cell <= scale.end(step) < scale.width
    assert scale.step(cell) <= step
    if cell + 1 < scale.width:
        assert scale.step(scale.end(step) + 1) > step or scale.end(step) == scale.width - 1


@given(SCALES, st.data())
def test_what_lies_outside_stands_at_the_edge(scale: Scale, data: st.DataObject) -> None:
    step = data.draw(st.integers(-10, 200_000))
    assert 0 <= scale.cell(step) < scale.width
    assert scale.first <= scale.step(step) <= scale.last


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(SCALES, st.data())
def test_with_room_for_all_each_step_has_its_own_columns(scale: Scale, data: st.DataObject) -> None:
    assume(scale.size <= scale.width)
    step = data.draw(st.integers(scale.first, scale.last))
    assert scale.step(scale.cell(step)) == scale.step(scale.end(step)) == step
    assert scale.moved(step, 1) == min(step + 1, scale.last)


@given(SCALES, st.data())
def test_moving_by_columns_ends_at_the_walls_and_stands_still_nowhere_else(scale: Scale, data: st.DataObject) -> None:
    step = data.draw(st.integers(scale.first, scale.last))
    on, back = scale.moved(step, 1), scale.moved(step, -1)
    assert on > step or scale.end(step) == scale.width - 1
    assert back < step or scale.cell(step) == 0


@given(SCALES, st.lists(st.integers(-5, 100_100), max_size=60))
def test_all_steps_stand_where_each_of_them_does(scale: Scale, steps: list[int]) -> None:
    found = scale.cells(steps)
    assert sorted(step for those in found.values() for step in those) == sorted(steps)
    assert all(those == sorted(those) and {scale.cell(step) for step in those} == {at} for at, those in found.items())
    assert list(found) == sorted(found)


def test_columns_are_those_of_the_overview() -> None:
    scale = Scale(1, 100_000, 139)
    assert [scale.step(cell) for cell in range(139)] == [1 + cell * 100_000 // 139 for cell in range(139)]
