"""Files made whole or not at all: what a killed maker leaves is cleared away, and nothing that is still being made."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccos_core.storage import file_lock
from ccos_core.storage.drafts import MINUTE_SECONDS, MONTH_SECONDS, Draft, clear_left_over, left_over

posix_only = pytest.mark.skipif(os.name != "posix", reason="who is gone can't be told there")
MAKER = """
import os, sys
sys.path.insert(0, sys.argv[1])
from ccos_core.storage import file_lock
from ccos_core.storage.drafts import Draft
with Draft(sys.argv[2]) as draft:
    os.kill(os.getpid(), 9)
"""


def gone_pid() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid


def draft(folder: Path, pid: int, age: float = 0.0, side: str = "") -> str:
    path = folder / f"work.ccos.{pid}-0123abcd.new{side}"
    path.write_text("half")
    os.utime(path, (time.time() - age,) * 2)
    return str(path)


@posix_only
def test_what_a_killed_maker_leaves_goes_a_minute_later(tmp_path: Path) -> None:
    root = str(Path(__file__).resolve().parents[3])
    subprocess.run([sys.executable, "-c", MAKER, root, str(tmp_path / "work.ccos")], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".new")
    assert not list(left_over(str(tmp_path)))
    os.utime(left, (time.time() - MINUTE_SECONDS - 9,) * 2)
    assert list(left_over(str(tmp_path))) == [str(left)]
    with Draft(str(tmp_path / "other.ccos")):
        assert not left.exists()


@posix_only
def test_side_files_go_too(tmp_path: Path) -> None:
    pid = gone_pid()
    sides = [draft(tmp_path, pid, MINUTE_SECONDS + 9, side) for side in ("", "-journal", "-wal", "-shm")]
    assert sorted(left_over(str(tmp_path))) == sorted(sides)
    clear_left_over(str(tmp_path))
    assert not list(tmp_path.iterdir())


@posix_only
def test_a_finished_draft_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a record that this process works with: to close it would give up SQLite's locks on that."""
    path = draft(tmp_path, gone_pid(), MINUTE_SECONDS + 9)
    os.link(path, tmp_path / "work.ccos")
    monkeypatch.setattr(file_lock, "is_held", lambda path: pytest.fail(f"{path} was opened"))
    clear_left_over(str(tmp_path))
    assert os.listdir(tmp_path) == ["work.ccos"]


@posix_only
def test_a_maker_that_only_looks_gone_is_left_alone(tmp_path: Path) -> None:
    """As one of another container: its number is unknown here, and its lock is held."""
    with Draft(str(tmp_path / "work.ccos")) as making:
        name = making.path.replace(f".{os.getpid()}-", f".{gone_pid()}-")
        os.rename(making.path, name)
        os.utime(name, (time.time() - MINUTE_SECONDS - 9,) * 2)
        assert not list(left_over(str(tmp_path)))
    assert list(left_over(str(tmp_path))) == [name]


def test_a_number_that_is_in_use_protects_for_a_month(tmp_path: Path) -> None:
    path = draft(tmp_path, os.getpid(), MONTH_SECONDS - 9)
    assert not list(left_over(str(tmp_path)))
    os.utime(path, (time.time() - MONTH_SECONDS - 9,) * 2)
    assert list(left_over(str(tmp_path))) == [path]


def test_nothing_else_is_taken_for_a_draft(tmp_path: Path) -> None:
    for name in ("work.ccos", "a.new", "work.ccos.1-0123abcd.new.txt", "work.ccos.x-0123abcd.new", "1-0123abcd.new"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    assert not list(left_over(str(tmp_path)))
    clear_left_over(str(tmp_path / "nowhere"))
