"""Rows: as wide as the screen, whatever they say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.rows import Row, Span, clean, row
from ccos_tui.present.rows import fitted

HOSTILE = st.text(st.sampled_from("ab/ \t\n\r\x00\x1b[]{}漢字ｶée\u0301\u200b\u202e👩‍👧🇦🇹\ufeffi̇ ")) | st.text()
SPANS = st.lists(st.builds(Span, HOSTILE.map(clean), st.sampled_from(["", "bad", "quiet"])), max_size=6)


@given(SPANS, SPANS, st.integers(1, 200))
def test_a_row_is_exactly_as_wide_as_the_screen(left: list[Span], right: list[Span], width: int) -> None:
    spans = fitted(Row(tuple(left), tuple(right)), width)
    assert sum(cell_len(span.text) for span in spans) == width


@given(HOSTILE, st.integers(0, 80))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert cell_len(clip(clean(text), width)) <= width
    assert cell_len(clip_path(clean(text), width)) <= width


@given(HOSTILE)
def test_a_clean_text_has_nothing_a_terminal_obeys(text: str) -> None:
    said = clean(text)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in said)
    assert "\u202e" not in said


def test_brackets_stay_brackets() -> None:
    assert row(clean("[bold]x[/] [@click=quit]")).text == "[bold]x[/] [@click=quit]"


def test_what_stands_at_the_right_stays_whole() -> None:
    spans = fitted(row("a very long name of something", right=("1,234",)), 20)
    assert "".join(span.text for span in spans).endswith(" 1,234")
    assert "…" in "".join(span.text for span in spans)


def test_where_there_is_no_room_for_both_the_left_stays() -> None:
    spans = fitted(row("src/db.py", right=("a very long remark",)), 20)
    assert "".join(span.text for span in spans) == "src/db.py" + " " * 11


def test_of_a_path_the_end_is_kept() -> None:
    assert clip_path("a/very/long/path/to/db.py", 10) == "…/to/db.py"
