"""What went wrong where no message may be shown: a hook's own troubles, kept for `doctor` and bounded.

Writing here never fails: what can't be written is lost, for a host must not suffer from a hook. On the hook's path,
where something is amiss.
"""

from __future__ import annotations

import contextlib
import json
import os
import time

from ccos_core.storage.locate import state_home
from ccos_core.text.sanitize import clean

NAME = "troubles.log"
LARGEST, KEPT = 64 * 2**10, 32 * 2**10
"""Bytes at which the older half goes, and how many stay."""
LONGEST = 400
"""Characters of one trouble."""
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Should it be a pipe, its reader isn't waited for."""


class Trouble:
    """One thing that went wrong."""

    __slots__ = ("at", "said")

    def __init__(self, at: int, said: str) -> None:
        self.at = at
        """Milliseconds since 1970."""
        self.said = said

    def __repr__(self) -> str:
        return f"<Trouble {self.at} {self.said}>"


def trouble_path() -> str:
    """Where they are kept."""
    return os.path.join(state_home(), NAME)


def note_trouble(said: str) -> None:
    """Keep a trouble, if that is possible."""
    try:
        line = json.dumps({"at": time.time_ns() // 1_000_000, "said": clean(said)[0][:LONGEST]}) + "\n"
        path = trouble_path()
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle = os.open(path, FLAGS, 0o600)
        try:
            os.write(handle, line.encode())
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > LARGEST:
            _shorten(path)
    except (OSError, ValueError):
        pass


def read_troubles() -> list[Trouble]:
    """What is kept, the oldest first."""
    if not os.path.isfile(trouble_path()):
        return []
    try:
        with open(trouble_path(), "rb") as file:
            raw = file.read(2 * LARGEST)
    except OSError:
        return []
    return [trouble for line in raw.splitlines() if (trouble := _read(line)) is not None]


def _read(line: bytes) -> Trouble | None:
    try:
        told = json.loads(line)
        return Trouble(int(told["at"]), str(told["said"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _shorten(path: str) -> None:
    """Two who do this at once lose a line at most."""
    with open(path, "rb") as file:
        file.seek(-KEPT, os.SEEK_END)
        kept = file.read().partition(b"\n")[2]
    fresh = f"{path}.{os.getpid()}"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, kept)
        finally:
            os.close(handle)
        os.replace(fresh, path)
    finally:
        with contextlib.suppress(OSError):  # where a disk is full it would stay, one for each hook
            os.unlink(fresh)
