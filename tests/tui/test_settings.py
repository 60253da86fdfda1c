"""Settings: what is understood holds, what isn't is told, and to change one changes nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_tui.keys import ACTIONS, Keys
from ccos_tui.settings import TYPES, Settings, changed, read, template
from ccos_tui.themes import OURS
from tests.tui.driving import WIDE, Driven, drive

VALUES = st.one_of(
    st.tuples(st.just("theme"), st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20)),
    st.tuples(st.sampled_from(["ascii", "mouse"]), st.booleans()),
    st.tuples(st.just("budget"), st.integers(1, 2**31)),
    st.tuples(st.just("lens"), st.sampled_from(["working-set", "host", "both"])),
)


def test_nothing_said_is_what_it_is_by_itself() -> None:
    assert read("") == (Settings(), [])


def test_the_template_says_what_is_in_force_anyway() -> None:
    assert read(template()) == (Settings(), [])
    said = "\n".join(line.removeprefix("# ") for line in template().splitlines() if " = " in line or line == "[keys]")
    found, troubles = read(said)
    assert troubles == []
    assert found.theme == Settings().theme
    assert dict(found.keys) == {each.id: each.keys for each in ACTIONS}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("them = 'x'", "did you mean 'theme'?"),
        ("budget = 'much'", "budget can't be 'much'"),
        ("budget = 0", "budget can't be 0"),
        ("mouse = 1", "mouse can't be 1"),
        ("[keys]\nfailure-onn = 'e'", "did you mean 'failure-on'?"),
        ("[keys]\nhelp = []", "the keys of help"),
        ("theme = ", "isn't TOML"),
    ],
)
def test_what_is_not_understood_is_told_and_keeps_nobody_out(text: str, told: str) -> None:
    found, troubles = read(text)
    assert found == Settings()
    assert len(troubles) == 1
    assert told in troubles[0]


def test_a_theme_that_is_none_is_told(demo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "ccos-tui").mkdir(parents=True)
    (tmp_path / "config" / "ccos-tui" / "config.toml").write_text("theme = 'papper'\nbudgt = 1\n")

    async def story(driven: Driven) -> None:
        assert driven.app.theme == OURS[0].name
        assert driven.shows("config.toml: there is no setting 'budgt'; did you mean 'budget'? (1 more)")
        await driven.press("O")
        assert driven.shows("there is no theme 'papper'; did you mean 'paper'?")

    drive(demo, story, WIDE)


@given(st.lists(VALUES, max_size=6), st.booleans())
def test_to_change_one_changes_nothing_else(changes: list[tuple[str, str | bool | int]], keys: bool) -> None:
    text = "# mine\nbudget = 4096 # enough\n" + ("\n[keys]\nhelp = ['F2']\ntheme = 'no setting'\n" if keys else "")
    wanted = {"budget": 4096} | dict(changes)
    for name, value in changes:
        text = changed(text, name, value)
    said = tomllib.loads(text)
    assert {name: value for name, value in said.items() if name != "keys"} == wanted
    assert text.startswith("# mine\n")
    if keys:
        assert said["keys"] == {"help": ["F2"], "theme": "no setting"}
    assert set(wanted) <= set(TYPES)


def test_keys_can_be_others() -> None:
    keys = Keys(read("[keys]\nfailure-on = ['f5', 'e']")[0].keys)
    action = keys.action("f5", "debugger")
    assert action is not None
    assert action.id == "failure-on"
    assert keys.sign("failure-on") == "f5"


def test_no_key_means_two_things_in_one_place() -> None:
    """A place is a screen, or a pane of it: there a key may do something else, and says which pane it is for."""
    means: dict[tuple[str, str, str], str] = {}
    for action in ACTIONS:
        for key in action.keys:
            assert means.setdefault((action.where, action.pane, key), action.id) == action.id
        if action.pane:
            assert action.words.startswith(f"In the {action.pane.capitalize()} pane, ")
    keys = Keys()
    for (where, pane, key), meant in means.items():
        found = keys.action(key, where, pane)
        assert found is not None
        assert found.id == meant


def test_a_key_of_a_pane_is_not_taken_in_another() -> None:
    keys = Keys()
    for action in ACTIONS:
        for key in action.keys if action.pane else ():
            found = keys.action(key, action.where, "steps")
            assert found is None or not found.pane


def test_no_screen_takes_a_key_from_all_screens_unawares() -> None:
    everywhere = {key for each in ACTIONS if each.where == "everywhere" for key in each.keys}
    own = {key for each in ACTIONS if each.where == "debugger" for key in each.keys}
    assert everywhere & own <= {"escape"}, "which stops long work there, before it goes back"
