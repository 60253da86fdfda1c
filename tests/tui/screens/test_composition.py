"""The composition pane, its lane in the timeline, and the order of the agent's window."""

from __future__ import annotations

import pytest

from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive
from tests.tui.screens.test_running import listening


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_a_key_shows_what_fills_the_window_and_takes_it_away(demo: str, size: tuple[int, int]) -> None:
    async def story(driven: Driven) -> None:
        assert not driven.shows("░ system")
        await driven.press("3", "0", "G", "c")
        assert driven.app.home.active == "composition"
        assert any("system prompt and tools" in row.text for row in driven.rows("composition"))
        lane = driven.shows("░ system")
        assert lane == (size != NARROW), "the lane takes room only where there is any"
        await driven.press("c")
        assert driven.app.home.active == "steps"
        if size != WIDE:
            assert not driven.shows("░ system")

    drive(demo, story, size)


def test_another_pane_in_its_place_gives_the_room_back(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("c")
        assert driven.shows("░ system")
        await driven.press("d")
        assert not driven.shows("░ system")

    drive(demo, story, WIDE)


@pytest.mark.parametrize("size", [WIDE, MIDDLE], ids=str)
@pytest.mark.parametrize("leaving", ["d", "q", "escape"])
def test_a_pane_that_is_left_gives_its_place_back_to_the_step(demo: str, size: tuple[int, int], leaving: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("3", "0", "G", "d")
        assert "diff" in driven.app.home.shape.panes
        await driven.press(leaving)
        assert driven.app.home.active == "steps"
        assert "diff" not in driven.app.home.shape.panes
        assert "step" in driven.app.home.shape.panes

    drive(demo, story, size)


def test_moving_asks_for_the_course_once(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("c")
        driven.app.home.steps.focus()
        asked = listening(driven)
        await driven.press("k", "k", "g", "j")
        slots = [slot for slot, _ in asked]
        assert "composition" in slots
        assert "course" not in slots

    drive(demo, story, WIDE)


def test_the_window_is_ordered_by_size_or_by_age(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("3", "0", "G")
        sizes = _files(driven)
        assert [size for size, _ in sizes] == sorted((size for size, _ in sizes), reverse=True)
        driven.app.home.show_pane("window")
        await driven.press("s")
        assert "the newest items first" in driven.status
        ages = _files(driven)
        assert [step for _, step in ages] == sorted((step for _, step in ages), reverse=True)
        assert sorted(ages) == sorted(sizes)
        assert ages != sizes

    drive(demo, story, WIDE)


def _files(driven: Driven) -> list[tuple[int, int]]:
    """(tokens, step) of the files in the window, in their order."""
    answer = driven.app.home.query_one("#window").answer
    by_node = {item.node: (item.tokens, item.step) for item in answer.items if item.kind == "read"}
    rows = [row for row in driven.rows("window") if row.leads is not None]
    return [by_node[row.leads.node] for row in rows if row.leads is not None and row.leads.node in by_node]
