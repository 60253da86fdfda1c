"""Where there is little room: what matters stays, and what can be done without goes whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from ccos_core.present.steps import step_row
from ccos_core.query.telling import Told
from ccos_tui.keys import ACTIONS, Keys
from ccos_tui.present import help as help_rows
from ccos_tui.present import palette
from ccos_tui.present.arrangement import PANES
from ccos_tui.present.opening import work_row
from ccos_tui.present.rows import fitted
from ccos_tui.present.sessions import empty_rows, session_row
from ccos_tui.present.watch import rows_of as watch_rows
from ccos_tui.screens.debugger import FOOTER, FOOTER_WORDS
from ccos_tui.widgets.status import keys_row
from tests.tui.present.test_sessions import SESSION

READ = Told(51, "read", None, "src/payments.py", "", 1_600, ())


def shown(row, width):
    return "".join(span.text for span in fitted(row, width))


@pytest.mark.parametrize("width", [30, 38, 46, 58])
def test_a_step_says_what_it_is_about(width):
    """In the narrowest list beside another pane, in 80 columns, a file's name can be read."""
    assert "src/payments" in shown(step_row(READ, 51, width=width), width)


@pytest.mark.parametrize("width", [30, 46, 58])
def test_of_a_long_path_the_end_can_be_read(width):
    """`cmd/entire/cli/integrat…` three times below each other tells nothing."""
    deep = replace(READ, says="cmd/entire/cli/integration_test/hooks.go")
    said = shown(step_row(deep, 51, width=width), width)
    assert "hooks.go" in said
    assert len(said) == width


def test_lines_go_before_the_name_of_their_file():
    part = replace(READ, says="cmd/entire/cli/integration_test/hooks.go lines 1652–1656")
    assert shown(step_row(part, 51, width=30), 30).endswith("hooks.go")
    assert "hooks.go lines 1652–1656" in shown(step_row(part, 51, width=58), 58)


def test_a_wide_step_says_how_much_besides():
    assert shown(step_row(READ, 51, width=58), 58).rstrip().endswith("1.6 kB")


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_long_work_says_how_to_stop_it(width):
    assert "Esc stops" in shown(work_row("folding", 350, 552, width), width)


def test_a_long_session_has_its_length():
    each = replace(SESSION, started=60_000, ended=(13 * 60 + 47) * 60_000, model="claude-opus-4-5-20251101")
    said = shown(session_row(each, 190), 190)
    assert "13 h 46 min" in said
    assert "claude-opus-4-5-20251101" in said


def test_what_to_do_without_sessions_can_be_read():
    assert all(cell_len(row.text) <= 57 for row in empty_rows(["~/.codex/archived_sessions"]))


@pytest.mark.parametrize("width", [28, 36, 60])
def test_what_to_watch_can_be_read(width):
    said = " ".join(shown(row, width).strip() for row in watch_rows([], 0, width))
    assert "w watches what is selected, here or in any other pane;" in said
    assert "…" not in said


@pytest.mark.parametrize("pane", FOOTER)
def test_the_foot_of_the_debugger_names_what_one_came_for_first(pane):
    ids, names = FOOTER[pane], FOOTER_WORDS["steps" if pane == "steps" else ""]
    keys = Keys().foot(ids, names)
    first = " ".join(map(" ".join, keys[:3]))
    said = " ".join(keys_row(keys, 60).text.split())
    assert said.startswith(first)
    assert said.endswith("? help")
    assert len(keys) == len(ids)


def test_the_autopsy_is_at_the_foot_of_the_narrowest_list():
    assert "a autopsy" in keys_row(Keys().foot(FOOTER["steps"], FOOTER_WORDS["steps"]), 60).text


@pytest.mark.parametrize("pane", FOOTER)
def test_every_word_of_the_foot_is_an_action(pane):
    assert pane in (*PANES, "")
    assert set(FOOTER[pane]) <= {each.id for each in ACTIONS}


@pytest.mark.parametrize("pane", FOOTER_WORDS)
def test_every_action_that_has_another_word_at_the_foot_is_there(pane):
    there = [ids for each, ids in FOOTER.items() if (each == "steps") == (pane == "steps")]
    assert set(FOOTER_WORDS[pane]) <= {id_ for ids in there for id_ in ids}


def test_no_colon_stands_before_a_command_of_the_shell():
    """`:ccos-tui sessions` is nothing that can be typed."""
    said = [row.text for row in (*palette.rows_of(ACTIONS), *help_rows.rows_of(ACTIONS, (), 160))]
    assert any("ccos-tui sessions" in each for each in said)
    assert not any(":ccos-tui" in each for each in said)


def test_a_palette_without_matches_says_so():
    [row] = palette.rows_of(palette.matching(ACTIONS, "nowhere to be found"))
    assert "No action" in row.text
    assert not row.copies
