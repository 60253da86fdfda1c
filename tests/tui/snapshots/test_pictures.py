"""The screens look as they looked: SVG pictures of them at four sizes, dark, light and without colours.

They are kept in `tests/golden/screens`. A change is a decision, not a fix. To take today's for good:
`CCOS_GOLDEN=write python -m pytest tests/tui/snapshots`, and look at them before they go in. They are those of one
minor version of Textual; with another one nothing is compared, and it is said so.
"""

import os
import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.tui.screens.homes import fill, move_home
from tests.tui.snapshots.pictures import LOOKS, Picture, compared, drawn

KEPT = Path(__file__).parents[2] / "golden" / "screens"
WRITE = os.environ.get("CCOS_GOLDEN") == "write"
NOT_SAID = "fill: #c5c8c6"
"""What Rich draws letters in whose colour nobody says."""
MADE_BY = "textual.txt"
"""Says which version drew them."""


def textual_minor() -> str:
    return ".".join(version("textual").split(".")[:2])


def drawn_by() -> str:
    kept = KEPT / MADE_BY
    return kept.read_text(encoding="utf-8").strip() if kept.exists() else ""


@pytest.mark.parametrize("picture", compared(), ids=lambda picture: picture.name)
def test_it_looks_as_it_looked(picture: Picture, demo: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if picture.story == "search":
        fill(move_home(tmp_path / "home", monkeypatch))
    if not WRITE and drawn_by() != textual_minor():
        kept_of = drawn_by() or "(none kept)"
        pytest.skip(f"NO PICTURE COMPARED: they were drawn with Textual {kept_of}, and this is {version('textual')}")
    for name, value in LOOKS[picture.look].items():
        if name.isupper():
            monkeypatch.setenv(name, value)
    told, kept = drawn(demo, picture), KEPT / f"{picture.name}.svg"
    if WRITE:
        KEPT.mkdir(exist_ok=True)
        kept.write_text(told, encoding="utf-8")
        (KEPT / MADE_BY).write_text(textual_minor() + "\n", encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8"), f"{kept.name} looks otherwise now"


@pytest.mark.skipif(WRITE, reason="they are being made")
def test_nothing_is_kept_that_nobody_draws() -> None:
    kept = {path.stem for path in KEPT.glob("*.svg")}
    assert kept <= {picture.name for picture in compared()}


@pytest.mark.parametrize("look", LOOKS)
def test_a_picture_is_the_same_twice(look: str, demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LOOKS[look].items():
        if name.isupper():
            monkeypatch.setenv(name, value)
    assert drawn(demo, Picture("debugger", "100x30", look)) == drawn(demo, Picture("debugger", "100x30", look))


def test_without_colours_nothing_has_one(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Grey alone: whatever a colour says is said by a sign, a word or a style as well."""
    monkeypatch.setenv("NO_COLOR", "1")
    told = drawn(demo, Picture("debugger", "100x30", "no-color"))
    colours = re.findall(r"terminal-r\d+ \{ fill: #(\w\w)(\w\w)(\w\w)", told.replace(NOT_SAID, ""))
    assert len(set(colours)) > 2
    assert all(red == green == blue for red, green, blue in colours), colours
