"""A compaction drops more than a question tells by itself: the panes show all of it, or how much they don't show."""

from __future__ import annotations

import pytest

from ccos_tui.focus import OURS, THEIRS, Focus
from ccos_tui.widgets import diffing
from tests.tui import hostile
from tests.tui.driving import Driven, drive

MANY = tuple(f"word{number}" for number in range(30))


@pytest.fixture(scope="module")
def much(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Thirty prompts, files and results, and a compaction at the end."""
    return hostile.build(tmp_path_factory.mktemp("much") / "much.ccos", MANY)


async def at_the_cut(driven: Driven) -> None:
    await driven.press("G", "left_curly_bracket")
    if not driven.shows("✂ compaction"):
        await driven.press("G")


def lost(driven: Driven, pane: str) -> list[str]:
    """Return the rows of items that left; the diff pane lists below them the statements that went with them."""
    return [row.text for row in driven.rows(pane) if row.text.startswith("−") and "said at step" not in row.text]


def test_all_that_was_dropped_is_listed(much: str) -> None:
    async def story(driven: Driven) -> None:
        await at_the_cut(driven)
        assert len(lost(driven, "window")) > 60
        assert f"just left ({len(lost(driven, 'window')):,})" in [row.text for row in driven.rows("window")]
        await driven.press("d")
        assert len(lost(driven, "diff")) == len(lost(driven, "window"))

    drive(much, story)


def test_what_is_left_out_is_counted(much: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diffing, "MOST", 4)

    async def story(driven: Driven) -> None:
        await at_the_cut(driven)
        assert len(lost(driven, "window")) == 4
        said = [row.text for row in driven.rows("window")]
        [title] = [each for each in said if each.startswith("just left (")]
        total = int(title.removeprefix("just left (").rstrip(")"))
        assert total > 60
        assert f"  and {total - 4} more that left" in said
        await driven.press("d")
        assert len(lost(driven, "diff")) == 4
        assert f"  and {total - 4} more items that are lost" in [row.text for row in driven.rows("diff")]

    drive(much, story)


def test_our_window_is_asked_for_as_before() -> None:
    """Of ours all that moved is told anyway; a limit would only make two questions of one."""
    ours, theirs = (diffing.diff_of(Focus(step=5, lens=lens)) for lens in (OURS, THEIRS))
    assert ours is not None
    assert theirs is not None
    assert "limit" not in dict(ours.said)
    assert dict(theirs.said)["limit"] == str(diffing.MOST)
