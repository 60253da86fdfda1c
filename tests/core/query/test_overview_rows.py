"""The rows of `overview`: strips as wide as there is room, each sign over its own steps, and every figure in words."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.parts import HEIGHTS
from ccos_core.query import overview_rows as overview
from ccos_core.query.overview import Overview
from ccos_core.serve.printing import as_lines
from ccos_core.serve.terminal import ASCII
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.tui.present.answers import overviews

LABELS = 14
"""Characters before a strip."""


def strips(answer: Overview, columns: int | None) -> dict[str, str]:
    """Name of a row → its signs; what is below them aside."""
    lines = [click.unstyle(line) for line in as_lines(answer, columns)]
    return {line[2:LABELS].strip(): line[LABELS:] for line in lines if line[2:LABELS].strip() in ROWS}


ROWS = ("heat", "window", *overview.SORTS)
widths = st.none() | st.integers(1, 200)


@given(overviews(), widths)
def test_strips_fit_and_stand_below_each_other(answer: Overview, columns: int | None) -> None:
    lines = as_lines(answer, columns)
    for line in lines:
        bare = click.unstyle(line)
        assert bare.isprintable()
        assert bare.strip()
        assert columns is None or len(bare) <= max(columns, overview.NARROWEST) or " " not in bare.strip()
    room = len(answer.begins) if columns is None else max(columns, overview.NARROWEST) - LABELS
    found = strips(answer, columns)
    assert all(len(strip) <= min(room, len(answer.begins)) for strip in found.values())
    assert ("heat" in found) == (answer.hottest is not None)
    assert ("window" in found) == (answer.fullest is not None or bool(answer.cliffs))
    for lane in answer.lanes:
        assert (lane.name in found) == bool(lane.steps)
        assert set(found.get(lane.name, "")) <= {overview.SORTS[lane.name].sign, " "}


@given(overviews())
def test_with_room_a_sign_is_over_its_column(answer: Overview) -> None:
    found = strips(answer, None)
    ends = (*answer.begins[1:], answer.last + 1)
    for lane in filter(lambda lane: lane.steps, answer.lanes):
        there = [any(first <= step < end for step in lane.steps)
                 for first, end in zip(answer.begins, ends, strict=True)]  # fmt: skip
        sign = overview.SORTS[lane.name].sign
        assert found[lane.name].ljust(len(there)) == "".join(sign if each else " " for each in there)


@given(overviews())
def test_a_higher_block_is_never_less_hot(answer: Overview) -> None:
    strip = strips(answer, None).get("heat", "").ljust(len(answer.begins))
    heights = [" ▁▂▃▄▅▆▇█".index(sign) for sign in strip]
    assert [height == 0 for height in heights] == [heat == 0 for heat in answer.heat]
    assert max(heights) == (8 if any(answer.heat) else 0)
    known = sorted(zip(answer.heat, heights, strict=True))
    assert [height for _, height in known] == sorted(heights)


@given(overviews(), st.integers(1, 80))
def test_the_hottest_and_every_happening_is_seen_however_narrow(answer: Overview, columns: int) -> None:
    found = strips(answer, columns)
    assert answer.hottest is None or "█" in found["heat"]
    assert not answer.cliffs or "|" in found["window"]


@given(overviews())
def test_everything_is_said_aloud(answer: Overview) -> None:
    said = as_lines(answer, None, aloud=True)
    assert all(line.endswith(".") and line.isascii() for line in said)
    whole = " ".join(said)
    for lane in answer.lanes:
        sort = overview.SORTS[lane.name]
        assert f"{len(lane.steps)} {sort.one if len(lane.steps) == 1 else sort.many}: " in whole or not lane.steps
        assert not lane.steps or f"{lane.steps[0]:,}" in whole
    assert answer.fullest is None or f"step {answer.fullest:,}" in whole


def test_every_lane_has_its_own_sign() -> None:
    answer = ask(timeline_of(Tale(INVOICES)), "overview", 1)
    assert [lane.name for lane in answer.lanes] == list(overview.SORTS)
    assert len({sort.sign for sort in overview.SORTS.values()}) == len(overview.SORTS)
    assert all(sort.sign.isascii() for sort in overview.SORTS.values())


def test_blocks_have_signs_where_the_stream_has_none() -> None:
    plain = [ASCII[block] for block in HEIGHTS]
    assert len(set(plain)) == len(plain)
    assert all(sign.isascii() and len(sign) == 1 for sign in plain)


@pytest.mark.parametrize("columns", [None, 60])
def test_nothing_is_said_of_no_steps(columns: int | None) -> None:
    answer = ask(timeline_of(Tale(INVOICES)), "overview", 1, span=(0, 0))
    assert [click.unstyle(line) for line in as_lines(answer, columns)] == ["no steps"]
    assert as_lines(answer, columns, aloud=True) == ["no steps."]
