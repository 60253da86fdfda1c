"""Any single bit of any row that is part of the record: flipped, it is found, and its step named where it has one."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.storage.opening import connect, open_record
from ccos_core.storage.proof import Proof, prove
from ccos_core.storage.record import Record
from tests.depth import at_depth
from tests.making import one_of_everything

TABLES = {
    "op": ("step", "hash", "body"),
    "blob": ("hash", "size", "form", "check", "body"),
    "fact": ("key", "interpreter", "version", "digest", "size", "form", "check", "body"),
    "delivery": ("key", "step", "check"),
    "erased": ("hash", "size", "step", "at", "why", "check"),
    "segment": ("first", "last", "before", "after", "size", "check", "place", "packed"),
}
EVERYTHING = [(table, column) for table, columns in TABLES.items() for column in columns]
MOST_BITS = at_depth(60, 400)
"""Of a long cell, this many bits spread over all of it."""

STEPS = {
    # Where each row's trouble belongs, in the order of the rows; 0 where it belongs to none.
    "op": [4, 5, 6],
    "blob": [5, 2],  # by size: the short content, the long one
    "fact": [2, 5, 6],
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inside")
    return Path(one_of_everything(folder / "w.ccos"))


@pytest.fixture(scope="module")
def original_outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    return Path(one_of_everything(folder / "w.ccos", outside="old"))


def test_the_tables_are_all_of_the_record(original: Path) -> None:
    with open_record(str(original)) as record:
        tables = {name for (name,) in record.ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables == TABLES.keys() | {"local"}
        for table, columns in TABLES.items():
            assert tuple(row[1] for row in record.ask(f"PRAGMA table_info({table})")) == columns
            assert record.ask(f"SELECT count(*) FROM {table}")[0][0] > 0
        assert prove(record).valid


@pytest.mark.parametrize(("table", "column"), EVERYTHING)
def test_inside(original: Path, tmp_path: Path, table: str, column: str) -> None:
    every_flip_is_found(shutil.copy(original, tmp_path / "w.ccos"), table, column)


@pytest.mark.parametrize("column", [column for column in TABLES["segment"] if column != "packed"])
def test_outside(original_outside: Path, tmp_path: Path, column: str) -> None:
    shutil.copytree(original_outside.parent / "old", tmp_path / "old")
    every_flip_is_found(shutil.copy(original_outside, tmp_path / "w.ccos"), "segment", column)


def test_a_file_of_the_archive(original_outside: Path) -> None:
    (file,) = (original_outside.parent / "old").iterdir()
    content = file.read_bytes()
    for bit in range(0, len(content) * 8, at_depth(29, 3)):
        file.write_bytes(flipped(content, bit))
        with open_record(str(original_outside)) as record:
            first = prove(record).first_break
        assert first is not None, f"bit {bit} of {len(content) * 8}"
        assert 1 <= first.step <= 3
    file.write_bytes(content)
    with open_record(str(original_outside)) as record:
        assert prove(record).valid


def every_flip_is_found(path: Path | str, table: str, column: str) -> None:
    connection = connect(str(path), "rw", 5)
    record = Record(connection, str(path), writable=False)
    order = "size" if table == "blob" else "1"
    rowid = {"op": "step", "segment": "first", "delivery": "key", "erased": "hash"}.get(table, "rowid")
    rows = connection.execute(f'SELECT {rowid}, "{column}" FROM {table} ORDER BY {order}').fetchall()
    if table == "fact":
        rows = connection.execute(f'SELECT rowid, "{column}" FROM fact ORDER BY rowid').fetchall()
    for at, (name, value) in enumerate(rows):
        for other in flips(value):
            connection.execute("BEGIN")
            cast = "CAST(? AS TEXT)" if type(value) is str else "?"
            try:
                connection.execute(f'UPDATE {table} SET "{column}" = {cast} WHERE {rowid} = ?', (other, name))
            except sqlite3.IntegrityError:
                pass  # there is such a row already, so no flip can make this one it
            else:
                judge(prove(record), table, column, at, f"{value!r} -> {other!r}")
            connection.execute("ROLLBACK")
    connection.close()


def judge(proof: Proof, table: str, column: str, at: int, what: str) -> None:
    first = proof.first_break
    assert first is not None, what
    steps = STEPS.get(table)
    if steps and (table, column) != ("fact", "key"):
        assert first.step == steps[at], (what, proof.troubles)
    if table == "segment":
        assert 1 <= first.step <= 3 or column == "last", (what, proof.troubles)
        assert proof.proven < first.step
    if table == "op":
        assert proof.proven == STEPS["op"][at] - 1, what


def flips(value: object) -> Iterator[object]:
    if type(value) is int:
        for bit in range(63):
            yield value ^ 1 << bit
        yield value - 2**63 if value >= 0 else value + 2**63
    elif isinstance(value, str | bytes):
        content = value.encode() if isinstance(value, str) else value
        step = max(1, len(content) * 8 // MOST_BITS)
        for bit in range(0, len(content) * 8, step):
            yield flipped(content, bit)
    else:
        assert value is None


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
