"""The open record: what its transactions promise, and SQLite's troubles put into the right words."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import CcosError, ChainBroken, Damaged, Erased, NotFound, Unavailable
from ccos_core.log.chain import GENESIS
from ccos_core.ops.plain import delivery_key
from ccos_core.storage import files, segments
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.proof import Proof, prove, read_anchors
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from tests.making import LONG, SECRET, SHORT, append, gone, one_of_everything, record_of, seen

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return one_of_everything(tmp_path / "w.ccos")


def test_what_was_put_in_is_there(path: str) -> None:
    with open_record(path) as record:
        assert record.head()[0] == 6
        assert record.floor() == 3
        assert [row[0] for row in record.rows()] == [1, 2, 3, 4, 5, 6]
        assert [row[0] for row in record.rows(2, 5)] == [2, 3, 4, 5]
        assert [row[0] for row in record.rows(5)] == [5, 6]
        assert [row[0] for row in record.rows(-3, 2)] == [1, 2]
        assert list(record.rows(7)) == list(record.rows(5, 4)) == []
        assert record.op(2)[0] == 2
        assert record.content(digest(LONG)) == LONG
        assert record.content(digest(SHORT)) == SHORT
        key = delivery_key(gone(4, call="c2"))
        assert key is not None
        assert record.delivered(key) == 4
        assert record.delivered(bytes(16)) is None
        assert repr(record) == f"<Record {path} reading>"


def test_archived_ops_are_read_in_one_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = one_of_everything(tmp_path / "w.ccos")
    read: list[int] = []
    monkeypatch.setattr(segments, "packed", lambda *of, as_it_is=segments.packed: read.append(1) or as_it_is(*of))
    with open_record(path, write=True) as record:
        assert record.bodies([6, 2, 1, 3, 9, 2]) == {step: record.op(step)[2] for step in (1, 2, 3, 6)}
        assert len(read) == 1 + 3, "once for all of them, and once for each that is asked for alone"
        record.connection.execute('UPDATE segment SET "check" = "check" + 1')
        assert record.bodies([2, 6]) == {6: record.op(6)[2]}, "what is wrong with the others `op` says"


def test_what_is_not_there(path: str) -> None:
    with open_record(path) as record:
        for step in (0, -1, 7, 2**62):
            with pytest.raises(NotFound, match="1 to 6"):
                record.op(step)
        with pytest.raises(NotFound):
            record.content(bytes(32))
        with pytest.raises(Erased, match="by hash"):
            record.content(digest(SECRET))


def test_an_empty_record(tmp_path: Path) -> None:
    make_record(str(tmp_path / "w.ccos"))
    with open_record(str(tmp_path / "w.ccos")) as record:
        assert record.head() == (0, GENESIS)
        assert list(record.rows()) == []
        proof = prove(record)
        assert proof.valid
        assert proof.head == GENESIS.hex()
        with pytest.raises(NotFound, match="none yet"):
            record.op(1)


def test_all_or_nothing(path: str) -> None:
    with open_record(path, write=True) as record:
        before = record.head()
        with pytest.raises(ZeroDivisionError), record.write() as writing:
            append(writing, seen(b"never", call="n"), b"never") // 0
        assert record.head() == before
        with pytest.raises(NotFound):
            record.content(digest(b"never"))
        with record.write() as writing:
            assert append(writing, gone(7)) == 7


def test_a_swallowed_trouble_keeps_nothing(path: str) -> None:
    """After a failed statement SQLite may have ended the transaction; what follows must not stand on its own."""
    with open_record(path, write=True) as record:
        with pytest.raises(Unavailable, match="nothing was written"):
            twice_the_same(record)
        assert record.head()[0] == 6
        assert not record.connection.in_transaction


def twice_the_same(record: Record) -> None:
    with record.write() as writing:
        append(writing, gone(7, call="twice"))
        with contextlib.suppress(CcosError):
            append(writing, gone(8, call="twice"))


def test_a_head_that_cannot_be_read_holds_no_lock(path: str) -> None:
    with open_record(path, write=True) as record:
        with record.write() as writing:
            writing.run("UPDATE op SET hash = 'text' WHERE step = 6")
        with pytest.raises(Damaged, match="6"), record.write():
            pass
        assert not record.connection.in_transaction


def test_contents_are_kept_once_and_stay_forgotten(path: str) -> None:
    with open_record(path, write=True) as record:
        with record.write() as writing:
            for content in (LONG, LONG, SECRET):
                writing.keep(digest(content), content)
            assert writing.keep_fact(digest(SHORT), "symbols", 3, b"[]")
            assert not writing.keep_fact(digest(SHORT), "symbols", 3, b"[1]")
        with pytest.raises(Erased):
            record.content(digest(SECRET))
        assert record.ask("SELECT count(*) FROM blob") == [(2,)]


# ---- SQLite's troubles ----


def trouble(path: str, act: Any) -> CcosError:
    with open_record(path, write=True, patience=0) as record:
        with pytest.raises(CcosError) as caught:
            act(record)
        assert not record.connection.in_transaction
    assert path in caught.value.place
    assert caught.value.hint
    return caught.value


def test_locked(path: str) -> None:
    def append_beside(record: Record) -> None:
        with open_record(path, write=True, patience=0) as other, other.write(), record.write():
            pass

    error = trouble(path, append_beside)
    assert type(error) is Unavailable
    assert "busy" in error.fact


def test_full(path: str) -> None:
    def fill_up(record: Record) -> None:
        record.ask(f"PRAGMA max_page_count = {record.ask('PRAGMA page_count')[0][0] + 2}")
        with record.write() as writing:
            for number in range(50):
                content = os.urandom(4_000)
                append(writing, seen(content, str(number)), content)

    error = trouble(path, fill_up)
    assert type(error) is Unavailable
    assert "full" in error.fact
    with open_record(path) as record:
        assert record.head()[0] == 6
        assert prove(record).valid


def test_read_only(path: str) -> None:
    def write(record: Record) -> None:
        record.ask("PRAGMA query_only = ON")
        with record.write() as writing:
            append(writing, gone(7))

    error = trouble(path, write)
    assert type(error) is Unavailable
    assert "read-only" in error.fact


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_BUSY, Unavailable),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Unavailable),
        (sqlite3.SQLITE_LOCKED, Unavailable),
        (sqlite3.SQLITE_READONLY_DBMOVED, Unavailable),
        (sqlite3.SQLITE_IOERR_FSYNC, Unavailable),
        (sqlite3.SQLITE_IOERR_SHORT_READ, Damaged),
        (sqlite3.SQLITE_FULL, Unavailable),
        (sqlite3.SQLITE_CANTOPEN, Unavailable),
        (sqlite3.SQLITE_CORRUPT, Damaged),
        (sqlite3.SQLITE_NOTADB, Damaged),
        (sqlite3.SQLITE_ERROR, Damaged),
        (None, Damaged),
    ],
)
def test_families(code: int | None, expected: type[CcosError]) -> None:
    error = sqlite3.OperationalError("a table called locked, full and readonly")
    if code is not None:
        error.sqlite_errorcode = code
    said = files.explain(error, "w.ccos")
    assert type(said) is expected
    assert said.hint
    assert str(said).startswith("w.ccos: ")
    assert "\n  " in str(said)


def test_messages_that_are_no_text() -> None:
    for error in (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), MemoryError()):
        assert type(files.explain(error, "w.ccos")) is Damaged


# ---- anchors ----


def anchored(path: str, *anchors: tuple[int | None, str]) -> Proof:
    with open_record(path) as record:
        return prove(record, anchors)


def test_anchors(path: str) -> None:
    with open_record(path) as record:
        heads = {step: hash_.hex() for step, hash_, _ in record.rows()}
    everything = anchored(path, *heads.items(), *((None, head) for head in heads.values()), (0, GENESIS.hex()))
    assert everything.valid
    assert everything.anchors == 13
    for anchor in ((4, heads[5]), (7, heads[6]), (None, "ab" * 32), (4, "ab" * 32)):
        proof = anchored(path, anchor)
        assert [each.what for each in proof.troubles] == ["anchor"]
        assert proof.troubles[0].expected == anchor[1]


def test_a_chain_computed_anew_is_told_by_an_anchor(tmp_path: Path) -> None:
    one = record_of(tmp_path / "one.ccos", [gone(2), gone(3)])
    other = record_of(tmp_path / "other.ccos", [gone(2), gone(4)])
    head = anchored(one).head
    assert anchored(other).valid
    proof = anchored(other, (3, head))
    assert not proof.valid
    assert proof.first_break is not None
    assert proof.first_break.step == 3


def test_reading_anchors(path: str) -> None:
    head = "ab" * 32
    assert read_anchors(f"12 {head}") == [(12, head)]
    assert read_anchors(f"  head      step 12 {head}\nOK: nothing\n") == [(12, head)]
    assert read_anchors(f"# mine\n\n{head}\n") == [(None, head)]
    other = "cd" * 32
    said = f'{{"steps":12,"proven":12,"head":"{head}","erased":[{{"content":"{other}","step":3}}]}}'
    assert read_anchors(said) == [(12, head)]
    assert read_anchors(f'{{"step":5,"kind":"gone","hash":"{head}","call":"{other}"}}') == [(5, head)]
    assert read_anchors('{"step":5}\n{\nnothing') == []
    assert read_anchors("[" * 100_000) == []


# ---- what it costs to import ----


def test_the_hooks_path_stays_light() -> None:
    modules = "ccos_core.storage.record, ccos_core.storage.opening, ccos_core.log.chain, ccos_core.log.packing"
    heavy = "dataclasses typing pathlib inspect enum contextlib hashlib tempfile shutil logging asyncio threading"
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
before = set(sys.modules)
import __future__, re, zlib, json, sqlite3, stat, blake3  # what it stands on
between = set(sys.modules)
import ccos_core.ops.plain, {modules}
print(*sorted((set(sys.modules) - between) & set({heavy!r}.split())))
print(*sorted(each for each in set(sys.modules) - between if not each.startswith("ccos_core")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy_found, others = done.stdout.split("\n")[:2]
    assert heavy_found == ""
    assert others == ""


def test_errors_name_place_fact_and_next_step() -> None:
    error = ChainBroken("it breaks", step=3, place="w.ccos", hint="Do this.")
    assert str(error) == "w.ccos: it breaks\n  Do this."
    assert error.step == 3
    assert str(Damaged("it breaks")) == "it breaks"
