"""The search over all sessions: hits come while words are typed, and one that is chosen opens its session there."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.opening import SessionsScreen
from ccos_tui.screens.search_all import SearchScreen
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, opened
from tests.tui.screens.homes import fill, move_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = move_home(tmp_path / "home", monkeypatch)
    fill(folder)
    return folder


def searching(story: Callable[[Driven], Awaitable[None]], size: tuple[int, int] = WIDE, path: str = "search") -> Driven:
    async def run() -> Driven:
        async with opened(path, size) as driven:
            if path == "search":
                await driven.until(lambda: screen(driven).there is not None)
            await story(driven)
            return driven

    return asyncio.run(run())


def screen(driven: Driven) -> SearchScreen:
    return next(each for each in driven.app.screen_stack if isinstance(each, SearchScreen))


async def type_and_wait(driven: Driven, words: str) -> None:
    await driven.type(words)
    await driven.until(lambda: screen(driven).answered_line == words)
    await driven.settle()


def test_a_hit_opens_its_session_at_the_step_with_the_words_marked(home: Path) -> None:
    async def story(driven: Driven) -> None:
        assert driven.shows("Type words to search what was said in every session on this machine.")
        await type_and_wait(driven, "column hold in:prompt")
        assert driven.shows("It is still wrong. What does the column hold?")
        assert driven.shows("1 text in 1 of 3 sessions, newest first")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger) and driven.app.landing is None)
        told = driven.app.steps.told(driven.app.home.here.step)
        assert told is not None
        assert told.kind == "prompt"
        assert driven.app.searched[-1] in ("column", "hold")
        assert set(driven.app.marked_word.split("\n")) == {"column", "hold"}
        await driven.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, SearchScreen))
        assert driven.shows("It is still wrong. What does the column hold?"), "what was found is still there"
        await driven.press("q")
        assert not driven.runs

    searching(story)


def test_each_letter_searches_and_tab_goes_over_to_the_list(home: Path) -> None:
    async def story(driven: Driven) -> None:
        await type_and_wait(driven, "invoi")
        many = len(screen(driven).hits)
        await type_and_wait_more(driven, "ces hundred")
        assert 0 < len(screen(driven).hits) < many
        await driven.press("tab", "j", "j")
        assert driven.app.screen is screen(driven)
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))

    async def type_and_wait_more(driven: Driven, words: str) -> None:
        await driven.type(words)
        await driven.until(lambda: screen(driven).answered_line == "invoices hundred")
        await driven.settle()

    searching(story)


def test_a_session_that_was_imported_before_and_has_grown_is_opened_there_too(home: Path) -> None:
    path = home / ".claude/projects/-home-kim-till/one.jsonl"

    async def first(driven: Driven) -> None:
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))

    searching(first, path=str(path))
    last = json.loads(path.read_text().splitlines()[0])
    grown = {**last, "uuid": "grown", "message": {"role": "user", "content": "Zwetschgen are taxed otherwise."}}
    with path.open("a") as file:
        file.write(json.dumps(grown) + "\n")

    async def story(driven: Driven) -> None:
        await type_and_wait(driven, "zwetschgen")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, Debugger) and driven.app.landing is None)
        assert driven.app.home.here.step == driven.app.steps.head

    searching(story)


def test_nothing_found_and_what_is_wrong_with_a_filter_is_said(home: Path) -> None:
    async def story(driven: Driven) -> None:
        await type_and_wait(driven, "nonesuch")
        assert driven.shows("no text in 3 sessions has all of: nonesuch")
        await driven.press("enter")
        assert driven.app.screen is screen(driven), "there is nothing to open"
        await driven.press("slash")
        await driven.type(" since:banana")
        await driven.until(lambda: driven.shows("banana: isn't a time"))

    searching(story)


def test_it_is_a_key_away_from_everywhere(home: Path) -> None:
    async def from_the_list(driven: Driven) -> None:
        assert isinstance(driven.app.screen, SessionsScreen)
        await driven.press("ctrl+f")
        await driven.until(lambda: screen(driven).there is not None)
        await driven.press("escape", "q")
        await driven.until(lambda: isinstance(driven.app.screen, SessionsScreen))

    async def from_a_session(driven: Driven) -> None:
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        await driven.press("ctrl+f")
        await driven.until(lambda: screen(driven).there is not None)
        await driven.press("escape", "q")
        assert isinstance(driven.app.screen, Debugger)

    searching(from_the_list, path="")
    searching(from_a_session, path=str(home / ".claude/projects/-home-kim-till/one.jsonl"))


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW, (80, 24)], ids=str)
def test_hits_can_be_read_at_every_size(home: Path, size: tuple[int, int]) -> None:
    async def story(driven: Driven) -> None:
        await type_and_wait(driven, "cents in:text")
        assert driven.shows("cents")
        assert driven.shows("claude-code") or driven.shows("demo")
        await driven.resize(70, 20)
        assert driven.shows("cents")

    searching(story, size)
