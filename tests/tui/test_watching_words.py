"""Words are watched like files: marked in the Step pane, selected with the mouse, or typed; then run to their loss."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from ccos_tui.widgets.step_pane import StepPane
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

SAID, LOST = 2, 40
"""Steps of the demonstration: the prompt that says the words, and the compaction that drops them."""
FIRST, SECOND = "Invoices are a hundred times too high.", "Fix it."


def step_pane(driven: Driven) -> StepPane:
    return driven.app.screen.query_one(StepPane)


def marked(driven: Driven) -> str:
    pane = step_pane(driven)
    rows = [pane.row_at(index) for index in range(pane.count())]
    found = ("".join(span.text for span in row.spans if span.role.startswith("sentence")) for row in rows)
    return " ".join(filter(None, found))


async def stand_at_the_words(driven: Driven) -> None:
    await driven.press(str(SAID), "G", "P", "j")


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_the_sentence_at_the_cursor_is_marked_and_w_watches_it(demo: str, size: tuple[int, int]) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await stand_at_the_words(driven)
        assert marked(driven) == FIRST
        await driven.press("right_parenthesis")
        assert marked(driven) == SECOND
        await driven.press("right_parenthesis")
        assert "no later sentence" in driven.status
        await driven.press("left_parenthesis", "w")
        assert [each.node for each in home.watches.each] == [f"words:{FIRST}"]
        await driven.press("right_square_bracket")
        assert home.here.step == LOST
        await driven.press("left_square_bracket")
        assert home.here.step == SAID
        await driven.press("P", "j", "w")
        assert not home.watches.each

    drive(demo, story, size)


def test_the_watch_pane_shows_words_with_their_strip(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await stand_at_the_words(driven)
        await driven.press("w")
        row = next(row for row in driven.rows("watch") if "●" in row.text)
        assert "Invoices" in row.text
        assert "○" in row.text
        assert "left 1x" in row.text

    drive(demo, story)


def test_words_selected_with_the_mouse_are_watched(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await stand_at_the_words(driven)
        pane = step_pane(driven)
        begin = pane.row_at(1).text.index("hundred")
        pane.screen.selections = {pane: Selection(Offset(begin, 1), Offset(begin + len("hundred times"), 1))}
        await driven.press("w")
        assert [each.node for each in driven.app.home.watches.each] == ["words:hundred times"]

    drive(demo, story)


def test_on_a_heading_w_watches_its_file_and_in_code_the_line(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        reads = [at for at in range(1, 46) if driven.app.steps.told(at).kind == "read"]  # type: ignore[union-attr]
        await driven.press("b", *str(reads[0]), "G", "P", "g", "w")
        pane = step_pane(driven)
        assert [each.node for each in home.watches.each] == [f"file:{pane.answer.parts[0].path}"]
        assert not marked(driven)
        index = next(at for at in range(pane.count()) if "def " in pane.row_at(at).text)
        pane.select(index)
        line = pane.row_at(index).copies
        await driven.press("w")
        assert home.watches.each[-1].node == "words:" + " ".join(line.split())

    drive(demo, story)


def test_why_in_the_step_pane_explains_the_words(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await stand_at_the_words(driven)
        await driven.press("w", "right_square_bracket", "W")
        shown = " ".join(" ".join(row.text.split()) for row in driven.rows("why"))
        assert "out since 40: prompt 2 was dropped by that compaction" in shown
        assert "its summary doesn't repeat it" in shown

    drive(demo, story)


def test_in_a_narrow_pane_the_reason_is_not_cut_short(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await stand_at_the_words(driven)
        await driven.press("w", "right_square_bracket", "W")
        shown = " ".join(" ".join(line.split()) for line in driven.pane_lines("why"))
        assert "prompt 2 was dropped by that compaction, and its summary doesn't repeat it" in shown

    drive(demo, story, NARROW)
