"""Memory for long columns, in files without a name that the system can drop from memory and read again.

A server that stays open for weeks keeps a journal of hundreds of thousands of steps, and reads little but its end. An
array that `ColumnFiles.allocate` gives is used like any other. After `release` its pages no longer count as the memory
of this process; whoever reads them again gets them from the system's cache, or from the disk. The file goes with its
array. Where the system can't do this (no files without a name, no way to reserve room on the disk), arrays lie in
memory as usual.
"""

from __future__ import annotations

import mmap
import os
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

SMALLEST_BYTES = 2**18
"""Arrays that are smaller lie in memory: most are, and each file takes a handle."""
MOST_FILES = 128
"""Arrays in files at a time: each has a handle, of which a process often has no more than 1,024."""
CAN_MAP = hasattr(os, "O_TMPFILE") and hasattr(os, "posix_fallocate") and hasattr(mmap, "MADV_DONTNEED")


class ColumnFiles:
    """Arrays in files without a name, in one folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._mapped: WeakSet[mmap.mmap] = WeakSet()

    def allocate(self, form: np.dtype[Any], size: int) -> NDArray[Any]:
        """Return an array of that size to be filled."""
        length = size * form.itemsize
        if CAN_MAP and length >= SMALLEST_BYTES and len(self._mapped) < MOST_FILES:
            try:
                return np.frombuffer(self._map(length), form, size)
            except OSError:
                pass  # such as a full disk
        return np.empty(size, form)

    def release(self) -> None:
        """Let the system take back the memory of all these arrays, whose values stay."""
        for mapped in self._mapped:
            mapped.madvise(mmap.MADV_DONTNEED)

    def _map(self, length: int) -> mmap.mmap:
        handle = os.open(self._folder, os.O_TMPFILE | os.O_RDWR, 0o600)
        try:
            os.posix_fallocate(
                handle, 0, length
            )  # to find the disk full later, in the middle of a write, ends a process
            mapped = mmap.mmap(handle, length)
        finally:
            os.close(handle)
        self._mapped.add(mapped)
        return mapped
