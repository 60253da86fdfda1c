"""Every key of the table does something on every screen that lists it, and none of them breaks anything.

The table is the only list there is: a key that is added to it is tried here without another word.
"""

import importlib
import pkgutil
from pathlib import Path

import pytest

import ccos_tui.screens
from ccos_tui.app import CcosApp
from ccos_tui.keys import ACTIONS, EVERYWHERE, HOME, Keys
from ccos_tui.screens.keyed import KeyedScreen
from tests.depth import DEEP
from tests.tui.checking import holds_together
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

LEAVING = ("quit", "back")
CHARS = "ayjZ"
"""What is typed behind a key that wants one more."""


def screens() -> dict[str, type[KeyedScreen]]:
    """Name in the table → the screen."""
    for module in pkgutil.iter_modules(ccos_tui.screens.__path__, "ccos_tui.screens."):
        importlib.import_module(module.name)
    found, kinds = {}, [KeyedScreen]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__dict__.get("keyed"):
            found[kind.keyed] = kind
    return found


SCREENS = screens()
OPENED = {"autopsy": "a", "find": "f", "notes": "M", "settings": "O", "help": "question_mark", "text": "v",
          "statements": "quotation_mark", "claims": "ampersand", "pressure": "percent_sign",
          "memory": "number_sign", "rules": "asterisk", "diary": "semicolon"}  # fmt: skip
"""Screen → the key that opens it from the debugger; those that ask for something first have tests of their own."""


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_somebody_does_it(action):
    """Who may press it may expect something: on its own screen, or wherever keys are heard."""
    word = "do_" + action.id.replace("-", "_")
    wanted = SCREENS.values() if action.where == EVERYWHERE else [SCREENS[action.where]]
    idle = [each.__name__ for each in wanted if not hasattr(each, word) and not hasattr(CcosApp, word)]
    assert not idle


def test_the_tour_goes_everywhere():
    """A screen that is opened by one key of the debugger is in the list above."""
    assert set(OPENED) <= set(SCREENS)


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
@pytest.mark.parametrize("name", [HOME, *OPENED])
def test_every_key_on_every_screen(name, size, demo, tmp_path, monkeypatch):
    if size != MIDDLE and name not in (HOME, "autopsy"):
        pytest.skip("lists alone are the same at any size")
    if size != MIDDLE and not DEEP:
        pytest.skip("start.py test --deep tries every size")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    async def story(driven: Driven) -> None:
        home = driven.app.screen
        if name in OPENED:
            await driven.press(OPENED[name])
            assert driven.app.screen is not home, f"{OPENED[name]} opens {name}"
        depth = len(driven.app.screen_stack)
        screen = driven.app.screen
        for action in Keys().of(name):
            if action.id in LEAVING or action.id == "sessions":  # which leave this record
                continue
            for key in action.keys:
                await driven.press(key, *(CHARS[:1] if action.argument else ""))
                assert driven.runs, key
                holds_together(driven)
                await go_back(driven, depth)
                if driven.app.screen is not screen:  # what it did led somewhere else for good
                    await reopen(driven, name, home)
                    screen = driven.app.screen

    drive(demo, story, size)


async def go_back(driven: Driven, depth: int) -> None:
    """Close what a key has opened."""
    while len(driven.app.screen_stack) > depth:
        driven.app.pop_screen()
        await driven.settle()


async def reopen(driven: Driven, name: str, home: object) -> None:
    """As it was before a key was pressed."""
    while driven.app.screen is not home:
        driven.app.pop_screen()
        await driven.settle()
    if name in OPENED:
        await driven.press(OPENED[name])


def test_leaving_leaves(demo, tmp_path: Path):
    async def story(driven: Driven) -> None:
        await driven.press("a", "Q")
        assert not driven.runs
        assert driven.app.return_code == 0

    drive(demo, story)
