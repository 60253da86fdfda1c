"""Bookmarks and notes on the screen: kept beside the record, seen where they stand, found again without a screen."""

from __future__ import annotations

import pytest

from ccos_core.storage.marks import marks_of
from ccos_core.storage.opening import open_record
from ccos_core.values.marks import Mark
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive


def kept(path: str) -> list[Mark]:
    with open_record(path) as record:
        return list(marks_of(record))


def test_a_letter_calls_a_step_and_leads_there(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G", "m", "b")
        assert driven.status.startswith(" b marks step 20")
        assert driven.app.home.steps.marks == {20: "b"}
        assert driven.shows("20 b")
        assert driven.app.home.timeline.steps_of("mark") == [20]
        await driven.press("g", "'", "b")
        assert driven.app.home.here.step == 20
        await driven.press("4", "0", "G", "m", "b")
        assert driven.app.home.steps.marks == {40: "b"}

    drive(demo, story, WIDE)
    assert kept(demo) == [Mark(40, "b", "")]


def test_several_letters_at_once_are_all_kept(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for char in "mambmc":
            driven.hold(char, 1)
        await driven.settle()
        assert [mark.name for mark in driven.app.home.marks] == ["a", "b", "c"]
        assert driven.app.home.steps.marks == {61: "a"}

    drive(demo, story, MIDDLE)
    assert len(kept(demo)) == 3


@pytest.mark.parametrize(("keys", "said"), [
    (("m", "5"), "name is one letter"), (("'", "q"), "there is no bookmark q"), (("'", "'"), "no jump yet"),
])  # fmt: skip
def test_what_leads_nowhere_is_said(demo: str, keys: tuple[str, ...], said: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*keys)
        assert said in driven.status
        assert driven.app.home.here.step == 61

    drive(demo, story, MIDDLE)
    assert kept(demo) == []


def test_back_to_where_the_last_jump_began_and_here_again(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G", "'", "'")
        assert driven.app.home.here.step == 61
        await driven.press("'", "'")
        assert driven.app.home.here.step == 20
        await driven.press("j", "j")
        left = driven.app.home.here.step
        assert left > 20
        await driven.press("'", "'")
        assert driven.app.home.here.step == 61
        await driven.press("'", "'")
        assert driven.app.home.here.step == left, "where one left, not where one had jumped to"

    drive(demo, story, MIDDLE)


def test_the_step_that_is_compared_with_is_seen_and_found(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("b", "3", "0", "G", "m", "x", "equals_sign", "G")
        assert driven.app.home.steps.marks == {30: "A"}
        await driven.press("'", "A")
        assert driven.app.home.here.step == 30
        await driven.press("j", "m", "A")
        assert driven.app.home.steps.marks == {30: "x", 31: "A"}
        await driven.press("k", "equals_sign")
        assert driven.app.home.steps.marks == {30: "A"}
        await driven.press("equals_sign")
        assert driven.app.home.steps.marks == {30: "x"}

    drive(demo, story, WIDE)


def test_a_line_that_keeps_something_is_heard_of(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("colon")
        await driven.type("mark here @7")
        await driven.press("enter")
        assert driven.app.home.steps.marks == {7: "◆"}
        assert "kept: mark here at step 7" in driven.status

    drive(demo, story, MIDDLE)


def test_what_was_kept_before_is_there_at_once(demo: str) -> None:
    async def first(driven: Driven) -> None:
        await driven.press("1", "2", "G", "m", "z")

    async def second(driven: Driven) -> None:
        assert driven.app.home.steps.marks == {12: "z"}

    drive(demo, first, MIDDLE)
    drive(demo, second, MIDDLE)


# ---- notes ----


def test_a_note_is_kept_said_otherwise_and_forgotten(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "0", "G", "A")
        await driven.type("the cause [b]left[/b]")
        await driven.press("enter")
        assert "note saved at step 40: the cause [b]left[/b]" in driven.status
        assert driven.app.home.steps.marks == {40: "¶"}
        await driven.press("g", "M")
        assert driven.shows("the cause [b]left[/b]")
        await driven.press("c", *["backspace"] * 4, *"!", "enter")
        assert driven.shows("the cause [b]left!")
        assert not driven.shows("[/b]")
        await driven.press("enter")
        assert driven.app.home.here.step == 40
        await driven.press("M", "d")
        assert driven.shows("deleted: the note “the cause [b]left!”")
        assert driven.shows("There are no bookmarks and notes yet.")
        await driven.press("q")
        assert driven.app.home.steps.marks == {}

    drive(demo, story, WIDE)
    assert kept(demo) == []


def test_a_bookmark_is_called_otherwise(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(
            "8", "G", "m", "a", "9", "G", "m", "b", "M", "j", "i", "backspace", *"here it broke", "enter"
        )
        assert driven.shows("here it broke")

    drive(demo, story, NARROW)
    assert kept(demo) == [Mark(8, "a", ""), Mark(9, "here it broke", "")]


def test_what_cannot_be_called_so_stays_what_it_was(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("8", "G", "m", "a", "M", "c", "backspace", *"12", "enter")
        assert driven.shows("can't be a mark's name")

    drive(demo, story, MIDDLE)
    assert kept(demo) == [Mark(8, "a", "")]


def test_nothing_is_noted_where_somebody_thinks_better_of_it(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("A", *"why", "escape", "A", "space", "enter")
        assert driven.app.home.marks == ()

    drive(demo, story, NARROW)
    assert kept(demo) == []


# ---- links ----


@pytest.mark.parametrize(("link", "step", "node", "said"), [
    ("ccos://demo.ccos/step/6#file:src/db.py", 6, "file:src/db.py", ""),
    ("ccos://demo.ccos/step/12", 12, None, ""),
    ("ccos://demo.ccos/step/1234", 61, None, "there is no step 1,234: the last step is 61"),
    ("ccos://other.ccos/step/6", 61, None, "the link is for other.ccos"),
])  # fmt: skip
def test_a_link_that_was_copied_leads_back(demo: str, link: str, step: int, node: str | None, said: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("colon")
        await driven.type(link)
        await driven.press("enter")
        assert (driven.app.home.here.step, driven.app.home.here.node) == (step, node)
        assert said in driven.status

    drive(demo, story, WIDE)
