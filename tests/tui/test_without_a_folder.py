"""Somebody removes the folder the reader is in: what is taken along lies elsewhere, and is said to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.driving import MIDDLE, Driven, drive


@pytest.fixture
def nowhere(tmp_path: Path) -> Iterator[None]:
    before = os.getcwd()
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    yield
    os.chdir(before)


@pytest.mark.skipif(os.name == "nt", reason="there a folder somebody is in can't be removed")
@pytest.mark.parametrize(
    ("keys", "said"), [("yy", "also saved to "), ("rt", "saved: "), ("rs", "saved: "), ("rm", "saved: ")]
)
def test_taking_along_without_a_folder(demo: str, nowhere: None, keys: str, said: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*keys)
        assert said in driven.status
        if keys != "yy":
            assert list(Path(os.environ["XDG_STATE_HOME"]).rglob("demo-step-61-*"))

    drive(demo, story, MIDDLE)
