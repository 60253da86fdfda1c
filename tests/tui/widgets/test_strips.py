"""Strips are divided as Textual divides them, and let go of when nobody draws them any more."""

from __future__ import annotations

import gc

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.strip import Strip

from ccos_tui.widgets import strips
from tests.tui.driving import WIDE, Driven, drive

texts = st.lists(st.text(alphabet="ab 漢e\u0301", max_size=6), max_size=5)
cuts = st.lists(st.integers(0, 40), max_size=6, unique=True).map(sorted)


@given(texts, cuts, st.booleans())
def test_they_are_divided_as_they_were(parts: list[str], cuts: list[int], whole: bool) -> None:
    segments = [Segment(part) for part in parts]
    cuts = [*cuts, Strip(segments).cell_length] if whole else cuts
    for _ in range(2):
        ours, theirs = strips.divide(Strip(segments), cuts), strips._divide(Strip(segments), cuts)
        assert list(ours) == list(theirs)


def test_who_walks_about_leaves_no_strip_behind(demo: str) -> None:
    async def story(driven: Driven) -> None:
        gc.collect()
        gc.disable()
        try:
            await driven.press("g", "j", "j", "j", "k", "L", "+", "tab", "j", "?", "q")
            assert left_behind() == []
        finally:
            gc.enable()

    drive(demo, story, WIDE)


def left_behind() -> list[Strip]:
    """Strips that only a search for cycles finds."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        return [each for each in gc.garbage if isinstance(each, Strip)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
