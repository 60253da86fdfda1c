"""Bookmarks and notes: rows that fit and lead to their steps, and the one sign that stands beside a step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.present.rows import Moment
from ccos_core.query.telling import Told
from ccos_core.values.marks import Mark
from ccos_tui.keys import BY_THEMSELVES, Keys
from ccos_tui.present.notes import COMPARED, NAMED, NONE, NOTED, ordered, rows_of, said, signs
from tests.tui.present.answers import TEXTS, WIDTHS, any_of, check

MARKS = st.lists(any_of(Mark), max_size=6)
READ = Told(6, "read", None, "src/db.py", "", 248, ())


@given(MARKS, WIDTHS, st.none() | any_of(Told))
def test_every_row_fits(marks: list[Mark], width: int, told: Told | None) -> None:
    check(rows_of(ordered(marks), lambda step: told, width), width)


@given(MARKS)
def test_every_row_leads_to_its_step_and_none_is_lost(marks: list[Mark]) -> None:
    rows = rows_of(ordered(marks), lambda step: None, 80)
    assert [row.leads for row in rows if row.leads] == [Moment(step) for step in sorted(mark.step for mark in marks)]


@given(MARKS, st.none() | st.integers(0, 9))
def test_a_sign_is_one_cell_wide_and_stands_at_every_step_that_is_kept(marks: list[Mark], compared: int | None) -> None:
    found = signs(marks, compared)
    assert set(found) == {mark.step for mark in marks} | ({compared} if compared is not None else set())
    assert {cell_len(sign) for sign in found.values()} <= {1}
    if compared is not None:
        assert found[compared] == COMPARED


def test_a_letter_comes_before_a_name_and_that_before_a_note() -> None:
    note, name, b, c = Mark(4, "", "odd"), Mark(4, "here", ""), Mark(4, "b", ""), Mark(4, "c", "")
    assert signs([note]) == {4: NOTED}
    assert signs([name, note]) == signs([note, name]) == {4: NAMED}
    assert signs([c, b, name, note]) == signs([note, name, b, c]) == {4: "b"}
    assert signs([Mark(4, "界", "")]) == {4: NAMED}


def test_what_was_noted_stands_beside_what_happened_where_there_is_room() -> None:
    noted = Mark(6, "", "the cause")
    assert rows_of([noted], lambda step: READ, 120)[0].text.split() == [
        "6", NOTED, "note", "the", "cause", "read", "src/db.py"
    ]  # fmt: skip
    assert "src/db.py" not in rows_of([noted], lambda step: READ, 60)[0].text
    assert rows_of([Mark(6, "a", "")], lambda step: READ, 60)[0].text.split() == [
        "6", "a", "bookmark", "read", "src/db.py"
    ]  # fmt: skip
    assert "before the first step" in rows_of([Mark(0, "a", "")], lambda step: None, 60)[0].text


def test_where_nothing_is_kept_it_says_how_to_keep_something() -> None:
    said = [row.text for row in rows_of((), lambda step: None, 60)]
    assert said == [BY_THEMSELVES.told(each) for each in NONE]
    assert "m and a letter bookmark a step; ' and the letter go there." in said
    assert "f3 writes a note" in rows_of((), lambda step: None, 60, Keys({"note": ["f3"]}))[-1].text


@given(any_of(Mark))
def test_what_is_kept_is_named_in_a_sentence(mark: Mark) -> None:
    assert all(ord(char) >= 32 for char in said(mark))


@given(TEXTS.filter(bool))
def test_what_is_copied_is_what_was_noted(text: str) -> None:
    assert rows_of([Mark(1, "", text)], lambda step: None, 80)[0].copies == text
