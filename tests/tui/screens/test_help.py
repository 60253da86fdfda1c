"""The help screen: the keys, and behind a second `?` or `F1` what the marks mean, wherever one is."""

from __future__ import annotations

import pytest

from tests.tui.driving import Driven, drive

LEGEND = "not in the window"


@pytest.mark.parametrize("keys", [("question_mark", "question_mark"), ("f1",), ("colon", "f1"), ("ctrl+p", "f1")])
def test_the_legend_is_two_keys_away(demo: str, keys: tuple[str, ...]) -> None:
    async def story(driven: Driven) -> None:
        assert not driven.shows(LEGEND)
        await driven.press(*keys)
        assert driven.shows(LEGEND)

    drive(demo, story)


@pytest.mark.parametrize("key", ["f", "a", "X", "O", "M", "v", "V", "S"])
def test_each_screen_shows_it(demo: str, key: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(key, "f1")
        assert driven.shows(LEGEND)

    drive(demo, story)


def test_a_third_press_shows_the_keys_again(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("question_mark", "question_mark", "question_mark")
        assert driven.shows("Go one step forward")
        assert not driven.shows(LEGEND)
        await driven.press("q")
        assert not driven.shows("Go one step forward")

    drive(demo, story)
