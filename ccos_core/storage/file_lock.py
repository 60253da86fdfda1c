"""A lock that is a file: it goes with the process that holds it, however that ends. The file stays.

Where the system has no locks everybody gets one, so callers stay correct without. On the hook's path.
"""

from __future__ import annotations

import os

FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class FileLock:
    """A lock that is held until it is released; its file may hold a number for the next holder."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def number(self) -> int:
        """Return what the file holds; 0 where that is no number."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        said = os.read(self._handle, 32)
        return int(said) if said.isdigit() else 0

    def keep(self, number: int) -> None:
        """Leave a number in the file."""
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, b"%d" % number)


def take(path: str, *, wait: bool = False) -> FileLock | None:
    """Lock the file at `path`, made if it isn't there; None where another process holds it and nobody is to `wait`."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    handle = os.open(path, FLAGS, 0o600)
    try:
        if _locked(handle, wait=wait):
            return FileLock(handle)
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def hold(handle: int, *, wait: bool = False) -> None:
    """Lock an open file for as long as it is open, if no other process has, and there are locks."""
    _locked(handle, wait=wait)


def is_held(path: str) -> bool:
    """Whether some process holds the lock of this file; True where that can't be told."""
    try:
        handle = os.open(path, FLAGS & ~os.O_CREAT)
    except OSError:
        return False
    try:
        return not _locked(handle, wait=False, otherwise=False)
    finally:
        os.close(handle)


def _locked(handle: int, *, wait: bool, otherwise: bool = True) -> bool:
    """Lock an open file; return whether that was possible, or `otherwise` where the system has no locks."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return otherwise
    return True
