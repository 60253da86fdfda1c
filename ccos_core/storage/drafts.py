"""Files that appear whole or not at all: written under a name of their own, made durable, then given theirs.

The name is given by a hard link, which never replaces what appeared meanwhile. Whoever is killed on the way leaves a
draft behind, `NAME.PID-RANDOM.new`; the next to make a file in that folder clears it away, once its maker is gone
and an hour has passed (a process of another container may look gone and isn't). On the hook's path.
"""

from __future__ import annotations

import os
import re
import time

from ccos_core.errors import Refused, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE_FILES = ("", "-journal", "-wal", "-shm")
_LEFT = re.compile(r"\.(\d{1,10})-[0-9a-f]{8}\.new(?:-journal|-wal|-shm)?")
_AN_HOUR, _A_MONTH = 3_600, 30 * 86_400


class Draft:
    """`with Draft(path) as draft:` fill the file `draft.path`, owner-only and empty at first, then `publish`."""

    def __init__(self, path: str, refusal: str = "Nothing was changed.") -> None:
        self.final = path
        self.path = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.new"
        self.refusal = refusal

    def __enter__(self) -> Draft:
        if os.path.lexists(self.final):
            raise self._there_already()
        try:
            for left in _left_over(os.path.dirname(self.final) or "."):
                os.unlink(left)
        except OSError:
            pass  # somebody else's to clear
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except (OSError, ValueError) as error:
            raise self._cannot(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        for side in SIDE_FILES:
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
        return Refused("is already there", place=self.final, hint=self.refusal)

    def _cannot(self, error: OSError | ValueError) -> Unavailable:
        fact = error.strerror if isinstance(error, OSError) else error
        return Unavailable(
            f"can't be made: {fact}", place=self.final, hint="Check that its folder exists and can be written."
        )


def sync_folder(path: str) -> None:
    """Make a new name in a folder durable, where the system knows how."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _left_over(folder: str) -> Iterator[str]:
    """Drafts whose makers are gone."""
    now = time.time()
    for name in os.listdir(folder):
        if (found := _LEFT.search(name)) and found.end() == len(name):
            path = os.path.join(folder, name)
            age = now - os.stat(path).st_mtime
            if age > (_AN_HOUR if _is_gone(int(found[1])) else _A_MONTH):
                yield path


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
