"""The file of JSON Lines: what is damaged is named, and what is of no use is dropped."""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ccos_core.errors import Unavailable
from ccos_core.memory.backend import Cursor
from ccos_core.memory.entry import Entry, content_hash, entry_bytes
from ccos_core.storage.memory_lines import ASIDE, MemoryLines

CURSOR = Cursor(7, "ab")


def entry(number: int, words: str = "some words") -> Entry:
    return Entry(
        f"memo:{number:016x}", "note", words[:20], words, first=number, last=number, content=content_hash(words)
    )


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    name = str(tmp_path / "memo.jsonl")
    with closing(MemoryLines(name)) as store:
        for number in range(10):
            store.store_batch([entry(number)], CURSOR)
    return name


def known(path: str) -> list[Entry]:
    with closing(MemoryLines(path)) as store:
        return list(store.entries())


def test_a_torn_last_line_loses_itself_only(path: str) -> None:
    whole = Path(path).read_bytes()
    begin = whole.rindex(b"\n", 0, whole.rindex(b"\n", 0, -1)) + 1  # of the last entry, whose end follows it
    for size in range(begin, len(whole)):
        Path(path).write_bytes(whole[:size])
        with closing(MemoryLines(path)) as store:
            assert [list(store.entries()), store.damage, store.cursor()] == [[entry(n) for n in range(9)], [], CURSOR]
            store.store(entry(9))
        assert known(path) == [entry(n) for n in range(10)]


def test_a_batch_without_its_end_never_happened(path: str) -> None:
    with open(path, "ab") as file:
        file.write(entry_bytes(entry(20)) + b"\n" + entry_bytes(entry(21)) + b"\n")
    assert known(path) == [entry(n) for n in range(10)]


def test_a_corrupt_line_is_set_aside_and_named(path: str) -> None:
    lines = Path(path).read_bytes().splitlines(keepends=True)
    spoilt = lines[4].replace(b"some words", b'some "words')
    Path(path).write_bytes(b"".join([*lines[:4], spoilt, *lines[5:]]))
    with closing(MemoryLines(path)) as store:
        assert [each.first for each in store.entries()] == [0, 1, 3, 4, 5, 6, 7, 8, 9]
        assert ["line 5 can't be read" in each for each in store.damage] == [True]
        assert store.cursor() == Cursor()  # so that it is filled anew
    assert Path(path + ASIDE).read_bytes() == spoilt
    with closing(MemoryLines(path)) as store:
        assert store.damage == []


def test_overwritten_entries_are_dropped_when_it_is_opened(tmp_path: Path) -> None:
    path = str(tmp_path / "memo.jsonl")
    with closing(MemoryLines(path)) as store:
        for turn in range(1_000):
            store.store_batch([replace(entry(number), count=turn) for number in range(100)], CURSOR)
        store.remove([entry(99).id])
    live = sum(len(entry_bytes(replace(entry(number), count=999))) + 1 for number in range(99))
    assert os.path.getsize(path) > 100 * live
    with closing(MemoryLines(path)) as store:
        assert (store.get_stats().entries, store.get_stats().cursor) == (99, CURSOR)
        assert store.retrieve(entry(99).id) is None
    assert os.path.getsize(path) <= live * 6 // 5


def test_only_one_program_has_it_open(path: str) -> None:
    with closing(MemoryLines(path)), pytest.raises(Unavailable, match="another program"):
        MemoryLines(path)
    assert len(known(path)) == 10
