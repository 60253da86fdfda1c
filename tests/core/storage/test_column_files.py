"""Columns in files without a name: arrays like any other, whose memory the system may have."""

from __future__ import annotations

import errno
import gc
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.columns import Table
from ccos_core.storage import column_files
from ccos_core.storage.column_files import CAN_MAP, SMALLEST_BYTES, ColumnFiles

needs_mapping = pytest.mark.skipif(not CAN_MAP, reason="the system has no files without a name")
NUMBERS = np.dtype("<i8")
MANY = 4 * SMALLEST_BYTES // NUMBERS.itemsize


def resident(array: np.ndarray) -> int:
    """KiB of an array that count as memory of this process."""
    address, inside = array.ctypes.data, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split()[0] and ":" not in line.split()[0]:
            begin, end = (int(each, 16) for each in line.split()[0].split("-"))
            inside = begin <= address < end
        elif inside and line.startswith("Rss:"):
            return int(line.split()[1])
    raise AssertionError("it is nowhere")


@needs_mapping
def test_released_memory_is_not_resident_and_keeps_its_values(tmp_path: Path) -> None:
    files = ColumnFiles(str(tmp_path))
    array = files.allocate(NUMBERS, MANY)
    array[:] = np.arange(MANY)
    full = resident(array)
    files.release()
    assert full >= array.nbytes >> 10
    assert resident(array) == 0
    assert int(array[MANY // 2]) == MANY // 2
    assert 0 < resident(array) < full
    assert np.array_equal(array, np.arange(MANY))
    assert os.listdir(tmp_path) == []


@needs_mapping
def test_a_file_goes_with_its_array(tmp_path: Path) -> None:
    files = ColumnFiles(str(tmp_path))
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    array = files.allocate(NUMBERS, MANY)
    assert len(os.listdir("/proc/self/fd")) == before + 1
    del array
    gc.collect()
    files.release()
    assert len(os.listdir("/proc/self/fd")) == before


@needs_mapping
def test_no_more_files_are_open_than_a_process_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_files, "MOST_FILES", 2)
    files = ColumnFiles(str(tmp_path))
    arrays = [files.allocate(NUMBERS, MANY) for _ in range(3)]
    assert [array.base is None for array in arrays] == [False, False, True]


def test_small_arrays_lie_in_memory(tmp_path: Path) -> None:
    array = ColumnFiles(str(tmp_path)).allocate(NUMBERS, SMALLEST_BYTES // NUMBERS.itemsize - 1)
    assert array.base is None


@needs_mapping
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EOPNOTSUPP])
def test_without_room_on_the_disk_arrays_lie_in_memory(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    array = ColumnFiles(str(tmp_path)).allocate(NUMBERS, MANY)
    array[:] = 7
    assert array.base is None


def test_without_a_folder_arrays_lie_in_memory(tmp_path: Path) -> None:
    assert ColumnFiles(str(tmp_path / "none")).allocate(NUMBERS, MANY).base is None


changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.integers(0, 100), min_size=1, max_size=5_000)),
        st.tuples(st.just("cut"), st.lists(st.integers(0, 100), max_size=50)),
        st.tuples(st.just("release"), st.just([])),
    ),
    max_size=12,
)


@given(changes)
def test_a_table_in_files_holds_what_a_list_would(story: list[tuple[str, list[int]]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_files, "SMALLEST_BYTES", 1)
        files = ColumnFiles(tempfile.gettempdir())
        table, wanted = Table("t", {"a": "<i4", "b": "|u1"}, files.allocate), []
        for word, values in story:
            if word == "add":
                table.add_all([(value, value) for value in values])
                wanted += values
            elif word == "cut":
                del wanted[len(wanted) // 2 :]
                table.cut(len(wanted))
            else:
                files.release()
            assert table["a"].tolist() == wanted
            assert table["b"].tolist() == wanted
