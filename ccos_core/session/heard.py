"""What a hook heard, on its way to disk: one line an event, checked, appended, and on disk when this returns.

Nothing here opens a workspace: an event lies beside it, and the next process that opens it takes it in
(`session.hearing`). A line begins on a line of its own, so a torn one spoils no other. What takes the file away renames
it first, and a writer who finds that it wrote into a file of another name writes again: a line that is there twice is
known by what it says. On the hook's path.
"""

from __future__ import annotations

import os

from ccos_core.errors import Unavailable
from ccos_core.storage.locate import heard_path
from ccos_core.values.canon import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST = 2**30
"""Bytes that wait to be taken in; with more of them it is likely that they never are."""
CHECKED = 16
"""Characters of a line's hash."""
MOST_TRIES = 50
"""How often a line is written where each file is taken away at once."""


def append(ws: str, line: bytes) -> None:
    """Put a line on disk for a workspace, which need not be there."""
    path = heard_path(ws)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    for _ in range(MOST_TRIES):
        if _written(path, line):
            return
    raise Unavailable("was removed several times meanwhile", place=path)


def line_of(body: str) -> bytes:
    """An event as it lies on disk."""
    raw = body.encode("utf-8", "surrogateescape")
    return b"\n" + _check(raw) + b" " + raw + b"\n"


def bodies(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes | None]]:
    """(line, body) of each line that is not empty; no body where it was torn or isn't ours."""
    for line in lines:
        line = line.rstrip(b"\r\n")
        if line:
            check, _, body = line.partition(b" ")
            yield line, body if check == _check(body) else None


def _check(body: bytes) -> bytes:
    return digest(body).hex()[:CHECKED].encode()


def _written(path: str, line: bytes) -> bool:
    """Append to whatever file has this name now; gives whether it still had the name when the line was in it."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags, 0o600)
    try:
        before = os.fstat(handle)
        if before.st_size > LARGEST:
            raise Unavailable("is full; no more events are written", place=path)
        left = line
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
        if not before.st_size:
            _sync_folder(path)
        return _is_still(path, before)
    finally:
        os.close(handle)


def _is_still(path: str, known: os.stat_result) -> bool:
    try:
        now = os.stat(path)
    except FileNotFoundError:
        return False
    return (now.st_dev, now.st_ino) == (known.st_dev, known.st_ino)


def _sync_folder(path: str) -> None:
    """A new file's name is on disk only when its folder is."""
    try:
        handle = os.open(os.path.dirname(path), os.O_RDONLY)
    except OSError:  # no system's way to open a folder
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
