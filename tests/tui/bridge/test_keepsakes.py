"""Files that are taken along: for the reader's eyes alone, never in the place of another, never half."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_tui.bridge import keepsakes


@pytest.fixture(autouse=True)
def here(a_folder: Path) -> Path:
    return a_folder


def mode(path: str | Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_what_was_copied_last_is_in_the_file(tmp_path: Path) -> None:
    path = keepsakes.keep_copy("one")
    assert path == str(tmp_path / "state" / "ccos-tui" / "copied.txt")
    assert keepsakes.keep_copy("two\r\n") == path
    assert Path(path).read_bytes() == b"two\r\n"
    assert mode(path) == 0o600
    assert mode(Path(path).parent) == 0o700
    assert os.listdir(Path(path).parent) == ["copied.txt"]


def test_a_copy_goes_to_no_place_that_somebody_else_chose(tmp_path: Path) -> None:
    state = tmp_path / "state" / "ccos-tui"
    state.mkdir(parents=True)
    other = tmp_path / "other"
    other.write_text("untouched")
    (state / "copied.txt").symlink_to(other)
    keepsakes.keep_copy("mine")
    assert other.read_text() == "untouched"
    assert (state / "copied.txt").read_text() == "mine"


def test_an_export_takes_no_files_place(here: Path) -> None:
    paths = [keepsakes.export("my work-step-4-screen", "svg", str(number)) for number in range(3)]
    assert [os.path.basename(path) for path in paths] == [
        "my-work-step-4-screen.svg", "my-work-step-4-screen-2.svg", "my-work-step-4-screen-3.svg"
    ]  # fmt: skip
    assert [Path(path).read_text() for path in paths] == ["0", "1", "2"]
    assert {mode(path) for path in paths} == {0o600}
    assert {Path(path).parent for path in paths} == {here}


def test_where_the_folder_cannot_be_written_it_goes_to_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getcwd", lambda: str(tmp_path / "nowhere"))
    path = keepsakes.export("a", "txt", "text")
    assert Path(path).parent == tmp_path / "state" / "ccos-tui" / "exports"


def test_half_a_file_is_not_left(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space"):
        keepsakes.export("a", "txt", "text")
    assert os.listdir(here) == []


def test_a_file_for_another_program_is_gone_when_that_has_ended() -> None:
    with keepsakes.shown_as_file("line\r\nend \udc80", "src/my db.py") as path:
        assert Path(path).read_bytes() == b"line\r\nend \\udc80"
        assert mode(path) == 0o600
        assert path.endswith("-my-db.py")
    assert not os.path.exists(path)
    with keepsakes.shown_as_file("", "x") as path:
        os.unlink(path)  # whoever was shown it may have done so


@given(st.text(max_size=200))
def test_names_need_no_quotes(said: str) -> None:
    name = keepsakes.plain_name(said)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name)
    assert len(name) <= keepsakes.LONGEST
