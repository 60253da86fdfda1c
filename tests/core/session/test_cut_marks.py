"""Marks of sessions that were cut: written once, read by hooks, bounded."""

import os
from pathlib import Path

import pytest

from ccos_core.session import cut_marks
from ccos_core.session.cut_marks import mark_cut, tells_of_cut, was_cut
from ccos_core.storage.locate import cut_path


def test_a_marked_session_was_cut_and_no_other(tmp_path: Path) -> None:
    ws = str(tmp_path / "work.ccos")
    assert not was_cut(ws, "one")
    mark_cut(ws, "one")
    mark_cut(ws, "one")
    mark_cut(ws, "two\ud800")
    assert [was_cut(ws, each) for each in ("one", "two\ud800", "three", None, 3)] == [True, True, False, False, False]
    assert len(Path(cut_path(ws)).read_text().split()) == 2
    assert os.stat(cut_path(ws)).st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"hook_event_name": "PostCompact"}, True),
        ({"hook_event_name": "SessionStart", "source": "compact"}, True),
        ({"hook_event_name": "SessionStart", "source": "clear"}, True),
        ({"hook_event_name": "SessionStart", "source": "startup"}, False),
        ({"hook_event_name": "SessionStart", "source": "resume"}, False),
        ({"hook_event_name": "PostCompact", "agent_id": "a1"}, False),
        ({"hook_event_name": "UserPromptSubmit", "source": "compact"}, False),
    ],
)
def test_which_events_tell_of_a_cut(event: dict[str, str], expected: bool) -> None:
    assert tells_of_cut(event) is expected


def test_the_oldest_marks_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_marks, "LARGEST_BYTES", 10 * 17)
    ws = str(tmp_path / "work.ccos")
    for number in range(25):
        mark_cut(ws, f"s{number}")
    assert was_cut(ws, "s24")
    assert was_cut(ws, "s21")
    assert not was_cut(ws, "s0")
    assert os.path.getsize(cut_path(ws)) <= 10 * 17
    assert os.listdir(tmp_path) == ["work.ccos-cut"]


@pytest.mark.parametrize("content", [b"", b"\0\xff" * 9, b"x" * 200_000])
def test_a_file_of_anything_marks_nobody(tmp_path: Path, content: bytes) -> None:
    ws = str(tmp_path / "work.ccos")
    Path(cut_path(ws)).write_bytes(content)
    assert not was_cut(ws, "one")


def test_what_is_no_file_marks_nobody(tmp_path: Path) -> None:
    os.mkfifo(cut_path(str(tmp_path / "pipe.ccos")))
    os.mkdir(cut_path(str(tmp_path / "folder.ccos")))
    os.symlink(tmp_path / "pipe.ccos-cut", cut_path(str(tmp_path / "link.ccos")))
    for name in ("pipe", "folder", "link"):
        assert not was_cut(str(tmp_path / f"{name}.ccos"), "one")
