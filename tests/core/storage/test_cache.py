"""The cache is never believed: without it, or with anything in its place, the same is known."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.errors import CcosError
from ccos_core.storage import cache, scratch
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from tests.core.storage.mishaps import OF_ANY, run, sql
from tests.making import gone, record_of

KNOWN = {"src/a.py": ("ab" * 32, False), "src/é\n.py": ("", True), "x": ("cd" * 32, False)}


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with open_record(record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 9)))) as record:
        yield record


@pytest.fixture
def place(record: Record) -> Path:
    return Path(cache.cache_path(record.path))


def test_saved_and_loaded(record: Record, place: Path) -> None:
    assert cache.load_known(record) == (0, {})
    cache.save_known(record, 3, KNOWN, since=0)
    assert cache.load_known(record) == (3, KNOWN)
    cache.save_known(record, 5, {"x": None, "y": ("ef" * 32, True)}, since=3)
    expected = {**{path: content for path, content in KNOWN.items() if path != "x"}, "y": ("ef" * 32, True)}
    assert cache.load_known(record) == (5, expected)
    assert place.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in place.parent.iterdir()].count(place.name) == 1


def test_another_program_was_faster(record: Record) -> None:
    cache.save_known(record, 5, {"a": ("b", False)}, since=0)
    cache.save_known(record, 4, {"c": ("d", False)}, since=0)
    assert cache.load_known(record) == (5, {"a": ("b", False)})


def test_of_another_record(record: Record, place: Path, tmp_path: Path) -> None:
    other = record_of(tmp_path / "other.ccos", (gone(number) for number in range(20, 29)))
    with open_record(other) as stranger:
        cache.save_known(stranger, 5, KNOWN, since=0)
    os.rename(cache.cache_path(other), place)
    assert cache.load_known(record) == (0, {})


MISHAPS = {
    **OF_ANY,
    "no tables": sql("DROP TABLE known"),
    "no head": sql("DELETE FROM head"),
    "odd head": sql("UPDATE head SET step = 'three'"),
    "a row less": sql("DELETE FROM known WHERE path = 'x'"),
    "a row more": sql("INSERT INTO known VALUES ('z', 'z', 0)"),
    "another word on it": sql("UPDATE known SET reported = 1 - reported WHERE path = 'x'"),
    "another content": sql("UPDATE known SET content = 'ee' WHERE path = 'x'"),
    "bytes": sql("UPDATE known SET content = x'ff' WHERE path = 'x'"),
    "no text": sql("UPDATE known SET content = CAST(x'ff' AS TEXT) WHERE path = 'x'"),
}


@pytest.mark.parametrize("mishap", MISHAPS)
def test_whatever_happens_to_it(record: Record, place: Path, mishap: str) -> None:
    cache.save_known(record, 3, KNOWN, since=0)
    MISHAPS[mishap](place)
    assert cache.load_known(record) == (0, {})
    cache.save_known(record, 4, KNOWN, since=0)
    if not place.is_dir():
        assert cache.load_known(record) == (4, KNOWN)


def test_saving_over_a_mishap(record: Record, place: Path) -> None:
    for mishap, happen in MISHAPS.items():
        if place.is_dir():
            place.rmdir()
        cache.save_known(record, 3, KNOWN, since=cache.load_known(record)[0])
        happen(place)
        cache.save_known(record, 5, {"new": "x"}, since=3)
        step, known = cache.load_known(record)
        assert (step, known) in ((0, {}), (5, {**KNOWN, "new": "x"})), mishap
        if place.is_file():
            place.unlink()


def test_no_link_is_followed(record: Record, place: Path, tmp_path: Path) -> None:
    """Whoever gives away a folder with a link in it gets nothing of ours written where it points."""
    target = tmp_path / "theirs.db"
    run(target, "CREATE TABLE mine (x)")
    before = target.read_bytes()
    place.symlink_to(target)
    cache.save_known(record, 3, KNOWN, since=0)
    cache.load_known(record)
    assert target.read_bytes() == before


def test_in_somebodys_way_it_is_left_alone(record: Record, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.save_known(record, 3, KNOWN, since=0)
    monkeypatch.setattr(scratch, "WAIT", 0.01)
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert cache.load_known(record) == (0, {})
    other.execute("COMMIT")
    other.close()
    assert cache.load_known(record) == (3, KNOWN)


def test_dropped(record: Record, place: Path) -> None:
    cache.drop(record.path)
    cache.save_known(record, 3, KNOWN, since=0)
    cache.drop(record.path)
    assert not place.exists()
    place.mkdir()
    with pytest.raises(CcosError, match="removed"):
        cache.drop(record.path)


def test_where_the_folder_cannot_be_written(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    cache.save_known(record, 3, KNOWN, since=0)
    assert cache.load_known(record) == (3, KNOWN)
    assert (tmp_path / "xdg" / "ccos-tui").is_dir()
    assert not Path(record.path + "-cache").exists()


def test_one_cache_whatever_link_leads_there(record: Record, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere"
    link.symlink_to(tmp_path, target_is_directory=True)
    assert cache.cache_path(str(link / "w.ccos")) == cache.cache_path(record.path)
