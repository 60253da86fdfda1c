"""Files that appear whole or not at all: written under a name of their own, made durable, then given theirs.

The name is given by a hard link, which never replaces what appeared meanwhile. A maker that is killed leaves its
draft, `NAME.PID-RANDOM.new`. The next maker in that folder clears it away, and so does the next server: its lock went
with its maker, while one that only looks gone, because it runs in another container, still holds it. The lock is a
file of its own beside the draft: SQLite locks the draft itself, and on some systems (NFS, BSD) the two kinds of lock
are one. On the hook's path.
"""

from __future__ import annotations

import os
import re
import time

from ccos_core.errors import Refused, Unavailable
from ccos_core.storage import file_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE_FILES = ("", "-journal", "-wal", "-shm")
LOCK = "-lock"
"""What the name of a draft's lock ends with."""
_LEFT = re.compile(r"\.(\d{1,10})-[0-9a-f]{8}\.new(-journal|-wal|-shm|-lock|)\Z")
MINUTE_SECONDS, MONTH_SECONDS = 60, 30 * 86_400
"""How old a draft is before it counts as left over: of a process that is gone, and of one whose number was given to
another."""


class Draft:
    """`with Draft(path) as draft:` fill the file `draft.path`, owner-only and empty at first, then `publish`."""

    def __init__(self, path: str, refusal: str = "Nothing was changed.") -> None:
        self.final = path
        self.path = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.new"
        self.refusal = refusal
        self._handle = -1

    def __enter__(self) -> Draft:
        if os.path.lexists(self.final):
            raise self._there_already()
        clear_left_over(os.path.dirname(self.final) or ".")
        try:
            self._handle = os.open(self.path + LOCK, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            file_lock.hold(self._handle)  # for as long as it is open
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except (OSError, ValueError) as error:
            self.__exit__()
            raise self._cannot(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        for side in (*SIDE_FILES, LOCK):
            try:
                os.unlink(self.path + side)
            except OSError:
                continue

    def publish(self) -> None:
        """Give the finished file its name, on disk when this returns."""
        try:
            with open(self.path, "rb+") as file:
                os.fsync(file.fileno())
            self._name()
            sync_folder(os.path.dirname(self.final) or ".")
        except OSError as error:
            raise self._cannot(error) from error

    def _name(self) -> None:
        try:
            os.link(self.path, self.final)
        except FileExistsError:
            raise self._there_already() from None
        except OSError:  # a file system without hard links
            if os.path.lexists(self.final):
                raise self._there_already() from None
            os.rename(self.path, self.final)

    def _there_already(self) -> Refused:
        return Refused("exists already", place=self.final, hint=self.refusal)

    def _cannot(self, error: OSError | ValueError) -> Unavailable:
        fact = error.strerror if isinstance(error, OSError) else error
        return Unavailable(
            f"can't be created: {fact}", place=self.final, hint="Check that its folder exists and can be written."
        )


def sync_folder(path: str) -> None:
    """Make a new name in a folder durable, where the system knows how."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def left_over(folder: str) -> Iterator[str]:
    """Yield the drafts in a folder whose makers are gone; OSError where the folder can't be listed."""
    now = time.time()
    for name in sorted(os.listdir(folder)):
        if found := _LEFT.search(name):
            path = os.path.join(folder, name)
            try:
                known = os.stat(path)
            except OSError:  # somebody else has cleared it away
                continue
            gone = _is_gone(int(found[1])) and not _is_being_made(path, found, known)
            if now - known.st_mtime > (MINUTE_SECONDS if gone else MONTH_SECONDS):
                yield path


def clear_left_over(folder: str) -> None:
    """Remove the drafts in a folder whose makers are gone, as far as that is possible."""
    try:
        for path in left_over(folder):
            os.unlink(path)
    except OSError:
        pass  # somebody else's to clear


def _is_being_made(path: str, found: re.Match[str], known: os.stat_result) -> bool:
    """Whether some process holds the lock of a draft, which `found` in its name or in that of a side file of it.

    What is no record (`replacing`) is its own lock. A draft that has another name too is finished, and isn't opened:
    SQLite may have it open in this very process, whose locks on it would go when we close it.
    """
    draft = path.removesuffix(found[2])
    if os.path.lexists(draft + LOCK):
        return file_lock.is_held(draft + LOCK)
    return known.st_nlink == 1 and file_lock.is_held(draft)


def _is_gone(pid: int) -> bool:
    if os.name != "posix":
        return False  # there, asking after a process can end it
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
