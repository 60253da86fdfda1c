"""Which program shows a text, and what is said where it can't."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ccos_tui.bridge import keepsakes


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the only programs there are."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def there(folder: Path, name: str) -> None:
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)


def test_the_readers_own_come_first_the_pager_before_the_editor(programs: Path) -> None:
    for name in ("mypager", "myeditor", "less", "vi"):
        there(programs, name)
    both = {"PAGER": "mypager -R --quiet='a b'", "EDITOR": "myeditor"}
    assert keepsakes.reader(both) == ["mypager", "-R", "--quiet=a b"]
    assert keepsakes.reader({"EDITOR": "myeditor"}) == ["myeditor"]
    assert keepsakes.reader({"PAGER": "gone", "EDITOR": "myeditor"}) == ["myeditor"]
    assert keepsakes.reader({"PAGER": "it's", "EDITOR": " "}) == ["less"]


def test_without_a_word_it_is_what_is_there(programs: Path) -> None:
    assert keepsakes.reader({}) == []
    there(programs, "vi")
    assert keepsakes.reader({}) == ["vi"]


def test_what_went_wrong_is_said(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("shown")
    check = "import sys; sys.exit(open(sys.argv[1]).read() != 'shown')"
    assert keepsakes.show_with([sys.executable, "-c", check], str(text)) == ""
    assert keepsakes.show_with([sys.executable, "-c", "import sys; sys.exit(3)"], str(text)).endswith(
        "ended with exit code 3"
    )
    assert "no such file" in keepsakes.show_with([str(tmp_path / "gone")], str(text))
