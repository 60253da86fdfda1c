"""What is typed and pasted is text: it gets to no terminal as anything else, finds what it says, and is answered."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.widgets import Input

from ccos_core.text.boolean import quoted
from ccos_core.text.scan import Scan
from tests.tui.driving import MIDDLE, Driven, drive

OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
NASTY = "zz\x1b]52;c;aGk=\x07\x1b[31m\x00\x9b2J\u202e \"' [@click=app.bell]x[/]"


def nothing_is_obeyed(driven: Driven) -> None:
    assert not [line for line in driven.lines() if OBEYED.search(line)]


@pytest.mark.parametrize("key", [":", "/", "f", "B", "C", "X", "ctrl+p"])
def test_what_is_pasted_is_spelled_out(demo: str, key: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*(["X", "c"] if key == "X" else [key]))
        driven.app.post_message(events.Paste(NASTY))
        await driven.settle()
        assert "zz" in driven.app.screen.query_one(Input).value
        nothing_is_obeyed(driven)
        await driven.press("enter")
        nothing_is_obeyed(driven)

    drive(demo, story, MIDDLE)


def test_what_is_said_is_spelled_out(demo: str) -> None:
    async def story(driven: Driven) -> None:
        driven.app.home.said(NASTY)
        assert "zz" in driven.status
        nothing_is_obeyed(driven)

    drive(demo, story, MIDDLE)


def test_a_note_that_is_changed_is_spelled_out(demo: str) -> None:
    async def story(driven: Driven) -> None:
        driven.app.prompt("note ", lambda text: None, filled=NASTY, before=[NASTY])
        await driven.settle()
        nothing_is_obeyed(driven)
        await driven.press("up")
        assert driven.shows("zz")
        nothing_is_obeyed(driven)

    drive(demo, story, MIDDLE)


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("\"'\\ |()", max_size=6))
def test_any_text_can_be_searched(text: str) -> None:
    scan = Scan(quoted(text) + " | first")
    assert scan.quoted() == text
    assert scan.takes("|")


@pytest.mark.parametrize("text", ["a\"b'c", "\\", "'\"", "x | first"])
def test_a_search_with_signs_in_it_is_a_search(demo: str, text: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "slash")
        driven.app.screen.query_one(Input).value = text
        await driven.press("enter")
        assert "occurs in no step after this one" in driven.status

    drive(demo, story)


@pytest.mark.parametrize(
    ("line", "said"), [("foo", "foo: isn't a command"), ("why nosuch", "nosuch"), ("goto 99999", "there is no step")]
)
def test_a_line_without_an_answer_is_answered(demo: str, line: str, said: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("colon")
        driven.app.screen.query_one(Input).value = line
        await driven.press("enter")
        assert said in driven.status

    drive(demo, story)
