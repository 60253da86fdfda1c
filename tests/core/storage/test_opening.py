"""What may stand where a workspace should: each is opened or refused in words, and nothing is changed or waited for."""

import os
import shutil
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from ccos_core.errors import (
    CcosError,
    CopiedWhileOpen,
    Damaged,
    NewerFormat,
    NotFound,
    NotUnderstood,
    OlderFormat,
    Refused,
    Unavailable,
)
from ccos_core.storage import opening, schema
from ccos_core.storage.opening import connect, make_record, open_record
from ccos_core.storage.proof import prove
from ccos_core.storage.record import Record
from tests.making import append, gone, one_of_everything, record_of


def more(path: str, number: int) -> None:
    with open_record(path, write=True) as record, record.write() as writing:
        append(writing, gone(number))


def side_files(path: str) -> list[str]:
    folder, name = os.path.split(path)
    return sorted(each for each in os.listdir(folder) if each.startswith(name) and each != name)


@pytest.mark.parametrize(
    "name",
    [
        "plain.ccos",
        "a b.ccos",
        "what?mode=memory#x.ccos",
        "100%25.ccos",
        "new\nline.ccos",
        "\udcff\udcfe.ccos",
        "é 漢字 😀.ccos",
        "file:x.ccos",
        ":memory:",
        "quote'\".ccos",
        "-rf.ccos",
    ],
    ids=ascii,
)
def test_any_name(tmp_path: Path, name: str) -> None:
    path = record_of(tmp_path / name, [gone(2)])
    more(path, 3)
    with open_record(path) as record:
        assert record.head()[0] == 3
        assert prove(record).valid
    assert [os.fsencode(each) for each in os.listdir(tmp_path)] == [os.fsencode(name)]


def test_a_relative_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_record("w.ccos")
    more("w.ccos", 1)
    with open_record("./w.ccos") as record:
        assert record.head()[0] == 1


def refusal(path: str, *, write: bool = False) -> CcosError:
    with pytest.raises(CcosError) as caught:
        open_record(path, write=write, patience=0)
    error = caught.value
    assert error.place
    assert error.fact
    assert error.hint, f"{error} doesn't say what to do next"
    return error


