"""The demonstrations: listed with what happens in each, opened, and come back from."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ccos_core.serve.demos.catalogue import DEMOS
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.demos import DemosScreen
from ccos_tui.screens.opening import SessionsScreen
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, opened
from tests.tui.screens.homes import fill, move_home


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return move_home(tmp_path / "home", monkeypatch)


def living(path: str, story: Callable[[Driven], Awaitable[None]], size: tuple[int, int] = WIDE) -> None:
    async def run() -> None:
        async with opened(path, size) as driven:
            await story(driven)

    asyncio.run(run())


async def there(driven: Driven) -> None:
    await driven.until(lambda: isinstance(driven.app.screen, Debugger))


@pytest.mark.parametrize("size", [WIDE, (80, 24), MIDDLE, NARROW], ids=str)
def test_each_says_what_happens_and_enter_opens_it(size: tuple[int, int]) -> None:
    async def story(driven: Driven) -> None:
        for each in DEMOS.values():
            assert driven.shows(each.title)
        assert driven.shows("changes one")
        for _ in range(20):  # the last row that is a demonstration's
            if (chosen := driven.app.screen.list.selected) is not None and chosen.copies == "loop":
                break
            await driven.press("j")
        await driven.press("enter")
        await there(driven)
        assert driven.app.steps.head == 80
        await driven.press("q")
        assert isinstance(driven.app.screen, DemosScreen), "back to where it was chosen"
        await driven.press("q")
        assert not driven.runs

    living("demos", story, size)


@pytest.mark.parametrize("name", DEMOS)
def test_one_is_opened_by_its_name(name: str) -> None:
    async def story(driven: Driven) -> None:
        await there(driven)
        assert driven.shows({"evicted": "61 steps", "forgotten": "98 steps", "loop": "80 steps"}[name])
        await driven.press("q")
        assert not driven.runs

    living(f"demo:{name}", story)


def test_they_are_a_key_away_from_the_sessions(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.app.listed is not None and driven.app.listed.whole)
        await driven.press("d")
        assert isinstance(driven.app.screen, DemosScreen)
        await driven.press("q")
        assert isinstance(driven.app.screen, SessionsScreen)

    living("", story)
