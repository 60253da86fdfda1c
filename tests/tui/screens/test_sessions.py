"""Picking a session: what is there, searched while somebody types, opened and come back from."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.opening import OpeningScreen, SessionsScreen
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive, opened
from tests.tui.screens.homes import fill, move_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return move_home(tmp_path / "home", monkeypatch)


def picking(story: Callable[[Driven], Awaitable[None]], size: tuple[int, int] = WIDE) -> Driven:
    """The list of sessions, all of them looked at, and what somebody does there."""

    async def run() -> Driven:
        async with opened("", size) as driven:
            await driven.until(lambda: driven.app.listed is not None and driven.app.listed.whole)
            await story(driven)
            return driven

    return asyncio.run(run())


async def nothing(driven: Driven) -> None:
    """Just look."""


def names(driven: Driven) -> list[str]:
    """Which sessions are shown."""
    return [Path(row.copies).stem for row in driven.rows("list")]


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_where_there_is_none_a_demonstration_is_an_enter_away(home: Path, size: tuple[int, int]) -> None:
    async def story(driven: Driven) -> None:
        for words in ("There is no agent session", "An evicted cause", "A forgotten instruction", "A loop"):
            assert driven.shows(words)
        for line in ("claude ", "ccos-tui PATH", "ccos-tui setup"):
            assert driven.shows(line), "three lines get a real one"
        await driven.press("j", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert driven.shows("forgotten  98 steps")
        await driven.press("q")
        assert isinstance(driven.app.screen, SessionsScreen)

    picking(story, size)


def test_where_there_is_none_it_says_where_it_looked(home: Path) -> None:
    async def story(driven: Driven) -> None:
        assert driven.shows("There is no agent session on this machine.")
        for place in ("~/.claude/projects", "~/.codex/sessions", "~/.codex/archived_sessions"):
            assert driven.shows(place)
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert driven.app.steps.head == 61, "the demonstration"

    picking(story)


def test_the_newest_stands_first_and_says_what_it_amounts_to(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        assert sorted(names(driven)[:2]) == ["one", "two"]
        assert names(driven)[2] == "three"
        drift = next(line for line in driven.lines() if "/home/ann/orders" in line)
        began = "Invoices are a hundred times too high."
        for said in ("2026-02-14 09:31", "generic", began, "12 min", "87", "✂ 1", "✗ 3", "42.6 kB"):
            assert said in drift
        assert driven.shows("3 sessions")

    picking(story)


@pytest.mark.parametrize(
    ("size", "there", "away"),
    [(MIDDLE, ["first words", "cuts"], ["model", "records"]), (NARROW, ["cuts", "errors"], ["first words", "length"])],
)
def test_columns_come_and_go_with_the_room(
    home: Path, size: tuple[int, int], there: list[str], away: list[str]
) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        titles = driven.lines()[1]
        assert all(each in titles for each in there)
        assert not any(each in titles for each in away)

    picking(story, size)


def test_typing_after_a_slash_leaves_those_that_match(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("slash")
        await driven.type("orders")
        assert driven.shows('1 of 3 sessions with "orders"'), "while it is typed"
        await driven.press("tab")
        assert names(driven) == ["three"]
        assert driven.shows('1 of 3 sessions with "orders"')
        await driven.press("slash", *["backspace"] * 6)
        await driven.type("nowhere")
        await driven.press("enter")
        assert driven.shows("0 of 3 sessions: none has nowhere in its first words, project, agent, model or path.")
        await driven.press("escape")
        assert len(names(driven)) == 3, "back takes the search away first"
        await driven.press("slash", "c", "o", "d", "escape")
        assert len(names(driven)) == 3, "who thinks better of it sees what was there"

    picking(story)


def test_what_was_searched_is_opened_with_one_enter(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("slash", "enter")
        assert isinstance(driven.app.screen, SessionsScreen), "who searched nothing opens nothing"
        await driven.press("slash")
        await driven.type("o")
        shown = next(each for each in driven.app.screen_stack if isinstance(each, SessionsScreen)).list
        assert shown.count() > 1
        await driven.press("down", "up", "down")
        assert shown.cursor == 1
        below = Path(shown.row_at(1).copies).stem
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert Path(driven.app.transcript).stem == below

    picking(story)


def test_enter_opens_it_and_back_leads_here_again(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("G", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert driven.app.steps.head == 61
        assert driven.shows("three  61 steps")
        await driven.press("S")
        assert isinstance(driven.app.screen, SessionsScreen)
        await driven.press("q")
        assert isinstance(driven.app.screen, Debugger), "the record is still open"
        await driven.press("q")
        assert isinstance(driven.app.screen, SessionsScreen)
        assert not driven.app.is_open
        await driven.press("q")
        assert not driven.runs

    assert picking(story).app.return_code == 0


def test_another_one_takes_its_place(home: Path) -> None:
    lies = fill(home)

    async def story(driven: Driven) -> None:
        for stem, steps in (("three", 61), ("one", None), ("three", 61)):
            rows = names(driven)
            await driven.press("g", *["j"] * rows.index(stem), "enter")
            await driven.until(lambda: isinstance(driven.app.screen, Debugger))
            assert driven.app.transcript == str(next(each for each in lies.values() if each.stem == stem))
            assert steps is None or driven.app.steps.head == steps
            list_of_steps, head = driven.app.home.steps, driven.app.steps.head
            await driven.until(lambda head=head: driven.app.home.steps.layout_of_rows.head == head)
            outline = driven.app.steps.outline
            assert outline is not None
            assert outline.head == head
            assert list_of_steps.count() == len(outline) + 1, "no step was folded: a row for each group"
            await driven.press("b")
            assert list_of_steps.count() == head + 1, "and one for each step"
            await driven.press("S")

    picking(story)


def test_what_needs_a_record_says_so(home: Path) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        for key in ("a", "f", "C", "X", "m", "w", "V", "F"):
            await driven.press(key)
            assert isinstance(driven.app.screen, SessionsScreen), key
        await driven.press("n")
        assert "open one first" in driven.status
        await driven.press("colon")
        await driven.type("recall")
        await driven.press("enter")
        assert "open one first" in driven.status

    picking(story)


def test_a_line_opens_as_well(home: Path) -> None:
    lies = fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("colon")
        await driven.type(f"open {lies['drift']}")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert driven.app.transcript == str(lies["drift"])
        await driven.press("colon")
        await driven.type("verify")
        await driven.press("enter")
        await driven.until(lambda: driven.shows("✓ proven 61 steps"))
        await driven.press("colon")
        await driven.type("sessions")
        await driven.press("enter")
        assert isinstance(driven.app.screen, SessionsScreen)

    picking(story)


def test_what_is_copied_of_a_session_is_its_path(home: Path) -> None:
    lies = fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("G", "y", "y")
        assert driven.app.clipboard == str(lies["drift"])

    picking(story)


def test_one_that_is_gone_since_is_told(home: Path) -> None:
    lies = fill(home)

    async def story(driven: Driven) -> None:
        lies["drift"].unlink()
        await driven.press("G", "enter")
        assert isinstance(driven.app.screen, OpeningScreen)
        assert driven.shows("✗ can't be opened")
        await driven.press("q")
        assert isinstance(driven.app.screen, SessionsScreen)
        await driven.press("q")

    assert picking(story).app.return_code == 0, "the list was left, and nothing was wrong with it"


def test_from_a_workspace_too(home: Path, demo: str) -> None:
    fill(home)

    async def story(driven: Driven) -> None:
        await driven.press("S")
        await driven.until(lambda: driven.app.listed is not None and driven.app.listed.whole)
        assert len(names(driven)) == 3
        await driven.press("q")
        assert isinstance(driven.app.screen, Debugger)

    drive(demo, story)
