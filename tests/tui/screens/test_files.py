"""The files of a step on a screen of their own, written to a folder that is typed."""

from __future__ import annotations

from pathlib import Path

from tests.tui.driving import MIDDLE, Driven, drive


def tree(folder: Path) -> dict[str, str]:
    return {str(each.relative_to(folder)): each.read_text() for each in folder.rglob("*") if each.is_file()}


def test_the_files_of_a_step_are_listed_and_written(demo: str, tmp_path: Path) -> None:
    out = tmp_path / "before"

    async def story(driven: Driven) -> None:
        await driven.press("2", "0", "G", "Y")
        assert driven.shows("Files as known at step 20")
        assert driven.shows("known in full")
        await driven.press("c", *str(out), "enter")
        assert driven.shows("of step 20")
        assert "written to" in driven.status
        await driven.press("q")
        assert driven.app.home.here.step == 20

    drive(demo, story, MIDDLE)
    assert tree(out)["src/db.py"].startswith('"""Orders')


def test_what_stands_there_is_replaced_only_when_that_is_asked_for(demo: str, tmp_path: Path) -> None:
    out = tmp_path / "there"
    (out / "src").mkdir(parents=True)
    (out / "src" / "db.py").write_text("yours")

    async def story(driven: Driven) -> None:
        await driven.press("Y", "f")
        assert "asks for a folder first" in driven.status
        await driven.press("c", *str(out), "enter")
        assert driven.shows("would be replaced: src/db.py")
        assert tree(out) == {"src/db.py": "yours"}
        await driven.press("f")
        assert driven.shows("1 file replaced")

    drive(demo, story, MIDDLE)
    assert tree(out)["src/db.py"] != "yours"
    assert len(tree(out)) > 1
