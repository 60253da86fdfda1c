"""The line at the top: no part of it is there by half, and what fails is the last to go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.state import State
from ccos_tui.present.head import head_row
from ccos_tui.present.rows import fitted
from tests.tui.present.answers import TEXTS, WIDTHS, any_of, check

LONG = "entire-cli_769ddf2969b6_129tools_70FAILlines_1compact"


@given(TEXTS, st.integers(0, 10_000_000), st.none() | any_of(State), st.sampled_from(("", "▶ following")), WIDTHS)
def test_it_fits(name: str, steps: int, state: State | None, note: str, width: int) -> None:
    check([head_row(name, steps, state, note, width)], width)


@given(any_of(State), st.integers(40, 200))
def test_a_part_is_there_whole_or_not_at_all(state: State, width: int) -> None:
    shown = fitted(head_row(LONG, 552, state, "", width), width)
    whole = head_row(LONG, 552, state, "", 400)
    parts = {span.text for span in (*whole.spans[2:], *whole.right)}
    assert all(span.text in parts for span in shown[2:] if span.text.strip())


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160])
@given(any_of(State))
def test_what_fails_stays(width: int, state: State) -> None:
    said = head_row(LONG, 552, replace(state, hash="d53d83eb" * 8), "", width).text
    now = state.failures - state.rerun_due
    assert ("✗" if now else "? " if state.failures else "✓ nothing fails") in said
