"""Files nobody should open: endless, of any size, or with somebody at their other end. No folder command reads them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.errors import NotFound
from ccos_core.session.index import Index, outlines
from ccos_core.session.scan import MAX_BYTES, Reason
from tests.core.serve.calling import outside

SPARSE_BYTES = 3_000_000_000
LIMIT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
sys.path.insert(0, sys.argv.pop(1))
from ccos_tui.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "ok.py").write_text("def found():\n    return 1\n")
    for name in ("huge.py", "package.json", "go.mod", "notes.txt", "Cargo.toml", ".gitignore"):
        with open(folder / name, "wb") as file:
            file.truncate(SPARSE_BYTES)
    for name in ("pipe.py", "tsconfig.json", "pipe.md", ".ccosignore"):
        os.mkfifo(folder / name)
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(folder)
        server.bind("socket.py")
    (folder / "device.py").symlink_to("/dev/zero")
    (folder / "outside.py").symlink_to("/etc/passwd")
    return folder


@pytest.fixture(autouse=True)
def _stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def test_an_index_reads_what_ingest_reads(tree: Path) -> None:
    index = Index(str(tree))
    assert list(index.outlines) == ["ok.py"]
    assert list(index.paths()) == ["ok.py"]
    assert index.tally.left_out[Reason.LARGE][0] == 6
    assert index.tally.left_out[Reason.SPECIAL][0] == 5
    for path in ("huge.py", "pipe.py", "device.py", "outside.py", "socket.py"):
        with pytest.raises(NotFound, match="can't be read"):
            index.source(path)


def test_what_grew_since_it_was_listed_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"#" * (MAX_BYTES + 1))
    (tmp_path / "b.py").write_bytes(b"x = 1\n")
    found = outlines(str(tmp_path), ["a.py", "b.py", "c.py"])
    assert [each is None for each in found] == [True, False, True]


@pytest.mark.skipif(sys.platform != "linux", reason="limits on address space are Linux's")
@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "tree"],
        ["recall", "tree", "--task", "found"],
        ["window", "tree", "--around", "ok.py"],
        ["window", "tree", "--around", "huge.py"],
        ["window", "tree", "--around", "pipe.py"],
    ],
    ids=" ".join,
)
def test_commands_on_a_folder_stay_small(words: list[str], tree: Path) -> None:
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", LIMIT, root, *words],
        cwd=tree.parent,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode in (0, 1), done.stderr
    assert b"found" in done.stdout or words[-1] in done.stderr.decode() or b"1 file" in done.stdout


def test_a_workspace_of_such_a_folder(tree: Path) -> None:
    assert outside("init", "w.ccos", "--root", "tree", cwd=tree.parent).returncode == 0
    done = outside("ingest", "w.ccos", "tree", cwd=tree.parent)
    assert b"1 file recorded" in done.stderr
    for words in (
        ["recall", "w.ccos", "--task", "found"],
        ["verify", "w.ccos"],
        ["verify", "w.ccos", "--anchor", "tree/pipe.md"],
    ):
        assert outside(*words, cwd=tree.parent).returncode in (0, 1, 3)