def test_what_is_no_workspace(tmp_path: Path) -> None:
    folder, empty, text, link = (tmp_path / name for name in ("folder", "empty", "text", "link"))
    folder.mkdir()
    empty.touch()
    text.write_text('{"type":"user"}\n' * 20)
    link.symlink_to(tmp_path / "nowhere")
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    for write in (False, True):
        assert type(refusal(str(folder), write=write)) is NotUnderstood
        assert type(refusal(str(empty), write=write)) is NotUnderstood
        assert type(refusal(str(text), write=write)) is NotUnderstood
        assert type(refusal(str(other), write=write)) is NotUnderstood
        assert type(refusal(str(link), write=write)) is NotFound
        assert type(refusal(str(tmp_path / "none.ccos"), write=write)) is NotFound
        assert type(refusal(str(tmp_path / "no" / "none.ccos"), write=write)) is NotFound
        assert type(refusal("nul\0.ccos", write=write)) is NotFound
        assert isinstance(refusal(str(text / "below"), write=write), CcosError)
        assert isinstance(refusal(str(tmp_path / ("long" * 100)), write=write), CcosError)
    assert empty.read_bytes() == b""
    assert sorted(os.listdir(tmp_path)) == ["empty", "folder", "link", "other.db", "text"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done: list[CcosError] = []
    asking = threading.Thread(target=lambda: done.append(refusal(str(tmp_path / "pipe"))), daemon=True)
    asking.start()
    asking.join(10)
    assert done
    assert type(done[0]) is NotUnderstood


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = record_of(tmp_path / "w.ccos", [])

    def closed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", closed)
    assert type(refusal(path)) is Unavailable


def test_a_link_leads_to_the_same_record(tmp_path: Path) -> None:
    """Side files lie beside the file itself, and what belongs to it is found from there."""
    (tmp_path / "real").mkdir()
    path = one_of_everything(tmp_path / "real" / "w.ccos", outside="old")
    link = str(tmp_path / "link.ccos")
    os.symlink(path, link)
    with open_record(link, write=True) as record:
        with record.write() as writing:
            append(writing, gone(7))
        assert side_files(path) == ["w.ccos-shm", "w.ccos-wal"]
        with open_record(path) as other:
            assert other.head() == record.head()
        assert [row[0] for row in record.rows()] == list(range(1, 8))
        assert prove(record).away == []
    assert side_files(path) == side_files(link) == []


# ---- made ----


def test_made_whole_or_not_at_all(tmp_path: Path) -> None:
    path = str(tmp_path / "w.ccos")

    def fail(record: Record) -> None:
        with record.write() as writing:
            append(writing, gone(1))
        raise KeyError("half way")

    with pytest.raises(KeyError):
        make_record(path, fail)
    assert os.listdir(tmp_path) == []
    record_of(Path(path), [])
    before = Path(path).read_bytes()
    with pytest.raises(Refused):
        make_record(path)
    assert Path(path).read_bytes() == before
    assert os.listdir(tmp_path) == ["w.ccos"]
    with pytest.raises(Unavailable):
        make_record(str(tmp_path / "no" / "w.ccos"))


def test_never_over_what_appeared_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "w.ccos"
    with pytest.raises(Refused):
        make_record(str(path), lambda _: path.write_text("somebody else's") and None)
    assert path.read_text() == "somebody else's"
    assert os.listdir(tmp_path) == ["w.ccos"]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    path = record_of(tmp_path / "w.ccos", [])
    assert os.listdir(tmp_path) == ["w.ccos"]
    with pytest.raises(Refused):
        make_record(path)


def test_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = record_of(tmp_path / "w.ccos", [])
        with open_record(path, write=True) as record:
            with record.write() as writing:
                append(writing, gone(2))
            for name in os.listdir(tmp_path):
                assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600, name
            assert len(os.listdir(tmp_path)) == 3
    finally:
        os.umask(before)


def test_drafts_of_the_dead_are_cleared_away(tmp_path: Path) -> None:
    gone_pid = 2**22 + 1  # beyond what any system gives
    old = [tmp_path / f"w.ccos.{gone_pid}-0123abcd.new", tmp_path / f"x.ccos.{gone_pid}-0123abcd.new-journal"]
    kept = [
        tmp_path / f"w.ccos.{os.getpid()}-0123abcd.new",
        tmp_path / f"young.ccos.{gone_pid}-0123abcd.new",
        tmp_path / "mine.new",
        tmp_path / f"w.ccos.{gone_pid}-0123abcd.newer",
    ]
    for path in (*old, *kept):
        path.touch()
        if "young" not in path.name:
            os.utime(path, (1, 1) if path != kept[0] else None)
    record_of(tmp_path / "w.ccos", [])
    assert {path.name for path in kept} | {"w.ccos"} == set(os.listdir(tmp_path))


def test_one_made_at_once_by_many(tmp_path: Path) -> None:
    path = str(tmp_path / "w.ccos")
    refused: list[Refused] = []

    def make() -> None:
        try:
            make_record(path)
        except Refused as error:
            refused.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 5
    assert os.listdir(tmp_path) == ["w.ccos"]
    with open_record(path) as record:
        assert prove(record).valid


# ---- versions ----


def set_version(path: str, version: int) -> None:
    connection = connect(path, "rw", 1)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_newer_and_older_formats(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    for version, kind, words in ((schema.FORMAT + 1, NewerFormat, "newer"), (0, OlderFormat, f"upgrade {path}")):
        set_version(path, version)
        before = Path(path).read_bytes()
        for write in (False, True):
            error = refusal(path, write=write)
            assert type(error) is kind
            assert words in str(error)
        assert Path(path).read_bytes() == before
        assert side_files(path) == []


# ---- copies ----


def test_a_copy_of_a_record_in_use(tmp_path: Path) -> None:
    """`cp` of the file alone: recognised, readable as far as it goes, never written, and never changed by looking."""
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    copy = str(tmp_path / "copy.ccos")
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(3))
        shutil.copy(path, copy)
    before = Path(copy).read_bytes()
    for _ in range(2):
        with open_record(copy) as record:
            assert isinstance(record.notice, CopiedWhileOpen)
            assert "step 2" in str(record.notice)
            assert [row[0] for row in record.rows()] == [1, 2]
            proof = prove(record)
            assert not proof.valid
            assert [trouble.what for trouble in proof.troubles] == ["copy"]
        assert type(refusal(copy, write=True)) is CopiedWhileOpen
    assert Path(copy).read_bytes() == before
    assert side_files(copy) == []


def test_whole_copies_are_not_accused(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(3))
        for side in ("", "-wal", "-shm"):
            shutil.copy(path + side, str(tmp_path / "three.ccos") + side)
        for side in ("", "-wal"):
            shutil.copy(path + side, str(tmp_path / "two.ccos") + side)
    shutil.copy(path, tmp_path / "rest.ccos")
    os.rename(path, tmp_path / "renamed.ccos")
    for name in ("three.ccos", "two.ccos", "rest.ccos", "renamed.ccos"):
        with open_record(str(tmp_path / name)) as record:
            assert record.notice is None, name
            assert record.head()[0] == 3
            assert prove(record).valid
        more(str(tmp_path / name), 4)
        more(str(tmp_path / name), 5)
        with open_record(str(tmp_path / name)) as record:
            assert record.notice is None
            assert record.head()[0] == 5
        assert side_files(str(tmp_path / name)) == []


def left_in_wal(path: str) -> None:
    """Leave the file as a crash in the right moment does: WAL in its header, and no -wal beside it."""
    with open_record(path, write=True) as record, record.write() as writing:
        append(writing, gone(9))
    connection = connect(path, "rw", 1)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("SELECT * FROM local").fetchall()
    connection.close()
    assert Path(path).read_bytes()[18] == 2
    assert side_files(path) == []


def test_the_original_after_a_crash_is_not_accused(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    left_in_wal(path)
    os.rename(path, tmp_path / "renamed.ccos")
    path = str(tmp_path / "renamed.ccos")
    with open_record(path) as record:
        assert record.notice is None
    left_in_wal(path)
    more(path, 10)
    assert Path(path).read_bytes()[18] == 1


def test_copied_whole_then_crashed(tmp_path: Path) -> None:
    """A copy of all three files becomes an original of its own as soon as somebody writes to it."""
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    copy = str(tmp_path / "copy.ccos")
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(3))
        for side in ("", "-wal", "-shm"):
            shutil.copy(path + side, copy + side)
    with open_record(copy, write=True) as record:
        assert record.local("inode") == str(os.stat(copy).st_ino)


def test_the_last_to_leave_tidies_up(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    writer = open_record(path, write=True)
    with writer.write() as writing:
        append(writing, gone(3))
    reader = open_record(path)
    assert reader.head()[0] == 3
    writer.close()
    assert side_files(path) != []
    reader.close()
    assert side_files(path) == []
    assert Path(path).read_bytes()[18] == 1
    shutil.copy(path, tmp_path / "copy.ccos")
    with open_record(str(tmp_path / "copy.ccos")) as record:
        assert record.notice is None


# ---- where nothing may be written ----


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `os.access` would answer on a disc; root could write all the same."""
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)


@pytest.mark.usefixtures("read_only")
def test_reading_where_nothing_may_be_written(tmp_path: Path) -> None:
    path = one_of_everything(tmp_path / "w.ccos")
    before = Path(path).read_bytes()
    with open_record(path) as record:
        assert record.notice is None
        assert prove(record).valid
        with pytest.raises(Unavailable), record.write() as writing:
            append(writing, gone(7))
    assert Path(path).read_bytes() == before
    assert side_files(path) == []


@pytest.mark.usefixtures("read_only")
def test_a_crash_on_a_disc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a -wal that can't be opened, what the file itself holds is read, and that it may not be all is said."""
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    disc = str(tmp_path / "disc.ccos")
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(3))
        for side in ("", "-wal"):
            shutil.copy(path + side, disc + side)
    real = opening.connect

    def no_side_files(path: str, mode: str, patience: float) -> sqlite3.Connection:
        return real(path if "immutable" in mode else str(tmp_path / "no" / "such"), mode, patience)

    monkeypatch.setattr(opening, "connect", no_side_files)
    with pytest.raises(CcosError):
        open_record(str(tmp_path / "no" / "such"))
    monkeypatch.setattr(opening, "_for_reading", lambda path, _: opening._read_as_it_lies(path, path))
    with open_record(disc) as record:
        assert isinstance(record.notice, Unavailable)
        assert "may be missing" in str(record.notice)
        assert record.head()[0] == 2
        assert not prove(record).valid


def test_a_damaged_copy_is_called_damaged(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 200)))
    content = Path(path).read_bytes()
    Path(path).write_bytes(content[:18] + b"\x02\x02" + content[20 : len(content) // 2])
    with open_record(path) as record:
        assert isinstance(record.notice, Damaged)
    assert isinstance(refusal(path, write=True), Damaged)
