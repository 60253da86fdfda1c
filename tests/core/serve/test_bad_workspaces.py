"""Every command on every kind of workspace: a code out of the table, a sentence, and never a traceback."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.serve import exits
from ccos_core.serve.cli.main import main
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from ccos_core.storage.opening import make_record
from tests.core.serve.calling import Caller, demo, outside

READING = (
    "log --steps",
    "log --json",
    "stats",
    "stats --json",
    "verify",
    "verify --json",
    "copy",
    "export",
    "export --redact",
)
WRITING = ("ingest", "ingest --json", "compact", "forget", "forget --json", "pause", "resume", "upgrade")
ASKING = ("log", "timeline", "state --json", "postmortem", "postmortem --json")
"""They read, and record facts that were missing."""
COMMANDS = (*READING, *WRITING, *ASKING)
TABLE = set(exits.MEANING) - {exits.DEFECT}


def words(command: str, path: Path) -> list[str]:
    """A command with what it wants besides the workspace, all in the workspace's folder."""
    name, *options = command.split()
    beside = str(path.parent / "made")
    more = {
        "copy": [beside + ".ccos"],
        "export": ["-o", beside + ".jsonl"],
        "ingest": [str(path.parent)],
        "forget": ["--match", "amount"],
        "compact": ["--max", "3", "--keep", "3"],
    }
    return [name, str(path), *more.get(name, []), *options]


def called(run: Caller, command: str, path: Path) -> int:
    done = run(*words(command, path))
    assert done.code in TABLE, done
    if done.code not in (exits.DONE, exits.DAMAGED):
        assert done.err.startswith("ccos-tui: ") or "\nccos-tui: " in done.err
        assert len(done.err.splitlines()) <= 6
    if "--json" in command and name_of(command) != "log":
        assert isinstance(done.json(), dict)
    elif "--json" in command:
        assert all(isinstance(line, dict) for line in done.lines())
    return done.code


def name_of(command: str) -> str:
    return command.split()[0]


# ---- kinds of workspaces: (how it is made, the codes of reading it, of writing it) ----


def healthy(folder: Path) -> Path:
    return demo(folder)


def empty(folder: Path) -> Path:
    folder.mkdir()
    make_record(str(folder / "demo.ccos"))
    return folder / "demo.ccos"


def paused(folder: Path) -> Path:
    path = demo(folder)
    lifecycle.pause(str(path), True)
    return path


def missing(folder: Path) -> Path:
    folder.mkdir()
    return folder / "demo.ccos"


def of_bytes(content: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = missing(folder)
        path.write_bytes(content)
        return path

    return make


def jpeg(folder: Path) -> Path:
    return of_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 40)(folder)


def foreign(folder: Path) -> Path:
    path = missing(folder)
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE op (step INTEGER, hash BLOB, body BLOB)")
    store.close()
    return path


def newer(folder: Path) -> Path:
    path = demo(folder)
    store = sqlite3.connect(path)
    store.execute("PRAGMA user_version = 99")
    store.close()
    return path


def folder_of_nothing(folder: Path) -> Path:
    (folder / "demo.ccos").mkdir(parents=True)
    return folder / "demo.ccos"


def fifo(folder: Path) -> Path:
    path = missing(folder)
    os.mkfifo(path)
    return path


def spoilt_op(folder: Path) -> Path:
    path = demo(folder)
    with sqlite3.connect(path) as store:
        store.execute("UPDATE op SET body = x'ff00' WHERE step = 5")
    store.close()
    return path


def lost_content(folder: Path) -> Path:
    path = demo(folder)
    with sqlite3.connect(path) as store:
        store.execute("DELETE FROM blob WHERE hash IN (SELECT hash FROM blob ORDER BY size DESC LIMIT 2)")
    store.close()
    return path


def no_such_table(folder: Path) -> Path:
    path = demo(folder)
    with sqlite3.connect(path) as store:
        store.execute("DROP TABLE blob")
    store.close()
    return path


def copied_while_open(folder: Path) -> Path:
    path = demo(folder / "original")
    with open_session(str(path)) as session:
        session.record([{"kind": "usage", "window": 1}])
        shutil.copy(path, folder / "demo.ccos")
    return folder / "demo.ccos"


