"""Files made whole or not at all: what a killed maker leaves is cleared away, and nothing that is still being made."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccos_core.storage import file_lock
from ccos_core.storage.drafts import LOCK, MINUTE_SECONDS, MONTH_SECONDS, Draft, clear_left_over, left_over

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
    left = sorted(tmp_path.iterdir())
    assert [path.name.partition(".new")[2] for path in left] == ["", LOCK]
    assert not list(left_over(str(tmp_path)))
    for path in left:
        os.utime(path, (time.time() - MINUTE_SECONDS - 9,) * 2)
    assert list(left_over(str(tmp_path))) == [str(path) for path in left]
    with Draft(str(tmp_path / "other.ccos")):
        assert not [path for path in left if path.exists()]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no flock there")
def test_the_lock_is_never_on_what_sqlite_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a lock of the one kind is one of the other too, nothing could be written into the draft."""
    import fcntl

    locked: list[tuple[int, int]] = []
    flock = fcntl.flock

    def noting(handle: int, how: int) -> None:
        known = os.fstat(handle)
        locked.append((known.st_dev, known.st_ino))
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", noting)
    with Draft(str(tmp_path / "work.ccos")) as making:
        known = os.stat(making.path)
        assert file_lock.is_held(making.path + LOCK)
        making.publish()
    assert locked
    assert (known.st_dev, known.st_ino) not in locked
    assert os.listdir(tmp_path) == ["work.ccos"]


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
        for side in ("", LOCK):
            os.rename(making.path + side, name + side)
            os.utime(name + side, (time.time() - MINUTE_SECONDS - 9,) * 2)
        assert not list(left_over(str(tmp_path)))
    assert list(left_over(str(tmp_path))) == [name, name + LOCK]


@posix_only
def test_what_is_its_own_lock_is_left_alone(tmp_path: Path) -> None:
    """As an export, which SQLite has nothing to do with."""
    path = draft(tmp_path, gone_pid(), MINUTE_SECONDS + 9)
    with open(path, "rb+") as file:
        file_lock.hold(file.fileno())
        assert not list(left_over(str(tmp_path)))
    assert list(left_over(str(tmp_path))) == [path]


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
