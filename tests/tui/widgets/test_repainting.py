"""What a key repaints: a part that changed from where it begins, no layout for a longer text, no border that stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from textual._compositor import ChopsUpdate
from textual.geometry import Region
from textual.strip import Strip

from ccos_tui.widgets import strips
from ccos_tui.widgets.step_pane import StepPane
from ccos_tui.widgets.window_pane import WindowPane
from tests.tui.driving import WIDE, Driven, drive

texts = st.lists(st.text(alphabet="abc ▄", min_size=1, max_size=6), min_size=1, max_size=4)


@given(texts, texts, st.integers(0, 20), st.integers(1, 20))
def test_what_changed_is_written_from_where_it_begins(left: list[str], right: list[str], first: int, size: int) -> None:
    one, other = Strip(map(Segment, left)), Strip(map(Segment, right))
    middle, end = one.cell_length, one.cell_length + other.cell_length
    first = min(first, end - 1)
    to = min(first + size, end)
    update = ChopsUpdate([{0: one, middle: other}], [(0, first, to)], [[middle, end]])
    told = strips.written(update, Console(color_system=None))
    shown = {}
    for part in told.split("\x1b[")[1:]:
        at, _, text = part.partition("H")
        column = int(at.partition(";")[2]) - 1
        shown.update({column + index: sign for index, sign in enumerate(text)})
    line = "".join([*left, *right])
    assert shown == {at: line[at] for at in range(first, to)}
    assert told.startswith(Control.move_to(first, 0).segment.text)


def test_the_step_pane_lays_nothing_out_from_step_to_step(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layouts = []
    refresh = StepPane.refresh

    def refreshed(pane: StepPane, *regions: Region, **named: bool) -> StepPane:
        layouts.append(named.get("layout", False))
        return refresh(pane, *regions, **named)

    monkeypatch.setattr(StepPane, "refresh", refreshed)

    async def story(driven: Driven) -> None:
        await driven.press("g", "j")
        pane = driven.app.screen.query_one(StepPane)
        fits = set()
        layouts.clear()
        for _ in range(25):
            await driven.press("j")
            fits.add(pane.count() <= pane.page)
        assert fits == {True, False}
        assert layouts
        assert not any(layouts)

    drive(demo, story, WIDE)


def test_a_border_that_says_the_same_is_not_drawn_anew(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "j", "j")
        pane = driven.app.screen.query_one(WindowPane)
        whole = []
        refresh = WindowPane.refresh
        monkeypatch.setattr(
            WindowPane,
            "refresh",
            lambda self, *regions, **named: (whole.append(regions), refresh(self, *regions, **named))[1],
        )
        pane.present()
        assert () not in whole

    drive(demo, story, WIDE)