KINDS: list[tuple[Callable[[Path], Path], set[int], set[int]]] = [
    (healthy, {0}, {0}),
    (empty, {0, 4}, {0, 1}),
    (paused, {0}, {0, 1}),
    (missing, {1}, {1}),
    (of_bytes(b""), {3}, {3}),
    (of_bytes(b"SQLite format 3\x00" + bytes(40)), {3, 4}, {3, 4}),
    (jpeg, {3}, {3}),
    (foreign, {3}, {3}),
    (newer, {3}, {3}),
    (folder_of_nothing, {1}, {1}),
    (spoilt_op, {0, 4}, {0, 1, 4}),
    (lost_content, {0, 4}, {0, 1}),
    (no_such_table, {4, 0}, {0, 1, 4}),
    (copied_while_open, {0, 4}, {4}),
]
if hasattr(os, "mkfifo"):
    KINDS.append((fifo, {3}, {3}))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("make", "reading", "writing"), KINDS, ids=[make.__name__ for make, _, _ in KINDS])
def test_commands_on_workspaces(
    run: Caller, tmp_path: Path, make: Callable[[Path], Path], reading: set[int], writing: set[int], command: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = make(tmp_path / "ws")
    before = path.read_bytes() if path.is_file() else None
    code = called(run, command, path)
    assert code in (writing if command in WRITING else reading)
    if command in READING and before is not None:
        assert path.read_bytes() == before
    if name_of(command) == "verify" and make in (spoilt_op, lost_content, no_such_table, copied_while_open):
        assert code == exits.DAMAGED


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_on_a_folder_without_permission(tmp_path: Path, command: str) -> None:
    """Run as somebody who may not; for the super-user nothing is forbidden."""
    if os.geteuid() == 0:
        pytest.skip("root may do everything")
    path = demo(tmp_path / "ws")
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        done = outside(*words(command, path))
    finally:
        path.parent.chmod(0o700)
    assert done.returncode in ({5} if command in WRITING else {0, 5})
    assert b"Traceback" not in done.stderr


# ---- damage anywhere ----


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = demo(tmp_path_factory.mktemp("whole"))
    lifecycle.compact(str(path), most=6, keep=6)
    return path


_numbers = iter(range(10**9))
anywhere = st.floats(0, 1, exclude_max=True)
seldom = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def damaged(folder: Path, content: bytes) -> Path:
    path = folder / f"run-{next(_numbers)}" / "demo.ccos"
    path.parent.mkdir()
    path.write_bytes(content)
    return path


def quietly(capsys: pytest.CaptureFixture[str], path: Path, commands: Iterator[str]) -> list[int]:
    """The codes of some commands, called without the fixture that hypothesis would share."""
    return [called(Caller(capsys), command, path) for command in commands]


@seldom
@given(anywhere, st.sampled_from(COMMANDS))
def test_cut_off_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], whole: Path, where: float, command: str
) -> None:
    content = whole.read_bytes()
    path = damaged(tmp_path, content[: int(where * len(content))])
    codes = quietly(capsys, path, iter(["verify", command]))
    if codes[0] not in (3, 4):  # the last bytes of a page can be unused
        assert called(Caller(capsys), "export", path) == 0


@seldom
@given(st.lists(st.tuples(anywhere, st.integers(1, 255)), min_size=1, max_size=3), st.sampled_from(COMMANDS))
def test_flipped_anywhere(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    whole: Path,
    flips: list[tuple[float, int]],
    command: str,
) -> None:
    content = bytearray(whole.read_bytes())
    for where, mask in flips:
        content[int(where * len(content))] ^= mask
    quietly(capsys, damaged(tmp_path, bytes(content)), iter([command, "verify --json"]))


@seldom
@given(anywhere, anywhere, st.sampled_from(COMMANDS))
def test_overwritten_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], whole: Path, where: float, length: float, command: str
) -> None:
    content = bytearray(whole.read_bytes())
    at, size = int(where * len(content)), int(length * 9_000)
    content[at : at + size] = b"\xa5" * len(content[at : at + size])
    quietly(capsys, damaged(tmp_path, bytes(content)), iter([command, "log"]))


def test_a_defect_is_reported_and_not_shown(
    run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("ccos_core.serve.cli.reading.census", lambda record: {}["nothing"])
    done = run("stats", demo(tmp_path / "ws"), "--json")
    assert done.code == exits.DEFECT
    assert done.json()["exit"] == exits.DEFECT
    (report,) = (tmp_path / "state").rglob("*.txt")
    assert str(report) in done.err
    assert "Traceback" in report.read_text()


def test_an_interrupt_is_one_word(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ccos_core.serve.cli.reading.census", interrupted)
    done = run("stats", demo(tmp_path), "--json")
    assert done.code == exits.INTERRUPTED == done.json()["exit"]
    assert done.err.strip() == "ccos-tui: interrupted"


def test_main_reads_the_words_of_the_call_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ccos-tui", "nonesuch"])
    assert main() == exits.USAGE
    assert "no command 'nonesuch'" in capsys.readouterr().err
