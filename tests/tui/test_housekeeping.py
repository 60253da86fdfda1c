"""What fails alone fails alone: a pane, a row, a screen that can't show its answer says so, and all else goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccos_tui.bridge.steps import Steps
from ccos_tui.screens.searching import FindScreen
from ccos_tui.widgets.answer_panes import DiffPane
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.watch_pane import WatchPane
from tests.tui.driving import MIDDLE, WIDE, Driven, drive


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "ccos-tui" / "defects"


def broken(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken \x1b[2J[b]here[/b]")


@pytest.mark.parametrize(("pane", "name", "shown"), [(DiffPane, "rows_of", "diff"), (WatchPane, "rows_here", "watch")])
def test_a_presenter_that_fails_takes_nothing_along(
    demo: str, state: Path, monkeypatch: pytest.MonkeyPatch, pane: type, name: str, shown: str
) -> None:
    monkeypatch.setattr(pane, name, broken)

    async def story(driven: Driven) -> None:
        driven.app.home.show_pane(shown)
        await driven.settle()
        driven.app.home.show_pane("steps")
        said = " ".join("".join(driven.pane_lines(shown)).split())
        assert "This can't be shown: a bug in ccos-tui (RuntimeError" in " ".join(driven.pane_lines(shown))
        assert "\x1b" not in said
        (report,) = state.iterdir()
        assert str(report).replace(" ", "") in said.replace(" ", "")
        await driven.press("k", "k")
        assert driven.app.home.here.step == 59
        assert driven.rows("window")
        await driven.resize(100, 30)

    drive(demo, story, WIDE)


def test_a_row_that_cannot_be_made_says_so(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row_at = StepList.row_at
    monkeypatch.setattr(StepList, "row_at", lambda self, index: broken() if index == 30 else row_at(self, index))

    async def story(driven: Driven) -> None:
        assert driven.app.steps.outline is not None
        lines = driven.pane_lines("steps")
        (at,) = [at for at, line in enumerate(lines) if "can't be shown: a bug in" in line]
        assert lines[at - 1].startswith("    59 ")
        assert lines[at + 1].startswith("    61 ")

    drive(demo, story, WIDE)


def test_a_group_that_cannot_be_made_says_so(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    group = Steps.group
    monkeypatch.setattr(Steps, "group", lambda self, place: broken() if place == 25 else group(self, place))

    async def story(driven: Driven) -> None:
        lines = driven.pane_lines("steps")
        (at,) = (at for at, line in enumerate(lines) if "can't be shown: a bug in" in line)
        assert lines[at - 1][:6].strip().isdecimal()
        assert lines[at + 1][:6].strip().isdecimal()
        await driven.press("g", "G")
        assert driven.app.home.here.step == 61

    drive(demo, story, WIDE)


def test_a_screen_that_fails_over_its_answer_says_so(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FindScreen, "answered", broken)

    async def story(driven: Driven) -> None:
        await driven.press("f")
        await driven.type("kind=read")
        await driven.press("enter")
        assert "a bug in ccos-tui" in driven.status
        await driven.press("q", "k")
        assert driven.app.home.here.step == 60

    drive(demo, story, MIDDLE)


def test_what_cannot_be_done_without_ends_it(demo: str, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_tui.screens.debugger.Debugger.do_zoom", broken)
    codes: list[int | None] = []

    async def story(driven: Driven) -> None:
        codes.append(driven.app.return_code)
        await driven.press("z")
        codes.append(driven.app.return_code)
        assert str(next(state.iterdir())) in driven.app.parting

    with pytest.raises(RuntimeError, match="broken"):
        drive(demo, story, MIDDLE)
    assert codes == [None, 70]


def test_the_mouse_is_left_to_whoever_said_so(demo: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "ccos-tui"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("mouse = false\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    async def story(driven: Driven) -> None:
        assert not driven.app.mouse_is_ours
        await driven.press("ctrl+t")
        assert driven.app.mouse_is_ours
        assert "mouse on" in driven.status

    drive(demo, story, MIDDLE)
