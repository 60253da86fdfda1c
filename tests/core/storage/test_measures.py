"""Measures that are kept: any of it may be gone or wrong at any time, and nobody is worse off than without."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ccos_core.storage import cache, measures
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from tests.story import new_session

if TYPE_CHECKING:
    from ccos_core.log.facts import Key

ONE: Key = digest(b"one"), "python", 1
OTHER: Key = digest(b"other"), "python", 1
NONE = 0


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with open_record(new_session(tmp_path).recorded.path) as found:
        yield found


def keep(record: Record, *keys: Key, body: bytes = b"body", forgotten: int = NONE) -> None:
    measures.save(record, [measures.row_of(key, 1, body) for key in keys], forgotten)


def test_kept_and_found(record: Record) -> None:
    assert measures.load(record, [ONE, OTHER], 1) == {}
    keep(record, ONE)
    assert measures.load(record, [ONE, OTHER], 1) == {ONE: b"body"}
    keep(record, ONE, OTHER)
    assert measures.load(record, [ONE, OTHER], 1) == {ONE: b"body", OTHER: b"body"}


def test_of_another_version_or_interpreter_it_is_none(record: Record) -> None:
    keep(record, ONE)
    assert measures.load(record, [ONE], 2) == {}
    assert measures.load(record, [(ONE[0], "python", 2), (ONE[0], "go", 1)], 1) == {}


def test_nothing_is_kept_where_something_was_forgotten_meanwhile(record: Record) -> None:
    keep(record, ONE, forgotten=NONE + 1)
    assert measures.load(record, [ONE], 1) == {}
    keep(record, ONE)
    assert measures.load(record, [ONE], 1) == {ONE: b"body"}


@pytest.mark.parametrize("what", ["body = x'00'", "body = 'body'", "\"check\" = x'00'", "name = x'00'"])
def test_what_is_not_what_was_saved_counts_as_none(record: Record, what: str) -> None:
    keep(record, ONE, OTHER)
    with closing(sqlite3.connect(cache.cache_path(record.path))) as connection, connection:
        connection.execute(f"UPDATE measure SET {what} WHERE name = ?", (measures.row_of(ONE, 1, b"")[0],))
    assert measures.load(record, [ONE, OTHER], 1) == {OTHER: b"body"}
