"""Everything in plain letters: last of all, and at once when somebody wants it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from ccos_tui.widgets.strips import PlainLetters
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

BLACK = Color(0, 0, 0)


def test_styles_stay_and_so_does_what_is_ascii() -> None:
    plain, sign = Segment("a[b", Style(bold=True)), Segment("✗ 漢", Style(dim=True))
    assert PlainLetters().apply([plain, sign], BLACK) == [plain, Segment("x ??", Style(dim=True))]


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW, (39, 11)])
def test_the_whole_screen_is_ascii(demo: str, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    monkeypatch.setenv("CCOS_ASCII", "1")

    async def story(driven: Driven) -> None:
        await driven.press("g", "e", "w", "d", "L", "L")
        assert driven.text.isascii()

    drive(demo, story, size)


def test_it_can_be_had_at_once_and_taken_back(demo: str) -> None:
    async def story(driven: Driven) -> None:
        before = driven.text
        assert not before.isascii()
        driven.app.use(replace(driven.app.settings, ascii=True))
        await driven.settle()
        assert driven.text.isascii()
        driven.app.use(replace(driven.app.settings, ascii=False))
        await driven.settle()
        assert driven.text == before

    drive(demo, story, WIDE)
