"""Texts that were shown shortened, kept by their hash outside of any record, so that any process can fetch them.

One compressed file each, for this user only, in a folder of limited size: the oldest texts go first.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress

from ccos_core.errors import Damaged
from ccos_core.storage.locate import state_home
from ccos_core.storage.replacing import replacing
from ccos_core.values.canon import digest

FOLDER = "originals"
MOST_BYTES = 256 * 2**20
"""Of the folder. Texts that are still to be fetched soon should fit, however long a build's log is."""


def keep(content: bytes) -> str:
    """Store a text durably, and return its hash."""
    name = digest(content).hex()
    path = os.path.join(folder(), name)
    if os.path.exists(path):
        os.utime(path)
        return name
    os.makedirs(folder(), mode=0o700, exist_ok=True)
    with replacing(path) as handle:
        left = memoryview(zlib.compress(content))
        while left:
            left = left[os.write(handle, left) :]
    _make_room(path)
    return name


def find(start: str) -> list[str]:
    """Return the hashes of the kept texts that begin so."""
    try:
        return sorted(name for name in os.listdir(folder()) if name.startswith(start) and "." not in name)
    except FileNotFoundError:
        return []


def read(name: str) -> bytes:
    """Return a text by its hash."""
    path = os.path.join(folder(), name)
    with open(path, "rb") as file:
        stored = file.read()
    content = b""
    with suppress(zlib.error):
        content = zlib.decompress(stored)
    if digest(content).hex() != name:
        raise Damaged("was changed since it was kept", place=path)
    return content


def erase(names: Iterable[str]) -> int:
    """Delete texts by their hashes; gives how many bytes they had."""
    size = 0
    for name in names:
        with suppress(FileNotFoundError, Damaged):
            size += len(read(name))
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder(), name))
    return size


def folder() -> str:
    """Return where they lie."""
    return os.path.join(state_home(), FOLDER)


def _make_room(kept: str) -> None:
    """Delete the oldest until the rest fits; the one just kept stays."""
    with os.scandir(folder()) as entries:
        files = sorted((each.stat().st_mtime_ns, each.path, each.stat().st_size) for each in entries if each.is_file())
    size = sum(each[2] for each in files)
    for _, path, taken in files:
        if size > MOST_BYTES and path != kept:
            with suppress(FileNotFoundError):
                os.unlink(path)
            size -= taken
