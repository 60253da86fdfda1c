"""Exports and copies that don't come to their end leave nothing, and blame who is to blame."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.errors import Unavailable
from ccos_core.storage import replacing
from ccos_core.storage.copying import copy_record
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import ROOT, Caller, demo

KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from ccos_core.session import interchange
def export(record, write, *, redact=False):
    write(b"half")
    os.kill(os.getpid(), int(sys.argv[4]))
interchange.export = export
from ccos_core.serve.cli.main import main
main(["export", sys.argv[2], "-o", sys.argv[3]])
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="the system knows no files without a name")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_export_leaves_nothing(number: int, tmp_path: Path) -> None:
    path = demo(tmp_path / "ws")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.jsonl").write_text("before")
    words = [sys.executable, "-c", KILLED, str(ROOT), str(path), str(tmp_path / "out" / "a.jsonl"), str(int(number))]
    assert subprocess.run(words, check=False).returncode == -number
    assert os.listdir(tmp_path / "out") == ["a.jsonl"]
    assert (tmp_path / "out" / "a.jsonl").read_text() == "before"


@pytest.mark.parametrize("nameless", [True, False])
def test_an_export_takes_the_place_of_an_older_one(
    nameless: bool, tmp_path: Path, run: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not nameless:
        monkeypatch.setattr(replacing, "_nameless", lambda _: None)
    path, out = demo(tmp_path), tmp_path / "a.jsonl"
    out.write_text("before")
    assert run("export", path, "-o", out).code == 0
    assert out.read_text().startswith('{"format"')
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(tmp_path)) == ["a.jsonl", "demo.ccos"]
    monkeypatch.setattr("ccos_core.session.interchange.export", lambda *_, **__: 1 / 0)
    assert run("export", path, "-o", out).code != 0
    assert sorted(os.listdir(tmp_path)) == ["a.jsonl", "demo.ccos"]


@pytest.mark.parametrize("nameless", [True, False])
def test_an_export_is_on_disk_before_it_has_its_name(
    nameless: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power cut leaves an empty file under it."""
    done: list[str] = []
    if not nameless:
        monkeypatch.setattr(replacing, "_nameless", lambda _: None)
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size} bytes")
        real_sync(handle)

    def replace(source: str, to: str) -> None:
        done.append("named")
        real_replace(source, to)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    with replacing.replacing(str(tmp_path / "a.jsonl")) as handle:
        os.write(handle, b"whole")
    assert done == ["5 bytes", "named", "folder"]


FULL = """
import resource, signal, sys
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
from ccos_core.serve.cli.main import main
sys.exit(main(["copy", sys.argv[2], sys.argv[3]]))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits on file sizes are POSIX's")
def test_a_copy_that_cant_be_written_blames_its_place(tmp_path: Path) -> None:
    path, to = demo(tmp_path / "ws"), tmp_path / "full.ccos"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(ROOT), str(path), str(to)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 5
    assert done.stderr.startswith(f"ccos-tui: {to}: ")
    assert not to.exists()


def test_a_full_disk_is_said_of_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccos_core.storage import copying

    path, to = demo(tmp_path), tmp_path / "to.ccos"
    real = copying.connect

    def small(name: str, mode: str, patience: float):  # type: ignore[no-untyped-def]
        connection = real(name, mode, patience)
        connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(copying, "connect", small)
    with open_record(str(path)) as record, pytest.raises(Unavailable) as raised:
        copy_record(record, str(to))
    assert raised.value.place == str(to)
    assert "the disk is full" in raised.value.fact
