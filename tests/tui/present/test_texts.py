"""Whole texts as rows: every line as it is, in order, and nothing a terminal would obey."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.rows import Moment, clean
from ccos_core.query.hosted.window import AgentWindow
from ccos_core.query.show import ShownText, Texts
from ccos_core.query.windows import Shown
from ccos_core.text.sanitize import surface
from ccos_tui.present.links import link, moment_of
from ccos_tui.present.rows import fitted
from ccos_tui.present.texts import harmless, rows_of, text_of, why_empty, window_rows, window_text
from tests.tui.answers import answer
from tests.tui.present.answers import HOSTILE, NODES, TEXTS, WIDTHS, any_of, check

PAGES = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=20), max_size=8).map("\n".join)


@given(PAGES, WIDTHS)
def test_every_row_fits(text: str, width: int) -> None:
    check(rows_of(text), width)


def test_a_page_break_is_seen_and_moves_nothing() -> None:
    """It stays in a source; a terminal that got it would go down a line."""
    rows = rows_of("first\n\f\nsecond")
    assert [row.text.split()[-1] for row in rows] == ["first", "␌", "second"]
    assert rows[1].copies == "\f"
    assert clean("first\n\f\nsecond") == "first⏎␌⏎second"


@given(any_of(Shown) | any_of(AgentWindow), WIDTHS)
def test_every_row_of_a_window_fits(window: Shown | AgentWindow, width: int) -> None:
    check(window_rows(window), width)
    assert harmless(window_text(window)) == window_text(window)


@given(PAGES.filter(bool))
def test_no_line_is_lost_and_each_can_be_copied(text: str) -> None:
    copied = "\n".join(row.copies for row in rows_of(text))
    lines = surface(text.encode("utf-8", "backslashreplace").decode())[0].replace("\r\n", "\n")
    assert copied.split("\n") == [line or " " for line in lines.removesuffix("\n").split("\n")]


def test_lines_are_numbered_and_tabs_keep_what_is_below_each_other() -> None:
    rows = rows_of("a\tb\nlonger\tb\n", first=40)
    assert [row.text for row in rows] == ["   40 a   b", "   41 longer  b"]
    assert [row.copies for row in rows] == ["a\tb", "longer\tb"]
    assert "".join(span.text for span in fitted(rows[0], 12)) == "   40 a   b "


@given(st.text(), st.text(st.sampled_from("a\udc80\ud800\x1b")))
def test_what_is_handed_out_can_be_written_anywhere(one: str, other: str) -> None:
    harmless(one).encode()
    assert harmless(harmless(other)) == harmless(other)


# ---- what `show` shows ----


@given(any_of(Texts))
def test_there_is_a_text_or_a_reason(texts: Texts) -> None:
    assert harmless(text_of(texts)) == text_of(texts)
    if any(each.text for each in texts.texts):
        assert not why_empty(texts)
    elif not texts.parts:
        assert "can't be opened" in why_empty(texts)


def test_a_file_is_opened_as_it_is_and_a_step_with_names_for_its_parts() -> None:
    file = answer("show", 45, node="src/db.py")
    assert text_of(file) == file.texts[0].text
    assert text_of(file).startswith('"""Orders, kept in SQLite."""')
    step = text_of(answer("show", 11))
    assert step.startswith("-- command: ")
    assert "\n-- output: output\n" in step
    assert "REDACTED_PASSWORD" in step
    assert why_empty(answer("show", 15)).endswith("withheld: secret-path")


def test_what_is_missing_of_a_file_is_said_above_it() -> None:
    part = Texts(4, "file:a.py", 1, None, (ShownText("file", "", "x = 1\n", "lines 2 to 9 were never seen"),))
    assert text_of(part) == "-- file: lines 2 to 9 were never seen\nx = 1\n"


# ---- links ----


@given(st.integers(0, 10**12), st.none() | NODES.filter(lambda node: node and not any(map(str.isspace, node))))
def test_a_link_leads_back(step: int, node: str | None) -> None:
    assert moment_of(link("/some/where/my work.ccos", step, node)) == ("my work.ccos", Moment(step, node))


def test_a_link_is_what_when_says() -> None:
    when = answer("when", 12)
    assert link("demo.ccos", 12) == when.moment


@given(TEXTS)
def test_other_words_are_no_links(text: str) -> None:
    assert moment_of(text) is None
