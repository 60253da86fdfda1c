"""Rows of the list of steps: each step is on one row, folding loses none, and unfolding gives back what there was."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.step_outline import Outline, outline_of
from ccos_tui.present.step_layout import GROUP, START, STEP, SUBAGENTS, TURN, Folds, Layout, laid_out
from tests.core.query.test_step_groups import OPS, told

Ops = list[tuple[dict[str, Any], str]]


def folds_of(outline: Outline, data: st.DataObject) -> Folds:
    """Any way to fold what there is."""
    turns = [each for each in set(outline.turn.tolist()) if each]
    return Folds(
        frozenset(data.draw(st.sets(st.sampled_from(turns)))) if turns else frozenset(),
        data.draw(st.booleans()),
        frozenset(data.draw(st.sets(st.sampled_from(["sub-1"])))),
        frozenset(data.draw(st.sets(st.sampled_from(outline.first.tolist())))),
    )


def lines(layout: Layout) -> list[tuple[int, int, int, int]]:
    return [tuple(layout.line(row)) for row in range(len(layout))]


@given(OPS, st.data())
def test_rows_ascend_and_the_cursor_of_each_is_on_it(ops: Ops, data: st.DataObject) -> None:
    outline = outline_of(told(ops))
    layout = laid_out(outline, folds_of(outline, data))
    begins = [line[1] for line in lines(layout)]
    assert begins == sorted(set(begins))
    assert begins[0] == 0
    assert [layout.row_of(layout.step_at(row)) for row in range(len(layout))] == list(range(len(layout)))


@given(OPS, st.data())
def test_every_group_is_on_one_row(ops: Ops, data: st.DataObject) -> None:
    outline = outline_of(told(ops))
    layout = laid_out(outline, folds_of(outline, data))
    held = [place for sort, _, first, last in lines(layout) if sort > STEP for place in range(first, last + 1)]
    alone = [begin for sort, begin, _, _ in lines(layout) if sort == STEP]
    opened = [outline.group_of(step) for step in alone]
    assert sorted(held + list(dict.fromkeys(opened))) == list(range(len(outline)))
    assert alone == [step for place in dict.fromkeys(opened) for step in outline.steps_of(place)]


@given(OPS, st.data())
def test_folding_and_unfolding_is_the_identity(ops: Ops, data: st.DataObject) -> None:
    outline = outline_of(told(ops))
    folds = folds_of(outline, data)
    turn, first = data.draw(st.sampled_from(outline.turn.tolist())), data.draw(st.sampled_from(outline.first.tolist()))
    assert folds.toggled_turn(turn).toggled_turn(turn) == folds
    assert folds.toggled_subagent("sub-1").toggled_subagent("sub-1") == folds
    assert folds.toggled_group(first).toggled_group(first) == folds
    again = folds.toggled_turn(turn).toggled_subagent("sub-1").toggled_subagent("sub-1").toggled_turn(turn)
    assert lines(laid_out(outline, again)) == lines(laid_out(outline, folds))


@given(OPS, st.data())
def test_what_a_filter_lets_pass_is_on_a_row_and_nothing_else(ops: Ops, data: st.DataObject) -> None:
    outline = outline_of(told(ops))
    shown = np.array(data.draw(st.lists(st.booleans(), min_size=len(outline), max_size=len(outline))), bool)
    layout = laid_out(outline, Folds(subagents=False), shown)
    assert [place for _, _, place, _ in lines(layout)[1:]] == np.flatnonzero(shown).tolist()
    folded = laid_out(outline, folds_of(outline, data), shown)
    rows = {folded.row_of(int(outline.done[place])) for place in np.flatnonzero(shown).tolist()}
    assert {folded.line(row)[0] for row in rows} <= {STEP, GROUP, TURN, SUBAGENTS}


@given(OPS)
def test_a_folded_turn_is_one_row(ops: Ops) -> None:
    outline = outline_of(told(ops))
    turns = [each for each in dict.fromkeys(outline.turn.tolist()) if each]
    layout = laid_out(outline, Folds(frozenset(turns)))
    assert [line[1] for line in lines(layout) if line[0] == TURN] == turns
    assert {line[0] for line in lines(layout)} <= {START, TURN, GROUP, SUBAGENTS}


@given(OPS, st.integers(0, 9))
def test_steps_behind_the_layout_are_rows_of_their_own(ops: Ops, more: int) -> None:
    outline = outline_of(told(ops))
    layout = laid_out(outline, Folds())
    row, step = len(layout) + more, outline.head + more + 1
    assert layout.row_of(step) == row
    assert (layout.step_at(row), layout.line(row)[:2]) == (step, (STEP, step))


def test_before_the_steps_are_grouped_a_row_is_a_step() -> None:
    assert [Layout().row_of(step) for step in range(4)] == [0, 1, 2, 3]
    assert [Layout().step_at(row) for row in range(4)] == [0, 1, 2, 3]
