"""Running to what the lanes show, going by columns, and playing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_tui.focus import Focus
from ccos_tui.keys import ACTIONS, HOME
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.scrubbing import FAILURE, ran, waited, wall
from tests.tui.answers import answer
from tests.tui.driving import WIDE, Driven, drive

STEPS = st.sets(st.integers(1, 60), max_size=12).map(sorted)


def home(driven: Driven) -> Debugger:
    screen = driven.app.screen
    assert isinstance(screen, Debugger)
    return screen


# ---- where a run ends ----


@given(STEPS, st.integers(0, 61), st.integers(1, 15))
def test_on_it_is_the_next_and_back_the_one_before(steps: list[int], here: int, by: int) -> None:
    later, earlier = [each for each in steps if each > here], [each for each in steps if each < here]
    on, back = ran(steps, here, by), ran(steps, here, -by)
    assert (steps[on] if on is not None else None) == (later[min(by, len(later)) - 1] if later else None)
    assert (steps[back] if back is not None else None) == (earlier[-min(by, len(earlier))] if earlier else None)


@given(STEPS, st.integers(0, 61))
def test_every_one_is_come_to_in_order(steps: list[int], here: int) -> None:
    come: list[int] = []
    while (at := ran(steps, here, 1)) is not None:
        here = steps[at]
        come.append(here)
    assert come == steps[bisect_right(steps, come[0]) - 1 :] if come else bisect_right(steps, here) == len(steps)
    assert bisect_left(steps, here) <= len(steps)


def test_walls_say_which() -> None:
    assert wall(FAILURE, (3,), 1) == "no later failure"
    assert wall(FAILURE, (3,), -1) == "no earlier failure"
    assert wall(FAILURE, (), -1) == "nothing failed in this session"


@given(st.none() | st.integers(-5, 10**13), st.none() | st.integers(-5, 10**13))
def test_one_to_ten_steps_a_second_are_played(at: int | None, after: int | None) -> None:
    assert 0.1 <= waited(at, after) <= 1


@pytest.mark.parametrize(("millis", "seconds"), [(0, 0.1), (100, 0.1), (1_000, 0.5), (2_000, 1), (3_600_000, 1)])
def test_long_pauses_are_cut(millis: int, seconds: float) -> None:
    assert waited(5_000, 5_000 + millis) == seconds


# ---- keys ----

RUNS = [
    ("e", 0, 9, "failure 1 of 3"),
    ("e", 9, 45, "known failure again 2 of 3"),
    ("E", 61, 50, "known failure again 3 of 3"),
    ("right_curly_bracket", 0, 40, "compaction 1 of 1"),
    ("left_curly_bracket", 61, 40, "compaction 1 of 1"),
    ("J", 2, 51, "prompt 2 of 2"),
    ("K", 51, 2, "prompt 1 of 2"),
    ("full_stop", 0, 44, "edit 1 of 6"),
    ("comma", 61, 59, "edit 6 of 6"),
    ("e", 50, 50, "no later failure"),
    ("E", 9, 9, "no earlier failure"),
    ("right_curly_bracket", 40, 40, "no later compaction"),
    ("left_curly_bracket", 3, 3, "no earlier compaction"),
    ("J", 51, 51, "no later prompt"),
    ("K", 0, 0, "no earlier prompt"),
    ("full_stop", 59, 59, "no later edit"),
    ("comma", 44, 44, "no earlier edit"),
    ("right", 61, 61, "this is the last step"),
    ("left", 1, 1, "this is the first step"),
    ("left", 0, 0, "this is the first step"),
]


def test_runs_and_their_walls(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for key, start, end, said in RUNS:
            home(driven).go(home(driven).here.at(start))
            await driven.press(key)
            assert (key, home(driven).here.step) == (key, end)
            assert said in driven.status, key

    drive(demo, story, WIDE)


def test_what_a_run_comes_to_is_what_its_command_finds(demo: str) -> None:
    """`e` runs to the steps that `find fail` finds, and so on with all that have such a command."""
    finding = [each for each in ACTIONS if each.where == HOME and each.command.startswith("find ")]
    runs = [each for each in finding if each.id.endswith("-on")]
    assert len(runs) == 4

    async def story(driven: Driven) -> None:
        for action in runs:
            home(driven).go(home(driven).here.at(0))
            come = [0]
            await driven.press(action.keys[0])
            while home(driven).here.step > come[-1]:
                come.append(home(driven).here.step)
                await driven.press(action.keys[0])
            found = answer("find", expr=action.command.removeprefix("find "), limit="0")
            assert come[1:] == [each.step for each in found.rows]

    drive(demo, story, WIDE)


def test_a_fall_is_called_so(demo: str) -> None:
    async def story(driven: Driven) -> None:
        timeline = home(driven).timeline
        assert timeline.answer is not None
        lanes = [replace(lane, steps=(45,)) if lane.name == "fall" else lane for lane in timeline.answer.lanes]
        timeline.answer = replace(timeline.answer, lanes=tuple(lanes))
        await driven.press("left_curly_bracket")
        assert home(driven).here.step == 45
        assert "unexplained fall 2 of 2" in driven.status
        await driven.press("left_curly_bracket")
        assert "compaction 1 of 2" in driven.status

    drive(demo, story, WIDE)


def test_where_no_test_failed_calls_are_run_to(demo: str) -> None:
    async def story(driven: Driven) -> None:
        timeline = home(driven).timeline
        assert timeline.answer is not None
        lanes = [
            replace(lane, steps=()) if lane.name in ("failure", "again") else lane for lane in timeline.answer.lanes
        ]
        timeline.answer = replace(timeline.answer, lanes=tuple(lanes))
        await driven.press("E")
        assert home(driven).here.step == 50
        assert "call that ended in an error 3 of 3" in driven.status

    drive(demo, story, WIDE)


def test_before_the_answer_is_there_runs_say_so(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home(driven).timeline.answer = None
        await driven.press("E")
        assert home(driven).here.step == 61
        assert "isn't ready yet" in driven.status

    drive(demo, story, WIDE)


def test_a_count_runs_further_and_ends_at_the_last(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "3", "full_stop")
        assert home(driven).here.step == 49
        await driven.press("9", "full_stop")
        assert home(driven).here.step == 59
        await driven.press("2", "comma")
        assert home(driven).here.step == 55
        await driven.press("5", "right")
        assert home(driven).here.step == 60
        await driven.press("1", "0", "h")
        assert home(driven).here.step == 50

    drive(demo, story, WIDE)


def test_runs_can_be_taken_back(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "e", "right_curly_bracket")
        assert home(driven).here.step == 40
        await driven.press("ctrl+o")
        assert home(driven).here.step == 9
        await driven.press("ctrl+o")
        assert home(driven).here.step == 0

    drive(demo, story, WIDE)


def test_columns_are_those_of_the_timeline(demo: str) -> None:
    async def story(driven: Driven) -> None:
        scale = home(driven).timeline.scale
        assert scale.width < 61
        await driven.press("g", "l")
        come = [home(driven).here.step]
        for _ in range(scale.width - 2):
            await driven.press("l")
            come.append(home(driven).here.step)
        assert come == [scale.step(cell) for cell in range(1, scale.width)]

    drive(demo, story, (60, 30))


# ---- playing ----


def test_it_plays_until_a_key_is_pressed(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "2", "space")  # slowly, or a busy machine is at the end before anybody looks
        assert "playing" in driven.status
        await driven.until(lambda: home(driven).here.step >= 2)
        await driven.press("Z")
        at, row = home(driven).here.step, home(driven).steps.cursor
        assert home(driven).playing is None
        await driven.press("j")
        assert home(driven).steps.cursor == row + 1
        assert home(driven).here.step > at

    drive(demo, story, WIDE)


def test_it_plays_every_step_also_those_within_a_row(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window and the timeline change from step to step, and not from row to row."""

    async def story(driven: Driven) -> None:
        debugger, come = home(driven), list[int]()
        debugger.go(debugger.here.at(50))
        await driven.settle()
        row, go = debugger.steps.cursor, debugger.go

        def went(here: Focus, *, jump: bool = False) -> None:
            come.append(here.step)
            go(here, jump=jump)

        monkeypatch.setattr(debugger, "go", went)
        await driven.press("1", "0", "space")
        await driven.until(lambda: debugger.playing is None)
        assert come == list(range(51, 62))
        assert debugger.steps.cursor - row < len(come)

    drive(demo, story, WIDE)


def test_a_tick_that_was_on_its_way_does_not_play_on(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "1", "0", "space")
        ticking = home(driven).playing
        assert ticking is not None
        await driven.press("space")
        step = home(driven).here.step
        ticking._callback()
        assert home(driven).playing is None
        assert home(driven).here.step == step

    drive(demo, story, WIDE)


def test_space_pauses_and_goes_on(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "1", "0", "space", "space")
        assert home(driven).playing is None
        assert "paused" in driven.status
        await driven.press("1", "0", "space")
        assert home(driven).playing is not None

    drive(demo, story, WIDE)


def test_it_plays_to_the_end_and_stays(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("6", "0", "g", "1", "0", "space")
        await driven.until(lambda: home(driven).playing is None)
        assert home(driven).here.step == 61
        assert "this is the last step" in driven.status
        await driven.press("space")
        assert home(driven).playing is None

    drive(demo, story, WIDE)


def test_it_pauses_when_another_screen_comes(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "1", "0", "space")
        driven.app.obey("when")
        await driven.settle()
        assert driven.app.home.playing is None

    drive(demo, story, WIDE)
