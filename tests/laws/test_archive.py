"""Where old ops lie changes nothing of what is read: after any moves, inside or out, the same rows."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Damaged, NotFound, Refused, Unavailable
from ccos_core.storage import archive
from ccos_core.storage.archive import bring_inside, move_older
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.storage.record import Record
from tests.making import append, gone, record_of

MOVES = st.lists(st.tuples(st.integers(0, 14), st.booleans(), st.integers(0, 5)), max_size=4)
"""Ops to keep, whether outside, and how many are appended afterwards."""


def move(record: Record, keep: int, outside: str | None = None) -> int:
    with record.write() as writing:
        return move_older(record, writing, keep, outside)


@settings(max_examples=40, deadline=None)
@given(moves=MOVES, size=st.integers(1, 6), first=st.integers(1, 12), count=st.integers(1, 12))
def test_the_same_rows_wherever_they_lie(moves: list[tuple[int, bool, int]], size: int, first: int, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ccos-archive-") as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "OPS_A_SEGMENT", size)
        path = record_of(Path(name) / "w.ccos", (gone(number) for number in range(2, 12)))
        with open_record(path, write=True) as record:
            rows = list(record.rows())
            for keep, outside, more in moves:
                floor = record.floor()
                moved = move(record, keep, "old" if outside else None)
                assert moved == max(0, len(rows) - keep - floor)
                assert record.floor() == floor + moved
                with record.write() as writing:
                    for number in range(more):
                        append(writing, gone(number))
                rows = the_same(record, rows, first, first + count)
            with record.write() as writing:
                assert bring_inside(record, writing) == []
            shutil.rmtree(Path(name) / "old", ignore_errors=True)
            the_same(record, rows, first, first + count)


def the_same(record: Record, before: list[Any], first: int, last: int) -> list[Any]:
    rows = list(record.rows())
    assert rows[: len(before)] == before
    assert list(record.rows(tolerant=True)) == rows
    assert list(record.rows(first, last)) == rows[first - 1 : last]
    assert record.op(min(first, len(rows))) == rows[min(first, len(rows)) - 1]
    assert record.head() == rows[-1][:2]
    with pytest.raises(NotFound):
        record.op(len(rows) + 1)
    proof = prove(record)
    assert proof.valid, proof.troubles
    assert proof.steps == len(rows)
    return rows


@pytest.fixture
def kept_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, list[Path]]:
    """Steps 1 to 8 in two files, 9 and 10 in the record."""
    monkeypatch.setattr(archive, "OPS_A_SEGMENT", 4)
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 11)))
    with open_record(path, write=True) as record:
        assert move(record, 2, "old") == 8
    return path, sorted((tmp_path / "old").iterdir())


def test_a_file_that_is_missing(kept_outside: tuple[str, list[Path]]) -> None:
    path, segments = kept_outside
    segments[0].unlink()
    with open_record(path) as record:
        for read in (record.rows, lambda: iter([record.op(2)])):
            with pytest.raises(NotFound, match="steps 1 to 4") as caught:
                list(read())
            assert str(segments[0]) in str(caught.value)
            assert caught.value.hint
        assert [row[0] for row in record.rows(5)] == [5, 6, 7, 8, 9, 10]
        assert [row[0] for row in record.rows(tolerant=True)] == [5, 6, 7, 8, 9, 10]
        proof = prove(record)
    assert proof.valid
    assert proof.away == [(1, 4, segments[0].name)]
    assert proof.proven == 10
    with open_record(path, write=True) as record:
        with record.write() as writing:
            assert append(writing, gone(11)) == 11
            assert bring_inside(record, writing) == [segments[0].name]
        assert [row[0] for row in record.rows(5)] == [5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize("how", ["cut", "flip", "title", "another's", "empty", "folder"])
def test_a_file_that_is_damaged(kept_outside: tuple[str, list[Path]], how: str) -> None:
    path, segments = kept_outside
    content = segments[0].read_bytes()
    title, body = content.split(b"\n", 1)
    changed = {
        "cut": content[:-5],
        "flip": title + b"\n" + body[:-1] + bytes([body[-1] ^ 1]),
        "title": title.replace(b'"first":1', b'"first":2') + b"\n" + body,
        "another's": segments[1].read_bytes(),
        "empty": b"",
    }
    segments[0].unlink()
    if how == "folder":
        segments[0].mkdir()
    else:
        segments[0].write_bytes(changed[how])
    expected = NotFound if how == "folder" else Damaged
    with open_record(path) as record:
        with pytest.raises(expected, match="steps 1 to 4"):
            list(record.rows())
        with pytest.raises(expected, match="steps 1 to 4"):
            record.op(1)
        assert [row[0] for row in record.rows(tolerant=True)][-6:] == [5, 6, 7, 8, 9, 10]
        proof = prove(record)
        assert proof.valid is (how == "folder")
        if proof.first_break:
            assert 1 <= proof.first_break.step <= 4
    if how != "folder":
        with open_record(path, write=True) as record:
            with pytest.raises(Damaged, match="steps 1 to 4"), record.write() as writing:
                bring_inside(record, writing)
            assert record.ask("SELECT count(*) FROM segment WHERE place = ''") == [(0,)]


def test_one_archive_folder_for_one_record(kept_outside: tuple[str, list[Path]], tmp_path: Path) -> None:
    path, _ = kept_outside
    with open_record(path, write=True) as record:
        with pytest.raises(Refused, match="another folder"):
            move(record, 0, "new")
        assert move(record, 1, str(tmp_path / "old")) == 1
        assert move(record, 0, "./old/") == 1
        assert [row[0] for row in record.rows()] == list(range(1, 11))


def test_an_archive_that_cannot_be_written(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [gone(2)])
    (tmp_path / "file").touch()
    with open_record(path, write=True) as record:
        with pytest.raises(Unavailable):
            move(record, 0, "file")
        assert record.floor() == 0
        assert [row[0] for row in record.rows()] == [1, 2]


def test_nothing_is_moved_out_of_a_broken_chain(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 6)))
    with open_record(path, write=True) as record:
        with record.write() as writing:
            writing.run("UPDATE op SET body = ? WHERE step = 3", (b"{}",))
        with pytest.raises(Damaged, match="broken"):
            move(record, 0)
        assert record.floor() == 0


def test_archived_while_somebody_reads(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 1_301)))
    with open_record(path) as reader, open_record(path, write=True) as record:
        for tolerant in (False, True):
            reading = reader.rows(tolerant=tolerant)
            assert next(reading)[0] == 1
            assert move(record, 0 if tolerant else 100) > 0
            assert [row[0] for row in reading] == list(range(2, 1_301))
        assert prove(reader).valid
