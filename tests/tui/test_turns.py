"""Painting and answering take turns: the cursor is painted, then it is asked; a window is painted, then the rest."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_tui.bridge.engine import Engine
from ccos_tui.messages import Answered, FromEngine
from ccos_tui.widgets.pane import Pane
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.window_pane import WindowPane
from tests.tui.driving import Driven, drive


def noted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, said: str, heard: list[str]) -> None:
    """Note when something is done, and do it."""
    done = getattr(owner, name)

    def do(self: Any, *given: Any, **more: Any) -> Any:
        heard.append(said)
        return done(self, *given, **more)

    monkeypatch.setattr(owner, name, do)


def test_nobody_is_asked_before_the_cursor_is_painted(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G")
        heard: list[str] = []
        noted(monkeypatch, StepList, "render_line", "painted", heard)
        noted(monkeypatch, Engine, "ask_all", "asked", heard)
        for key in ("j", "G", "g"):
            heard.clear()
            await driven.press(key)
            assert heard[0] == "painted", key
            assert "asked" in heard, key

    drive(demo, story)


def test_an_answer_that_changes_nothing_counts_as_painted(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_tui.bridge.engine.LONGEST_PAINT", 60.0)
    painted: list[str] = []
    noted(monkeypatch, Engine, "painted", "painted", painted)

    async def story(driven: Driven) -> None:
        for name in ("step", "window"):
            pane = driven.app.home.query_one(f"#{name}", Pane)
            painted.clear()
            pane.again()
            driven.app.home.tell_panes()
            await driven.settle()
            assert painted, name

    drive(demo, story)


def test_nothing_else_is_answered_before_a_window_is_painted(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_tui.bridge.engine.LONGEST_PAINT", 60.0)
    heard: list[str] = []
    post = Engine._post

    def posted(self: Engine, message: FromEngine) -> None:
        if isinstance(message, Answered):
            heard.append(message.slot)
        post(self, message)

    monkeypatch.setattr(Engine, "_post", posted)
    noted(monkeypatch, WindowPane, "render_lines", "painted", heard)

    async def story(driven: Driven) -> None:
        await driven.press("L", "4", "5", "G")
        heard.clear()
        await driven.press("plus")
        at = heard.index("window")
        rest = heard[at + 1 :]
        assert "window:further" in rest
        assert "painted" in rest[: rest.index("window:further")]

    drive(demo, story)
