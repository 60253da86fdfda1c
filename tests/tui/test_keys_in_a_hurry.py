"""Keys of any keyboard, held down, typed ahead and counted without end: nothing breaks, and the reader stays the one
who decides where to stand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from ccos_tui.app import CcosApp
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.keyed import MOST
from ccos_tui.screens.prompt import Prompt
from tests.tui.driving import MIDDLE, Driven, drive

TRANSCRIPT = Path(__file__).parents[2] / "sample_workspaces" / "transcripts" / "claude_code.jsonl"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one session of an agent in it."""
    folder = tmp_path / "home"
    (folder / ".claude" / "projects" / "-x").mkdir(parents=True)
    shutil.copy(TRANSCRIPT, folder / ".claude" / "projects" / "-x" / "one.jsonl")
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.mark.parametrize("key", ["²", "①", "߅", "٣"])
def test_what_only_unicode_calls_a_digit_counts_nothing(demo: str, key: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(key, "k")
        assert driven.app.home.here.step == 60

    drive(demo, story, MIDDLE)


def test_a_budget_has_an_end(demo: str) -> None:
    async def story(driven: Driven) -> None:
        driven.hold("+", 60)
        await driven.settle()
        assert driven.app.home.here.budget == MOST
        assert driven.rows("window")

    drive(demo, story, MIDDLE)


def test_any_key_ends_a_run_of_many(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "G", "enter", "w")
        assert driven.app.home.here.node is not None
        driven.hold("9", 7)
        driven.hold("right_square_bracket", 1)
        driven.hold("7", 1)
        driven.hold("G", 1)
        await driven.settle()
        assert driven.app.home.here.step == 7

    drive(demo, story)


def test_opening_the_same_again_and_again_opens_it(demo: str, tmp_path: Path) -> None:
    other = shutil.copy(demo, tmp_path / "other.ccos")

    async def story(driven: Driven) -> None:
        for _ in range(3):
            driven.app.obey(f"open {other}")
        await driven.settle()
        driven.app.obey("open /nowhere/at/all")
        driven.app.obey(f"open {other}")
        await driven.settle()
        assert [type(screen) for screen in driven.app.screen_stack[1:]] == [Debugger]
        assert driven.app.name_of_record == "other"
        await driven.press("k")
        assert driven.app.home.here.step == 60

    drive(demo, story, MIDDLE)


def test_enter_held_on_a_session_opens_it_once(home: Path) -> None:
    async def story(driven: Driven) -> None:
        await found(driven)
        driven.hold("enter", 5)
        await driven.until(lambda: driven.app.is_open and isinstance(driven.app.screen, Debugger))
        assert [type(screen) for screen in driven.app.screen_stack[1:]] == [Debugger]

    drive("", story, MIDDLE)


def test_keys_typed_ahead_are_for_what_comes(home: Path) -> None:
    """`q q`: back to the sessions, and out; in the middle of which a screen is made and taken away."""

    async def story(driven: Driven) -> None:
        await found(driven)
        await driven.press("enter")
        await driven.until(lambda: driven.app.is_open and isinstance(driven.app.screen, Debugger))
        driven.hold("q", 2)
        await driven.until(lambda: not driven.runs)
        assert driven.app._exception is None
        assert driven.app.return_code == 0

    drive("", story, MIDDLE)


@pytest.mark.parametrize("opens", ["/", ":", "f"])
def test_what_is_typed_before_a_line_is_there_stands_in_it(demo: str, opens: str) -> None:
    """In one go, as a fast typist's or a macro's: no letter is lost, turned round, or taken for a key."""

    async def story(driven: Driven) -> None:
        for char in (opens, *"tool=Bash error"):
            driven.hold(char, 1)
        await driven.settle()
        await driven.until(lambda: isinstance(driven.app.screen, Prompt))
        await driven.settle()
        assert driven.app.screen.query_one(Input).value == "tool=Bash error"

    drive(demo, story, MIDDLE)


def test_a_line_and_its_end_typed_at_once_are_obeyed(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for char in (":", *"goto 40"):
            driven.hold(char, 1)
        driven.hold("enter", 1)
        await driven.until(lambda: driven.app.home.here.step == 40)

    drive(demo, story, MIDDLE)


def test_mashed_keys_break_nothing(home: Path) -> None:
    keys = ("enter", "j", "d", "enter", "S", "S", "enter", "d", "escape", "enter", "k", "S", "d", "d", "enter") * 2

    async def story(driven: Driven) -> None:
        await found(driven)
        for key in keys:
            if not driven.runs:
                break
            driven.hold(key, 2)
            await driven.pilot.pause(0.01)
        await driven.settle()
        assert driven.app._exception is None

    drive("", story, MIDDLE)


async def found(driven: Driven) -> None:
    """All sessions were looked at."""
    app: CcosApp = driven.app
    await driven.until(lambda: app.listed is not None and app.listed.whole)
