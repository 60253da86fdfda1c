"""Formats: an older file is refused with the command that helps, brought forward whole or left as it was."""

import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ccos_core.errors import CcosError, CopiedWhileOpen, Damaged, NewerFormat, NotUnderstood, Unavailable
from ccos_core.storage import files
from ccos_core.storage.copying import copy_record, upgrade_file
from ccos_core.storage.opening import connect, open_record
from ccos_core.storage.proof import prove
from tests.making import append, gone, one_of_everything, record_of

Migration = Callable[[sqlite3.Connection], None]
OLD, NEW = 1, 3


def add_a_table(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE mark (name TEXT)")
    connection.execute("INSERT INTO mark VALUES ('here')")


def fill_it(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO mark SELECT 'step ' || step FROM op")


def fail(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM op")
    raise ArithmeticError("half way")


def ask_for_what_is_not_there(connection: sqlite3.Connection) -> None:
    connection.execute("SELECT * FROM nowhere")


def end_the_transaction(connection: sqlite3.Connection) -> None:
    connection.execute("COMMIT")


GOOD: Mapping[int, Migration] = {1: add_a_table, 2: fill_it}


def content(path: str) -> tuple[int, list[tuple[object, ...]]]:
    connection = connect(path, "ro", 1)
    try:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        return version, [row for (name,) in tables for row in connection.execute(f"SELECT * FROM {name}")]
    finally:
        connection.close()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_brought_forward_with_a_backup_kept(tmp_path: Path) -> None:
    path = one_of_everything(tmp_path / "w.ccos")
    before = content(path)
    backup = upgrade_file(path, GOOD, NEW)
    assert backup == f"{path}.format1.bak"
    version, rows = content(path)
    assert version == NEW
    assert set(before[1]) < set(rows)
    assert ("step 6",) in rows
    assert content(backup) == before
    with open_record(backup) as record:
        assert prove(record).valid
    assert names(tmp_path) == {"w.ccos", "w.ccos.format1.bak"}
    assert upgrade_file(path, GOOD, NEW) is None
    assert names(tmp_path) == {"w.ccos", "w.ccos.format1.bak"}
    assert files.look(path, NEW).format == NEW


def test_nothing_to_do(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    before = Path(path).read_bytes()
    assert upgrade_file(path) is None
    assert Path(path).read_bytes() == before
    assert names(tmp_path) == {"w.ccos"}


@pytest.mark.parametrize(
    ("migrations", "expected"),
    [
        ({1: add_a_table, 2: fail}, ArithmeticError),
        ({1: fail}, ArithmeticError),
        ({1: add_a_table, 2: ask_for_what_is_not_there}, Damaged),
        ({1: add_a_table}, NotUnderstood),
        ({}, NotUnderstood),
    ],
    ids=["half way", "at once", "SQL", "one missing", "none"],
)
def test_a_failing_one_leaves_the_file_as_it_was(
    tmp_path: Path, migrations: Mapping[int, Migration], expected: type[Exception]
) -> None:
    path = one_of_everything(tmp_path / "w.ccos")
    before, rows = Path(path).read_bytes(), content(path)
    with pytest.raises(expected):
        upgrade_file(path, migrations, NEW)
    assert Path(path).read_bytes() == before
    assert content(path) == rows
    assert content(f"{path}.format1.bak") == rows
    assert names(tmp_path) == {"w.ccos", "w.ccos.format1.bak"}
    with open_record(path, write=True) as record, record.write() as writing:
        append(writing, gone(7))
    assert upgrade_file(path, GOOD, NEW) == f"{path}.format1.bak2", "the first is of another day's record"


def test_a_migration_may_not_end_its_transaction(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    with pytest.raises(RuntimeError, match="ended the transaction"):
        upgrade_file(path, {1: end_the_transaction}, 2)


def test_a_newer_one_is_left_alone(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    upgrade_file(path, GOOD, NEW)
    before = Path(path).read_bytes()
    for do in (upgrade_file, open_record):
        with pytest.raises(NewerFormat, match="reads up to 1"):
            do(path)
    assert Path(path).read_bytes() == before


def test_while_somebody_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for its turn; here it is told that it has none."""
    monkeypatch.setattr("ccos_core.storage.copying.PATIENCE", 0.05)
    path = record_of(tmp_path / "w.ccos", [])
    connection = connect(path, "rw", 0)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="busy"):
        upgrade_file(path, GOOD, NEW)
    connection.close()
    assert names(tmp_path) == {"w.ccos"}


def test_one_that_was_copied_while_open(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(2))
        shutil.copy(path, tmp_path / "copy.ccos")
    with pytest.raises(CopiedWhileOpen):
        upgrade_file(str(tmp_path / "copy.ccos"), GOOD, NEW)


# ---- copies ----


def test_a_copy_while_others_write(tmp_path: Path) -> None:
    """One moment, whole, at rest, and no older than when it was asked for."""
    path = one_of_everything(tmp_path / "w.ccos")
    with open_record(path, write=True) as writer, open_record(path) as record:
        with writer.write() as writing:
            append(writing, gone(7))
        copy_record(record, str(tmp_path / "copy.ccos"))
        with writer.write() as writing:
            append(writing, gone(8))
    with open_record(str(tmp_path / "copy.ccos")) as copy:
        assert copy.notice is None
        assert copy.head()[0] == 7
        assert prove(copy).valid
    assert (tmp_path / "copy.ccos").stat().st_mode & 0o777 == 0o600
    assert names(tmp_path) == {"w.ccos", "copy.ccos"}


def test_a_copy_of_a_torn_copy_can_be_gone_on_with(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    torn, mended = str(tmp_path / "torn.ccos"), str(tmp_path / "mended.ccos")
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(2))
        shutil.copy(path, torn)
    with open_record(torn) as record:
        copy_record(record, mended)
    with open_record(mended, write=True) as record, record.write() as writing:
        assert append(writing, gone(2)) == 2


@pytest.mark.parametrize("there", ["file", "folder", "dangling link"])
def test_never_over_something(tmp_path: Path, there: str) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    to = tmp_path / "to.ccos"
    {"file": to.touch, "folder": to.mkdir, "dangling link": lambda: to.symlink_to("nowhere")}[there]()
    with open_record(path) as record, pytest.raises(CcosError, match="exists already"):
        copy_record(record, str(to))
    assert names(tmp_path) == {"w.ccos", "to.ccos"}


def test_nowhere_to_copy_to(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    with open_record(path) as record, pytest.raises(Unavailable):
        copy_record(record, str(tmp_path / "no" / "to.ccos"))
