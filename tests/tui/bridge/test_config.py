"""Settings that are nonsense keep nobody out, and what is written down costs nothing else in the file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ccos_tui.bridge import keepsakes
from ccos_tui.settings import LARGEST, Settings, read

NONSENSE = {
    "a number without end": "budget = " + "9" * 5_000,
    "brackets without end": "keys = " + "[" * 5_000,
    "a NUL": 'theme = "\x00"',
    "no budget": f"budget = {LARGEST + 1}",
    "half a token": "budget = 1.5",
    "keys that are none": "keys = 3",
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = tmp_path / "ccos-tui" / "config.toml"
    found.parent.mkdir()
    return found


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_told_and_left_out(file: Path, text: str) -> None:
    file.write_text(text)
    settings, troubles = keepsakes.load_settings()
    assert settings == Settings()
    assert len(troubles) == 1
    assert "did you mean 'keys'" not in troubles[0]


@pytest.mark.parametrize(
    "text",
    ['"theme" = "paper"\nbudget = 100\n', 'theme = """pa\nper"""\nbudget = 100\n', "budget = [[\n[1],\n[2]]]\n"],
    ids=["quoted", "on several lines", "no TOML"],
)
def test_what_only_its_writer_can_change_stays(file: Path, text: str) -> None:
    file.write_text(text)
    assert "only you can edit" in keepsakes.save_settings("theme", "contrast")
    assert file.read_text() == text
    assert os.listdir(file.parent) == [file.name]


def test_a_mark_in_front_is_no_trouble(file: Path) -> None:
    file.write_text('theme = "paper"\n', encoding="utf-8-sig")
    assert keepsakes.load_settings() == (Settings(theme="paper"), [])
    assert keepsakes.save_settings("theme", "contrast") == ""
    assert read(file.read_text())[0].theme == "contrast"


def test_a_file_that_lies_elsewhere_stays_there(file: Path, tmp_path: Path) -> None:
    there = tmp_path / "mine.toml"
    there.write_text("# mine\nascii = true\n")
    file.symlink_to(there)
    assert keepsakes.save_settings("theme", "contrast") == ""
    assert file.is_symlink()
    assert there.read_text() == '# mine\nascii = true\ntheme = "contrast"\n'


def test_a_full_disk_leaves_the_file_and_nothing_besides(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('theme = "paper"\n')

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert keepsakes.save_settings("theme", "contrast") == "no space left on device"
    assert file.read_text() == 'theme = "paper"\n'
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.skipif(os.name != "posix", reason="files have other rights here")
def test_who_may_read_it_may_read_it_still(file: Path) -> None:
    """A new file is as any other of its owner's; one that is there stays as private, or as shared, as it is."""
    mask = os.umask(0o027)
    try:
        assert keepsakes.save_settings("theme", "contrast") == ""
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
        for rights in (0o600, 0o666, 0o644):
            file.chmod(rights)
            assert keepsakes.save_settings("theme", "paper" if rights == 0o600 else "contrast") == ""
            assert stat.S_IMODE(file.stat().st_mode) == rights
    finally:
        os.umask(mask)
