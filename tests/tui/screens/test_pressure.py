"""Pressure on a screen of its own: the gauge, what fills the window, what could go; and from step to step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ccos_tui.screens.pressure import CANDIDATES, FILLING, PressureScreen
from tests.tui.driving import MIDDLE, NARROW, SLIM, Driven, drive

FULL = 38
"""A step of the demonstration at which the window holds reads and outputs."""


def screen(driven: Driven) -> Any:
    assert isinstance(driven.app.screen, PressureScreen), driven.app.screen
    return driven.app.screen


def test_it_shows_the_gauge_the_parts_and_each_candidate(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*str(FULL), "G", "percent_sign")
        shown = screen(driven)
        text = shown.plain_text()
        answer, candidates = shown.answer, shown.beside[CANDIDATES]
        assert answer.at == candidates.at == shown.beside[FILLING].step == FULL
        assert f"Pressure {answer.level}: {answer.utilization // 10}.{answer.utilization % 10} %" in text
        assert ".5 .7 .85 .95" in text
        assert "What fills the window" in text
        assert text.count("could be dropped") == 0, "candidates are listed once"
        assert len(candidates.candidates) > 1
        lines = text.splitlines()
        first = next(at for at, line in enumerate(lines) if "for eviction" in line) + 1
        assert len(lines) - first == len(candidates.candidates)
        assert all(f"{each.frees:,}" in line for each, line in zip(candidates.candidates, lines[first:], strict=True))

    drive(demo, story, MIDDLE)


def test_enter_leads_to_the_step_of_a_candidate(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*str(FULL), "G", "percent_sign")
        shown, home = screen(driven), driven.app.home
        candidates = shown.beside[CANDIDATES].candidates
        at = next(at for at, each in enumerate(candidates) if each.last != FULL)
        shown.list.select(shown.list.count() - len(candidates) + at)
        await driven.press("enter")
        assert driven.app.screen is home
        assert (home.here.step, home.here.node) == (candidates[at].last, candidates[at].item)

    drive(demo, story, MIDDLE)


def test_the_cursor_goes_along(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press(*str(FULL), "G", "percent_sign", "5", "h")
        assert home.here.step == screen(driven).answer.at == screen(driven).beside[CANDIDATES].at == FULL - 5
        await driven.press("l", "l")
        assert home.here.step == screen(driven).answer.at == FULL - 3
        await driven.press("9", "9", "9", "l")
        head = driven.app.steps.head
        assert home.here.step == screen(driven).answer.at == head
        await driven.press("l")
        assert driven.shows("this is the last step")
        await driven.press("q")
        assert driven.app.screen is home
        assert home.steps.step == head

    drive(demo, story, MIDDLE)


def test_without_a_window_it_says_so(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        home.go(replace(home.here, session="nobody"))
        await driven.press("percent_sign")
        assert screen(driven).answer is None
        assert "nobody" in screen(driven).plain_text()

    drive(demo, story, MIDDLE)


def test_it_fits_narrow_screens(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for size in (SLIM, NARROW):
            await driven.resize(*size)
            await driven.press("percent_sign")
            assert max(map(len, driven.lines())) <= size[0]
            await driven.press("q")

    drive(demo, story, SLIM)
