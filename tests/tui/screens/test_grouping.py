"""The list of steps in groups: moving, folding, opening, filtering, and every step still within reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.story import new_session
from tests.tui.driving import MIDDLE, WIDE, Driven, drive


def texts(driven: Driven) -> list[str]:
    """All rows of the list."""
    steps = driven.app.home.steps
    return [steps.row_at(row).text for row in range(steps.count())]


def test_a_call_and_its_effects_are_one_row_and_keys_go_from_row_to_row(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps, home = driven.app.home.steps, driven.app.home
        assert steps.count() < driven.app.steps.head
        await driven.press("g")
        stood = []
        for _ in range(steps.count() - 1):
            await driven.press("j")
            stood.append(home.here.step)
            assert steps.cursor == len(stood)
        assert stood == [steps.layout_of_rows.step_at(row) for row in range(1, steps.count())]
        assert stood[-1] == driven.app.steps.head

    drive(demo, story, MIDDLE)


def test_every_step_is_reached_and_seen_on_its_row(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps, home = driven.app.home.steps, driven.app.home
        for step in range(1, driven.app.steps.head + 1):
            await driven.press(*str(step), "G")
            first, last = steps.span_of(steps.cursor)
            assert home.here.step == step
            assert first <= step <= last
            assert steps.row_at(steps.cursor).text.split()[0] == str(step)

    drive(demo, story, MIDDLE)


def test_a_row_is_opened_and_closed(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        await driven.press("4", "2", "G")
        before, row = texts(driven), steps.cursor
        first, last = steps.span_of(row)
        assert last > first
        await driven.press("s")
        assert steps.count() == len(before) + last - first
        assert driven.app.home.here.step == 42
        assert "closes them" in driven.status
        await driven.press("k")
        assert driven.app.home.here.step == 41
        await driven.press("s", "j", "k")
        assert texts(driven) == before
        await driven.press("1", "G", "s")
        assert "single step" in driven.status

    drive(demo, story, MIDDLE)


def test_every_step_can_be_a_row(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        before = steps.count()
        await driven.press("b")
        assert steps.count() == driven.app.steps.head + 1
        await driven.press("k")
        assert driven.app.home.here.step == driven.app.steps.head - 1
        await driven.press("b")
        assert steps.count() == before

    drive(demo, story, MIDDLE)


def test_turns_are_folded_and_unfolded(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        before = texts(driven)
        await driven.press("u")
        assert steps.count() < len(before)
        assert "▸ prompt" in texts(driven)[steps.cursor]
        assert driven.app.home.here.step == driven.app.steps.head
        await driven.press("u")
        assert texts(driven) == before
        await driven.press("U")
        folded = texts(driven)
        assert "turns folded" in driven.status
        assert sum("▸ prompt" in each for each in folded) >= 2
        await driven.press("U")
        assert texts(driven) == before

    drive(demo, story, WIDE)


def test_a_jump_opens_the_turn_that_hides_its_step(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        await driven.press("U", "4", "2", "G")
        assert driven.app.home.here.step == 42
        assert "▸ prompt" not in texts(driven)[steps.cursor]
        assert "src/api.py" in texts(driven)[steps.cursor]

    drive(demo, story, WIDE)


def test_a_filter_is_shown_and_cleared(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        before = steps.count()
        await driven.press("i")
        await driven.type("edit src/")
        await driven.press("enter")
        rows = texts(driven)[1:]
        assert 0 < len(rows) < before
        assert all("✎" in each or "✗" in each for each in rows)
        assert steps.border_subtitle.startswith("kind=edit file=src/ · ")
        await driven.press("I")
        assert steps.count() == before
        assert steps.border_subtitle == ""

    drive(demo, story, WIDE)


@pytest.mark.parametrize(("text", "said"), [("kind=nonsense", "isn't a kind"), ("nowhere.txt", "no step matches")])
def test_a_filter_that_shows_nothing_says_why(demo: str, text: str, said: str) -> None:
    async def story(driven: Driven) -> None:
        before = driven.app.home.steps.count()
        await driven.press("i")
        await driven.type(text)
        await driven.press("enter")
        assert said in driven.status
        assert driven.app.home.steps.count() == before

    drive(demo, story, WIDE)


def test_a_row_before_hidden_steps_keeps_its_number(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        await driven.press("i")
        await driven.type("prompt")
        await driven.press("enter")
        assert driven.app.home.here.step == driven.app.steps.head
        row = steps.cursor
        assert texts(driven)[row].split()[0] == str(steps.layout_of_rows.step_at(row)) != str(driven.app.steps.head)
        await driven.press("k")
        assert driven.app.home.here.step == steps.layout_of_rows.step_at(row - 1)

    drive(demo, story, WIDE)


def test_the_time_is_of_the_day_or_elapsed(demo: str) -> None:
    async def story(driven: Driven) -> None:
        steps = driven.app.home.steps
        of_day = texts(driven)[-1].split()[1]
        assert ":" in of_day
        await driven.press("T")
        assert "elapsed time" in driven.status
        assert texts(driven)[-1].split()[1] != of_day
        await driven.press("T")
        assert of_day not in texts(driven)[-1]
        assert steps.clock == "no time"

    drive(demo, story, (200, 45))


def test_a_search_shows_the_line_that_it_found(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "slash")
        await driven.type("sqlite3")
        await driven.press("enter")
        row = driven.app.home.steps.selected
        assert row is not None
        assert "sqlite3" in row.text.lower()
        assert any(span.role == "mark" and span.text == "sqlite3" for span in row.spans)

    drive(demo, story, WIDE)


def test_on_a_step_of_a_subagent_its_window_is_shown(tmp_path: Path) -> None:
    said = [("", "look at the shop"), ("scout", "find the price"), ("", "now sell it")]
    with new_session(tmp_path) as session:
        session.record(
            [
                {
                    "kind": "prompt", "said": text, "source": "user", "host": "story", "session": "story-1",
                    "call": text, "actor": "user", **({"context": context} if context else {}),
                }
                for context, text in said
            ]
        )  # fmt: skip

    async def story(driven: Driven) -> None:
        await driven.press("3", "G")
        assert "agent's of subagent scout" in driven.pane("window").border_subtitle
        shown = "\n".join(row.text for row in driven.rows("window"))
        assert "find the price" in shown
        assert "look at the shop    never in this window" in shown
        await driven.press("4", "G")
        assert "subagent" not in driven.pane("window").border_subtitle
        assert "look at the shop" in "\n".join(row.text for row in driven.rows("window"))

    drive(str(tmp_path / "work.ccos"), story)
