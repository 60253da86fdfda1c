"""Any size of a terminal, and any size of a session: none breaks the screens, and all of them say something."""

import random
import sqlite3
from pathlib import Path

import pytest

from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session
from tests.depth import at_depth
from tests.tui.checking import holds_together, panes_fit_any_width
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

SIZES = at_depth(50, 200)
"""Drawn ones; of each only the layout is tried, and of every tenth what is to be seen."""
KEYS = (
    *"jkgG", "enter", *"wdWxtpeELJKhlzz", "plus", "left_square_bracket", "right_square_bracket", "left_curly_bracket",
    "space", "a",
)  # fmt: skip


def test_many_sizes(demo):
    """As when somebody drags the corner of a window, the smallest that there is included."""
    chance = random.Random(11)
    sizes = [(10, 3), (1, 1), (40, 12), (39, 12), (40, 11), (300, 90)]
    sizes += [(chance.randint(1, 260), chance.randint(1, 80)) for _ in range(SIZES - len(sizes))]

    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G", "enter", "w", "W")
        for number, (width, height) in enumerate(sizes):
            await driven.pilot.resize_terminal(width, height)
            if number % 10 == 0 or number < 6:
                await driven.settle()
                holds_together(driven)
        await driven.resize(*WIDE)
        assert driven.has("steps")
        assert driven.has("window")
        panes_fit_any_width(driven)

    drive(demo, story)


def test_too_small_is_said_politely(demo):
    async def story(driven: Driven) -> None:
        assert "too small" in " ".join(driven.text.split())
        await driven.press("j", "a", "q")
        await driven.resize(*MIDDLE)
        assert driven.has("steps")

    drive(demo, story, (39, 11))


def test_all_of_it_is_said_on_the_smallest_of_screens(demo):
    async def story(driven: Driven) -> None:
        assert "too small: at least 40 by 12" in driven.text
        assert "asks the same" in " ".join(driven.text.split())

    drive(demo, story, (30, 8))


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
@pytest.mark.parametrize("steps", [1, 2])
def test_next_to_nothing_was_recorded(tmp_path, size, steps):
    """An empty record holds its first epoch alone; then somebody says something."""
    path = short(tmp_path / "short.ccos", steps)

    async def story(driven: Driven) -> None:
        assert driven.app.steps.head == steps
        for key in KEYS:
            await driven.press(key)
            holds_together(driven)

    drive(path, story, size)


def short(path: Path, steps: int) -> str:
    """A record of so many steps."""
    init_elsewhere(str(path), "/home/ann/short", 1_771_061_460_000)
    with open_session(str(path), clock=lambda: 1_771_061_460_000) as session:
        session.record([{"kind": "prompt", "said": f"say {each}", "source": "user"} for each in range(1, steps)])
    return str(path)


def test_a_damaged_record_is_looked_at_up_to_the_damage(demo):
    """The list ends where nothing can be read any more, and what is broken is told."""
    with sqlite3.connect(demo) as record:
        record.execute("UPDATE op SET body = zeroblob(8) WHERE step = 40")
    record.close()

    async def story(driven: Driven) -> None:
        holds_together(driven)
        for key in ("j", "k", "g", "3", "9", "G", "enter", "w", "W", "d", "a"):
            await driven.press(key)
            assert driven.runs
            holds_together(driven)

    drive(demo, story, MIDDLE)


def test_a_held_key_leaves_one_question_a_pane(demo):
    """Five hundred presses that come at once: nothing piles up, and the end is where it should be."""

    async def story(driven: Driven) -> None:
        await driven.press("g")
        engine, most = driven.app.engine, 0
        ask_all = engine.ask_all

        def counted(questions):
            nonlocal most
            ask_all(questions)
            most = max(most, engine._queue.waiting)

        engine.ask_all = counted
        driven.hold("j", 500)
        await driven.until(lambda: driven.app.home.here.step == driven.app.steps.head)
        panes = len(list(driven.app.home.panes()))
        assert 0 < most <= 2 * panes + 2, "one for each pane, what it asks besides, the state and the overview"
        assert driven.app.home.here.step == driven.app.steps.head

    drive(demo, story)
