"""The Step pane: it shows the step at the cursor, unfolds, follows what a row names, marks what is searched."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from ccos_tui.widgets.step_pane import StepPane
from tests.tui.driving import Driven, drive

FAILED, EDITED = 53, 45
"""Steps of the demonstration: a test run that fails, and a prompt's edit."""


def pane_of(driven: Driven) -> StepPane:
    pane = driven.pane("step")
    assert isinstance(pane, StepPane)
    return pane


def foot_of(driven: Driven) -> str:
    return driven.part(driven.app.screen.query_one("#foot").region)[0]


def shown(driven: Driven) -> str:
    return "\n".join(row.text for row in driven.rows("step"))


def test_it_shows_the_step_at_the_cursor(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for step in (2, 11, 40):
            await driven.press(*str(step), "G")
            answer = pane_of(driven).answer
            assert answer.at == step
            assert answer.parts[0].text.split("\n")[0][:30] in shown(driven)
        await driven.press("g")
        assert shown(driven) == "Nothing has happened yet."

    drive(demo, story)


def test_a_row_of_several_steps_is_shown_whole_and_one_that_is_opened_step_by_step(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press(*str(FAILED), "G", "k", "j")
        assert home.steps.is_several(home.here.step)
        asked = pane_of(driven).answer
        assert "part of" not in [part.title for part in asked.parts]
        await driven.press("s")
        assert not home.steps.is_several(home.here.step)
        assert [part.title for part in pane_of(driven).answer.parts][-1] == "part of"

    drive(demo, story)


def test_enter_on_a_heading_selects_its_file_and_on_a_step_number_goes_there(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        effects = [at for at in range(1, 46) if driven.app.steps.told(at).kind == "read"]  # type: ignore[union-attr]
        await driven.press("b", *str(effects[0]), "G", "P")
        pane = pane_of(driven)
        assert pane.has_focus
        await driven.press("g", "enter")
        assert home.here.node == f"file:{pane.answer.parts[0].path}"
        await driven.press("P", "G", "enter")
        assert home.here.step == effects[0] - 1

    drive(demo, story)


def test_enter_on_a_row_follows_a_path_or_symbol_that_the_record_knows(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press(*str(FAILED), "G", "P")
        pane = pane_of(driven)
        rows = driven.rows("step")
        at = next(at for at, row in enumerate(rows) if "src/" in row.text and ".py" in row.text)
        pane.select(at)
        await driven.press("enter")
        assert home.here.node is not None
        assert home.here.node.startswith(("file:src/", "sym:src/"))

    drive(demo, story)


def test_a_searched_word_is_marked_in_the_pane_and_escape_unmarks_it(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "slash", *"def test", "enter")
        pane = pane_of(driven)
        row = pane.row_at(pane.cursor)
        assert any(span.role == "found" and span.text.lower() == "def test" for span in row.spans)
        await driven.press("P", "n")
        step, cursor = driven.app.home.here.step, pane.cursor
        assert any(span.role == "found" for span in pane.row_at(cursor).spans)
        await driven.press("escape")
        assert driven.app.marked_word == ""
        assert (driven.app.home.here.step, pane.has_focus) == (step, True)
        assert not any(span.role == "found" for row in driven.rows("step") for span in row.spans)
        await driven.press("escape")
        assert driven.app.home.steps.has_focus

    drive(demo, story)


def test_text_can_be_selected(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*str(FAILED), "G", "P")
        pane = pane_of(driven)
        rows = driven.rows("step")
        at = next(at for at, row in enumerate(rows) if len(row.text) > 12)
        assert pane.get_selection(Selection(Offset(1, at), Offset(4, at + 1))) == (
            "\n".join([rows[at].text[1:], rows[at + 1].text[:4]]), "\n"
        )  # fmt: skip
        assert pane.get_selection(Selection(None, None))[0] == "\n".join(row.text for row in rows)  # type: ignore[index]
        before = pane.render_line(at)
        pane.screen.selections = {pane: Selection(Offset(1, at), Offset(9, at))}
        await driven.settle()
        assert [each.style for each in pane.render_line(at)] != [each.style for each in before]
        assert pane.screen.get_selected_text() == rows[at].text[1:9]
        await driven.press("y", "y")
        assert "copied the selected text, 8 characters" in driven.status

    drive(demo, story)


@pytest.mark.parametrize(("size", "panes"), [
    ((160, 45), {"steps", "window", "step"}), ((120, 45), {"steps", "window", "step"}),
    ((100, 30), {"steps", "step"}), ((99, 30), {"steps"}), ((60, 20), {"steps"}),
])  # fmt: skip
def test_panes_by_width(size: tuple[int, int], panes: set[str], demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        assert {pane.id for pane in (*home.panes(), home.steps) if pane.display} == panes
        await driven.press("enter")
        assert pane_of(driven).display

    drive(demo, story, size=size)


def test_the_watch_pane_takes_no_room_until_something_is_watched(demo: str) -> None:
    async def story(driven: Driven) -> None:
        watch = driven.pane("watch")
        assert not watch.display
        await driven.press("tab")
        assert not watch.display
        await driven.press("shift+tab", "5", "3", "G", "enter", "w")
        assert watch.display
        await driven.press("w")
        assert not watch.display

    drive(demo, story)


def test_the_foot_names_the_keys_of_the_pane_that_has_the_focus(demo: str) -> None:
    async def story(driven: Driven) -> None:
        assert "step" in foot_of(driven)
        assert "unfold" not in foot_of(driven)
        await driven.press("P")
        assert "unfold" in foot_of(driven)

    drive(demo, story)
