"""Answers as rows: what a reader must be able to see of each, and where each row leads."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ccos_core.present.rows import Moment, Row, View
from ccos_core.present.steps import step_row
from ccos_core.query import window_rows as window
from ccos_tui.keys import ACTIONS, Keys
from ccos_tui.present import help as helping
from ccos_tui.present import palette
from ccos_tui.present.lines import rows_of as lines_of
from ccos_tui.present.opening import work_row
from ccos_tui.present.rows import fitted
from ccos_tui.present.sessions import empty_rows
from ccos_tui.present.texts import window_rows
from ccos_tui.present.unselected import unselected
from ccos_tui.screens.whatif import offered
from ccos_tui.widgets.answer_panes import ProvenancePane, WhyPane
from ccos_tui.widgets.tree_pane import NOTHING as TREE
from tests.tui.answers import answer, demo
from tests.tui.present.answers import rows_of

WIDTHS = (20, 40, 58, 94, 150)


def text_of(rows: list[Row]) -> str:
    return "\n".join(row.text for row in rows)


def told(rows: list[Row], part: str) -> Row:
    return next(row for row in rows if part in row.text)


def fits(rows: list[Row], width: int) -> None:
    for row in rows:
        assert sum(cell_len(span.text) for span in fitted(row, width)) == width


@pytest.mark.parametrize("width", WIDTHS)
def test_every_row_fits(width: int) -> None:
    left = answer("diff", 40, span="39..40").suggested
    fits(window.item_rows(answer("recall", 40), width, left), width)


# -- windows ----------------------------------------------------------------------------------------------------------


def test_a_window_tells_its_size_its_items_and_what_is_next() -> None:
    shown = answer("recall", 45)
    rows = window.item_rows(shown, 100)
    assert f"{shown.tokens:,} of {shown.budget:,} tokens, {len(shown.items)} items" in rows[0].text
    for item in shown.items:
        found = next(row for row in rows if row.leads == Moment(node=item.uri))
        assert item.level in found.text
        assert (f"{item.tokens:,}" if item.tokens else "no text") in found.text
        assert found.copies == item.text
    for missed in shown.missed:
        assert told(rows, f"{missed.short:,} short").leads == Moment(node=missed.uri)


def test_what_a_step_took_away_is_struck_through_with_its_reason() -> None:
    changed = answer("diff", 46, span="9..46", budget="300").suggested
    assert changed.left, "the story is to take something away"
    rows = window.item_rows(answer("recall", 46, budget="300"), 100, changed)
    for left in changed.left:
        found = next(row for row in rows if row.leads == Moment(node=left.node) and "−" in row.text)
        assert left.why in found.text
        assert any(span.role == "lost" for span in found.spans)


def test_what_a_step_brought_has_a_plus() -> None:
    changed = answer("diff", 9, span="8..9").suggested
    rows = window.item_rows(answer("recall", 9), 100, changed)
    for entered in changed.entered:
        found = [row for row in rows if row.leads == Moment(node=entered.node)]
        assert any(row.text.startswith("+") for row in found)


def test_an_empty_window_says_why() -> None:
    assert window.EMPTY in text_of(window.item_rows(answer("recall", 0), 100))


def test_a_budget_that_is_exceeded_is_told_as_bad() -> None:
    assert window.gauge(300, 200, 80).spans[0].role == "bad"
    assert window.gauge(200, 200, 80).spans[0].role == "good"


def test_a_hosts_window_tells_what_is_in_it_and_how_it_was_cut() -> None:
    shown = answer("recall", 45, lens="host")
    rows = rows_of(shown, 100)
    assert f"{shown.counted.tokens:,} tokens" in rows[1].text
    assert told(rows, "compacted (auto)").leads == Moment(shown.cut.step)
    assert "inferred" in text_of(rows)
    for item in shown.items:
        assert any(row.leads is not None and row.leads.step == item.step for row in rows)


def test_of_both_windows_what_theirs_had_lost_comes_first() -> None:
    shown = answer("recall", 45, lens="both")
    rows = rows_of(shown, 100)
    assert shown.overlap.lost, "the story is to lose something"
    for at, lost in enumerate(shown.overlap.lost):
        assert rows[3 + at].leads == Moment(lost.since, lost.node)


# -- what changed -----------------------------------------------------------------------------------------------------


def test_a_diff_tells_all_that_moved() -> None:
    whole = answer("diff", 45, span="5..45")
    rows, changed = rows_of(whole, 120), whole.suggested
    for sign, members in (("+", changed.entered), ("−", changed.left), ("~", changed.changed)):
        for each in members:
            assert any(row.leads == Moment(node=each.node) and row.text.startswith(sign) for row in rows)
    for failure in changed.failures_begun:
        assert told(rows, f"{failure.runner} {failure.test}").leads == Moment(failure.op.step, failure.anchor)


def test_a_diff_of_nothing_says_so() -> None:
    assert "the window is the same" in rows_of(answer("diff", 40, span="39..40"), 80)[1].text


# -- autopsy, find, what if, compare ----------------------------------------------------------------------------------


def test_an_autopsy_leads_to_its_evidence() -> None:
    found = answer("autopsy", 61)
    rows = list(found.as_rows(View(120, full=True)))
    assert rows[0].text.endswith(found.verdict)
    assert rows[0].leads == Moment(found.step, found.suspects[0].node)
    first = found.suspects[0]
    assert told(rows, "src/db.py  reread").leads == Moment(40, first.node)
    for evidence in first.evidence:
        assert any(row.leads == Moment(evidence.step, first.node) for row in rows)


def test_what_was_found_leads_to_its_steps() -> None:
    found = answer("find", 61, expr="kind=prompt")
    rows = list(found.as_rows(View(100, full=True)))
    assert f"{found.steps} of 61 steps" in rows[0].text
    assert [row.leads.step for row in rows if row.leads] == [each.step for each in found.rows]


def test_groups_lead_to_the_first_of_them() -> None:
    found = answer("find", 61, expr="repeated | by tool")
    leads = [row.leads for row in found.as_rows(View(100, full=True)) if row.leads]
    assert leads == [Moment(each.first) for each in found.groups]


def test_where_nothing_is_found_the_narrowing_is_told() -> None:
    found = answer("find", 61, expr='kind=prompt and text~"nothing of the kind"')
    rows = list(found.as_rows(View(100, full=True)))
    assert "0 of 61 steps" in rows[0].text
    assert len(rows) > 1


def test_a_what_if_leads_to_each_node_that_moved() -> None:
    found = answer("whatif", 45, budget="300")
    rows = found.as_rows(View(120, full=True))
    members = (*found.entered, *found.left, *found.moved)
    assert members, "the story is to move something"
    assert [row.leads for row in rows if row.leads] == [Moment(node=member.node) for member in members]


def test_things_to_try_are_typed_as_they_stand() -> None:
    rows = offered(45, 2048, "file:src/db.py")
    assert "--without 45" in [row.copies for row in rows]
    assert "--budget 4096" in [row.copies for row in rows]
    assert "--with-read src/db.py" in [row.copies for row in rows]


def test_a_record_beside_itself_is_the_same() -> None:
    rows = list(answer("compare", 61, other=str(demo())).as_rows(View(100, full=True)))
    assert "the same" in text_of(rows)
    assert "they part" not in text_of(rows)


# -- words ------------------------------------------------------------------------------------------------------------


LINES = ("out since step 1,234, by something", "▸    40  09:39:06  compaction", "no step")


def test_every_step_a_line_names_leads_there() -> None:
    rows = lines_of([(line, None) for line in LINES])
    assert [row.leads for row in rows] == [Moment(1234), Moment(40), None]


def test_the_palette_finds_by_words_keys_and_commands() -> None:
    actions = ACTIONS
    assert {"failure-on", "failure-back"} <= {each.id for each in palette.matching(actions, "FAILURE")}
    assert "autopsy" in [each.id for each in palette.matching(actions, "suspects")]
    assert palette.matching(actions, "no such thing at all") == []


def test_help_names_every_key() -> None:
    text = text_of(helping.rows_of(ACTIONS, [("timeline", "What happened")], 120))
    for action in ACTIONS:
        assert action.words in text


def test_help_names_the_keys_that_are_in_force() -> None:
    keys = Keys({"failure-on": ["f7"], "watch": ["f8", "w"], "why": ["slash"]})
    text = text_of(helping.rows_of(keys.of("debugger"), [], 120, keys))
    method = text[: text.index("Moving")]
    assert [line.split()[0] for line in method.splitlines() if line.startswith("  ")] == ["f7", "Enter", "f8", "[", "/"]


def test_hints_name_the_keys_that_are_in_force() -> None:
    keys = Keys({"enter": ["f9"], "why": ["f7"], "tree": ["f8"], "provenance": ["f6"], "open": ["f5"]})
    for said, sign in ((WhyPane.hint, "f7"), (TREE, "f8"), (ProvenancePane.hint, "f6")):
        text = text_of(unselected(said, keys))
        assert "f9 on a row of the window" in text
        assert f"{sign} there" in text
        assert "Enter" not in text
    assert "Enter on a row of the window" in text_of(unselected(WhyPane.hint))
    assert "f9 goes to the step that showed an item" in text_of(window_rows(answer("recall", 45, lens="host"), keys))
    assert "f9 opens it" in text_of(empty_rows(["~/.codex"], keys))
    assert "f4 stops and keeps what is done." in work_row("folding", 1, 2, 160, "f4").text


def test_a_step_says_its_kind_in_a_word() -> None:
    steps = answer("timeline", 61, limit="0").steps
    for each in steps:
        text = step_row(each, each.step).text
        assert each.kind in text
        assert f"{each.step}" in text
        if each.outcome == "error":
            assert "✗" in text
            assert "error" in text


def test_steps_behind_the_cursor_are_dimmed_and_keep_their_words() -> None:
    step = answer("timeline", 61, limit="0").steps[8]
    here, later = step_row(step, step.step), step_row(step, step.step, future=True)
    assert here.text == later.text
    assert {span.role for span in later.spans} == {"future"}
