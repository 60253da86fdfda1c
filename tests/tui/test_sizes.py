"""Any size of a terminal, and any size of a session: none breaks the screens, and all of them say something."""

import random
import sqlite3
from pathlib import Path

import pytest

from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session
from tests.tui.checking import holds_together, panes_fit_any_width
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

SIZES = 200


def test_two_hundred_sizes(demo):
    """As when somebody drags the corner of a window, the smallest that there is included."""
    chance = random.Random(11)
    sizes = [(10, 3), (1, 1), (40, 12), (39, 12), (40, 11), (300, 90)]
    sizes += [(chance.randint(1, 260), chance.randint(1, 80)) for _ in range(SIZES - len(sizes))]

    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G", "enter", "w", "W")
        for number, (width, height) in enumerate(sizes):
            await driven.resize(width, height)
            if number % 10 == 0 or number < 6:
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


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_next_to_nothing_was_recorded(tmp_path, size, steps):
    """An empty record has its first epoch, which is a step; then something happens, or doesn't."""
    path = short(tmp_path / "short.ccos", steps)

    async def story(driven: Driven) -> None:
        assert driven.app.steps.head == steps
        for key in ("j", "k", "g", "G", "enter", "w", "d", "W", "x", "t", "p", "e", "E", "L", "plus", "left_square_bracket",
                    "right_square_bracket", "left_curly_bracket", "J", "K", "h", "l", "z", "z", "space", "a"):  # fmt: skip
            await driven.press(key)
            holds_together(driven)

    drive(path, story, size)


def short(path: Path, steps: int) -> str:
    """A record of so many steps."""
    init_elsewhere(str(path), "/home/ann/short", 1_771_061_460_000)
    with open_session(str(path), clock=lambda: 1_771_061_460_000) as session:
        session.record([{"kind": "prompt", "actor": "user", "text": f"say {each}"} for each in range(1, steps)])
    if not steps:
        with sqlite3.connect(path) as record:
            assert record.execute("SELECT count(*) FROM op").fetchone()
    return str(path)
