"""Failures and recoveries on a screen of their own, up to the cursor."""

from __future__ import annotations

from tests.tui.driving import MIDDLE, Driven, drive


def test_failures_are_listed_with_what_was_tried(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("exclamation_mark")
        assert driven.shows("Failures and recoveries")
        assert driven.shows("failed")
        row = driven.app.screen.list.selected  # type: ignore[attr-defined]
        await driven.press("enter")
        assert driven.app.home.here.step == row.leads.step

    drive(demo, story, MIDDLE)
