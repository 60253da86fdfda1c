"""Marks lie in the record's file and are no part of the record."""

from pathlib import Path

import pytest

from ccos_core.errors import CcosError
from ccos_core.storage.marks import keep_marks, marks_of
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.values.marks import Mark
from tests.core.serve.calling import demo


def kept(path: Path) -> tuple[Mark, ...]:
    with open_record(str(path)) as record:
        return marks_of(record)


def test_what_is_kept_comes_back_by_step(tmp_path: Path) -> None:
    path = demo(tmp_path)
    marks = [Mark(9, "z", ""), Mark(2, "a", 'why: "ü" \x00 \n'), Mark(2, "", "note"), Mark(2, "", "another")]
    for mark in marks:
        keep_marks(str(path), mark, None)
        keep_marks(str(path), mark, None)
    assert sorted(kept(path), key=repr) == sorted(marks, key=repr)
    assert [mark.step for mark in kept(path)] == [2, 2, 2, 9]
    keep_marks(str(path), Mark(3, "z", "moved"), marks[0])
    keep_marks(str(path), None, marks[2])
    assert set(kept(path)) == {Mark(3, "z", "moved"), marks[1], marks[3]}


def test_the_record_stays_as_it_was(tmp_path: Path) -> None:
    path = demo(tmp_path)
    with open_record(str(path)) as record:
        before = (record.head(), prove(record))
        keep_marks(str(path), Mark(1, "x", ""), None)  # while somebody reads
        assert marks_of(record) == (Mark(1, "x", ""),)
    with open_record(str(path)) as record:
        assert (record.head(), prove(record)) == before


@pytest.mark.parametrize("value", ["", "{", "[]", "[1]", '[1,"a"]', '["1","a","b"]', '[-1,"a","b"]', 7, b"\xff", None])
def test_what_is_no_mark_is_not_shown(tmp_path: Path, value: object) -> None:
    path = demo(tmp_path)
    keep_marks(str(path), Mark(1, "good", ""), None)
    with open_record(str(path), write=True) as record, record.write() as writing:
        writing.run("INSERT INTO local VALUES ('mark:bad', ?)", (value,))
        writing.run("INSERT INTO local VALUES ('marked', '[1,\"a\",\"b\"]')")
    assert kept(path) == (Mark(1, "good", ""),)


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(CcosError):
        keep_marks(str(tmp_path / "nonesuch.ccos"), Mark(1, "x", ""), None)
    assert not (tmp_path / "nonesuch.ccos").exists()
