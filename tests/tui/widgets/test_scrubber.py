"""The timeline on the screen: what it asks, what it draws again, and where the mouse leads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual import events
from textual.geometry import Region

from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import Focus
from ccos_tui.messages import Refused
from ccos_tui.screens.debugger import Debugger
from ccos_tui.widgets.scrubber import OVERVIEW, Scrubber
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, Place, drive


def home(driven: Driven) -> Debugger:
    screen = driven.app.screen
    assert isinstance(screen, Debugger)
    return screen


def seen(driven: Driven) -> list[str]:
    return driven.part(home(driven).timeline.region)


def lane(driven: Driven, name: str) -> int:
    """The row of the screen a lane is drawn on."""
    timeline = home(driven).timeline
    return timeline.region.y + [band.name for band in timeline._bands].index(name)


def column(driven: Driven, step: int) -> int:
    """The column of the screen a step stands in."""
    timeline = home(driven).timeline
    return timeline.region.x + timeline._room.gutter + timeline.scale.cell(step)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Ask]:
    """What the timeline wanted to know."""
    found: list[Ask] = []
    look = Scrubber.look

    def noted(self: Scrubber, here: Focus) -> Ask | None:
        wanted = look(self, here)
        found.extend([wanted] if wanted is not None else [])
        return wanted

    monkeypatch.setattr(Scrubber, "look", noted)
    return found


# ---- what it shows ----


def test_it_shows_heat_the_hosts_window_and_what_happened(demo: str) -> None:
    async def story(driven: Driven) -> None:
        said = "\n".join(seen(driven))
        for word in ("heat", "window", "! failures", "u prompts", "C compactions", "e edits", "steps"):
            assert word in said
        assert "bookmarks" not in said
        assert "watched" not in said

    drive(demo, story, WIDE)


@pytest.mark.parametrize(("size", "rows"), [(WIDE, 12), (MIDDLE, 7), (NARROW, 2), ((40, 12), 1), ((39, 12), 0)])
def test_it_takes_what_there_is_room_for(demo: str, size: tuple[int, int], rows: int) -> None:
    async def story(driven: Driven) -> None:
        assert (home(driven).timeline.region.height if rows else 0) == rows
        if rows > 1:
            assert "heat" in "\n".join(seen(driven))

    drive(demo, story, size)


def test_the_cursor_is_a_line_through_all_rows(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("3", "0", "g")
        x = column(driven, 30)
        drawn = [line[x] for line in driven.lines()[1 : 1 + len(seen(driven))]]
        assert drawn == [*"┃" * (len(drawn) - 1), "▲"]
        assert " 30 " in seen(driven)[-1]

    drive(demo, story, WIDE)


def test_the_step_to_compare_with_has_its_line(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "g", "equals_sign", "4", "0", "g")
        x = column(driven, 20)
        assert driven.lines()[1][x] == "┊"
        assert seen(driven)[-1][x] == "A"

    drive(demo, story, WIDE)


def test_the_bracket_shows_what_the_list_shows(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g")
        steps = home(driven).steps
        axis = seen(driven)[-1]
        assert axis.index("]") == column(driven, steps.span_of(steps.page - 1)[1])
        steps.scroll_to(y=10, animate=False, force=True)
        await driven.settle()
        axis = seen(driven)[-1]
        assert axis.index("[") == column(driven, steps.span_of(10)[0])

    drive(demo, story, MIDDLE)


def test_a_bookmark_comes_into_its_lane_when_it_is_told_to_look_again(demo: str) -> None:
    async def story(driven: Driven) -> None:
        driven.app.obey("mark here")
        await driven.settle()
        await driven.press("escape")
        home(driven).timeline.again()
        home(driven).tell_panes()
        await driven.settle()
        assert "b bookmarks" in "\n".join(seen(driven))

    drive(demo, story, WIDE)


def test_what_is_watched_has_a_lane(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home(driven).timeline.watch_steps([5, 9, 5])
        await driven.settle()
        row = lane(driven, "watch")
        assert driven.lines()[row][column(driven, 5)] == driven.lines()[row][column(driven, 9)] == "w"

    drive(demo, story, WIDE)


def test_the_changes_that_keys_run_to_stand_in_its_lane(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("6", "g", "w")
        assert "w watched" in "\n".join(seen(driven))
        come: list[int] = []
        while home(driven).here.step not in come:
            come.append(home(driven).here.step)
            await driven.press("right_square_bracket")
        assert len(come) > 2
        assert {*come[1:]} <= {*home(driven).timeline.watched}
        await driven.press("w")
        assert "w watched" not in "\n".join(seen(driven))

    drive(demo, story, WIDE)


def test_why_there_is_no_answer_is_said(demo: str) -> None:
    async def story(driven: Driven) -> None:
        timeline = home(driven).timeline
        timeline.answer = None
        assert timeline.asked is not None
        timeline.refuse(Refused(OVERVIEW, timeline.asked, "the record is damaged", "", ""))
        await driven.settle()
        assert "the record is damaged" in "\n".join(seen(driven))

    drive(demo, story, WIDE)


# ---- what it asks and draws ----


def test_moving_asks_nothing_and_another_width_asks_anew(demo: str, asked: list[Ask]) -> None:
    async def story(driven: Driven) -> None:
        first = len(asked)
        assert {each.words() for each in asked[:1]} == {f"overview --columns {160 - 20 - 1} --commits no"}
        await driven.press("g", "j", "j", "1", "0", "j", "G", "e", "L", "plus", "equals_sign")
        assert len(asked) == first
        await driven.resize(120, 40)
        assert asked[-1].words() == f"overview --columns {120 - 15 - 1} --commits no"

    drive(demo, story, WIDE)


def test_what_others_recorded_is_asked_for_and_has_its_place_at_once(demo: str) -> None:
    async def story(driven: Driven) -> None:
        timeline, here = home(driven).timeline, home(driven).here
        assert timeline.look(here) is None
        driven.app.steps.head += 9
        assert timeline.look(here) is not None
        assert timeline.look(here) is None
        assert timeline.scale.last == 70
        heat = [sign for sign, _ in timeline._bands[2].cells]
        assert {*heat[timeline.scale.end(61) + 1 :]} == {" "}
        driven.app.steps.head -= 9

    drive(demo, story, WIDE)


def test_a_step_draws_the_columns_it_leaves_and_enters(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Region, ...]] = []
    refresh = Scrubber.refresh

    def noted(self: Scrubber, *regions: Region, **how: bool) -> Scrubber:
        drawn.append(regions)
        return refresh(self, *regions, **how)

    async def story(driven: Driven) -> None:
        await driven.press("3", "0", "g")
        monkeypatch.setattr(Scrubber, "refresh", noted)
        await driven.press("j")
        assert drawn
        for regions in drawn:
            assert regions
            assert all(region.width == 1 or region.height == 1 for region in regions)

    drive(demo, story, WIDE)


# ---- the mouse ----


def test_a_click_goes_to_the_step_of_the_column(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.click(Place(column(driven, 17), home(driven).timeline.region.y))
        assert home(driven).here.step == 17
        await driven.press("ctrl+o")
        assert home(driven).here.step == 61

    drive(demo, story, WIDE)


@pytest.mark.parametrize("by", [-1, 0, 1])
def test_a_click_on_a_sign_or_beside_it_goes_to_its_step(demo: str, by: int) -> None:
    async def story(driven: Driven) -> None:
        await driven.click(Place(column(driven, 40) + by, lane(driven, "compaction")))
        assert home(driven).here.step == 40

    drive(demo, story, WIDE)


def test_of_several_in_one_column_each_click_goes_to_the_next(demo: str) -> None:
    async def story(driven: Driven) -> None:
        timeline = home(driven).timeline
        timeline.watch_steps(range(1, 62))
        await driven.press("g")
        place = Place(column(driven, 30), lane(driven, "watch"))
        there = timeline._bands[place.y - timeline.region.y].there[place.x - timeline._room.gutter]
        assert len(there) > 1
        for step in (*there, there[0]):
            await driven.click(place)
            assert home(driven).here.step == step

    drive(demo, story, (*NARROW[:1], 30))


def test_the_wheel_moves_by_a_column(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("3", "0", "g")
        for kind, step in ((events.MouseScrollDown, 31), (events.MouseScrollUp, 30), (events.MouseScrollUp, 29)):
            await driven.pilot._post_mouse_events([kind], Scrubber)
            await driven.settle()
            assert home(driven).here.step == step

    drive(demo, story, WIDE)


async def let_go(driven: Driven, place: Place) -> None:
    await driven.pilot.mouse_up(offset=(place.x, place.y))


async def let_go_elsewhere(driven: Driven, place: Place) -> None:
    """Where nobody heard of it."""


@pytest.mark.parametrize("end", [let_go, let_go_elsewhere])
def test_dragging_scrubs_and_leaves_one_place_to_come_back_to(
    demo: str, end: Callable[[Driven, Place], Awaitable[None]]
) -> None:
    async def story(driven: Driven) -> None:
        y = home(driven).timeline.region.y
        await driven.pilot.mouse_down(offset=(column(driven, 10), y))
        for step in (12, 20, 31):
            moved = (column(driven, step), y + 20)
            await driven.pilot._post_mouse_events([events.MouseMove], offset=moved, button=1)
        await driven.settle()
        assert home(driven).here.step == 31
        await end(driven, Place(column(driven, 31), y))
        await driven.pilot.hover(offset=(column(driven, 50), y))
        await driven.settle()
        assert home(driven).here.step == 31
        await driven.press("ctrl+o")
        assert home(driven).here.step == 61

    drive(demo, story, WIDE)


def test_while_it_is_dragged_the_newest_place_wins() -> None:
    one, other = Scrubber.Scrubbed(3, jump=False), Scrubber.Scrubbed(4, jump=False)
    assert one.can_replace(other)
    assert not one.can_replace(Scrubber.Scrubbed(4, jump=True))
    assert not Scrubber.Scrubbed(4, jump=True).can_replace(one)


def test_the_other_buttons_do_nothing(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.pilot.click(offset=(column(driven, 17), home(driven).timeline.region.y), button=3)
        await driven.settle()
        assert home(driven).here.step == 61

    drive(demo, story, WIDE)


def test_a_click_leaves_the_focus_where_it_is(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.click(Place(column(driven, 17), home(driven).timeline.region.y))
        assert driven.app.focused is home(driven).steps

    drive(demo, story, WIDE)


def test_where_the_mouse_rests_is_told_what_stands_there(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.pilot.hover(offset=(column(driven, 40), lane(driven, "compaction")))
        await driven.settle()
        assert home(driven).timeline.tooltip == "1 compaction\nstep 40"
        await driven.pilot.hover(offset=(2, lane(driven, "prompt")))
        await driven.settle()
        assert home(driven).timeline.tooltip is None

    drive(demo, story, WIDE)


# ---- plain letters ----


def test_it_reads_in_ascii(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCOS_ASCII", "1")

    async def story(driven: Driven) -> None:
        await driven.press("4", "0", "g", "equals_sign", "g")
        assert driven.text.isascii()
        assert "@" in seen(driven)[2]

    drive(demo, story, WIDE)


def test_the_axis_shows_the_steps_the_list_shows_also_where_the_list_is_lower_now(demo: str) -> None:
    """The lane of what fills the window takes its rows from the list below, which stays where it was scrolled to."""

    async def story(driven: Driven) -> None:
        screen = home(driven)
        await driven.press("3", "0", "G")
        high = screen.steps.page
        await driven.press("c")
        assert screen.steps.page < high
        assert screen.timeline.stand.view == screen.steps.shown_steps()

    drive(demo, story, MIDDLE)
