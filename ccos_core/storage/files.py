"""What a workspace file is, told from its first hundred bytes and its neighbours, before SQLite is asked.

A record at rest is one plain file in rollback mode. Programs that write to it for longer switch it to WAL while they
do, and back when the last of them leaves. So a file that says WAL and has no `-wal` beside it lost its last steps:
somebody copied it while it was open. (Unless it is still the very file that was opened, by inode: then a program
died in the moment between the two, and nothing is missing.)

A process that closes *any* handle of a file loses the locks it holds on it, all of them: that is POSIX. So a record
that is open here is never opened beside SQLite, not even to look at its header; `hold` and `release` keep count.
On the hook's path.
"""

from __future__ import annotations

import _thread
import os
import sqlite3
import stat

from ccos_core.errors import (
    CcosError,
    CopiedWhileOpen,
    Damaged,
    NewerFormat,
    NotFound,
    NotUnderstood,
    OlderFormat,
    Unavailable,
)
from ccos_core.storage.locate import SUFFIX
from ccos_core.storage.schema import APPLICATION_ID, FORMAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Inode: TypeAlias = tuple[int, int]

MAGIC = b"SQLite format 3\x00"
NEEDED_BYTES = 100


class Header:
    """The facts of a record file's header that decide how it is opened."""

    __slots__ = ("format", "inode", "wal")

    def __init__(self, version: int, wal: bool, inode: Inode) -> None:
        self.format = version
        self.wal = wal
        """Whether a program has it open, or had when it died."""
        self.inode = inode
        """(device, inode) of the file."""


_guard = _thread.allocate_lock()
_held: dict[Inode, tuple[Header, int]] = {}
"""What this process has open, and how often."""


def hold(path: str, newest: int = FORMAT) -> Header:
    """`look`, for somebody who is going to open it; to be followed by one `release`."""
    with _guard:
        header = _looked(path, newest)
        _held[header.inode] = (header, _held.get(header.inode, (header, 0))[1] + 1)
        return header


def release(inode: Inode) -> None:
    """What was held is closed again."""
    with _guard:
        header, count = _held.pop(inode)
        if count > 1:
            _held[inode] = (header, count - 1)


def look(path: str, newest: int = FORMAT, *, older: bool = False) -> Header:
    """The header of the record at `path`; raises with a clear sentence when it isn't a record this version reads.
    `older` for whoever can do something with an older one."""
    with _guard:
        return _looked(path, newest, older)


def is_record(path: str) -> bool:
    """Whether what lies at `path` is a record in any state, rather than something else that can be read. What isn't
    there is one that is missed, unless the path is the address of a session in a database of an agent's."""
    try:
        first, inode = _first_bytes(path)
    except NotUnderstood:
        return True
    except NotFound:
        return "#" not in path or not os.path.isfile(path.rpartition("#")[0])
    if inode in _held or path.endswith(SUFFIX):
        return True
    return first.startswith(MAGIC) and int.from_bytes(first[68:72], "big") == APPLICATION_ID


def left_behind(path: str, header: Header) -> bool:
    """Whether the file says it is in use, while nothing beside it holds what is being written."""
    return header.wal and not os.path.exists(os.path.realpath(path) + "-wal")


def copied(path: str, step: int) -> CopiedWhileOpen:
    return CopiedWhileOpen(
        f"was copied while a program had it open: it ends at step {step}, and later steps may be missing",
        place=path,
        hint="Copy the original again: ccos-tui copy ORIGINAL DEST. Or continue with this one: ccos-tui copy THIS DEST",
    )


def damaged(fact: str, path: str) -> Damaged:
    return Damaged(fact, place=path, hint=f"Check how much is readable: ccos-tui verify {path}")


def explain(error: Exception, path: str) -> CcosError:
    """SQLite's trouble as a sentence, in the family whose exit code fits."""
    if isinstance(error, UnicodeError):
        return damaged("is damaged: its tables have names that aren't text", path)
    code = getattr(error, "sqlite_errorcode", 0) or 0
    if code == sqlite3.SQLITE_INTERRUPT:  # nothing but Ctrl-C ends a query of ours
        raise KeyboardInterrupt from error
    tell = None if code == sqlite3.SQLITE_IOERR_SHORT_READ else _TROUBLES.get(code & 0xFF)
    if tell is None:
        return damaged(f"is damaged: {error}", path)
    fact, hint = tell
    return Unavailable(fact.format(error), place=path, hint=hint)


TROUBLE = (sqlite3.Error, UnicodeError, MemoryError)
"""What a query on a file in any state may raise: a damaged name in SQLite's own message is no text, a damaged length
more than there is memory."""


def is_busy(error: Exception) -> bool:
    """Whether waiting may help."""
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


_BUSY = ("is busy: another program is writing to it", "Try again in a moment.")
_READ_ONLY = (
    "can't be written: the file or its folder is read-only",
    "Get write permission, or work on a copy.",
)
_SHUT = ("can't be opened: no permission, or its folder is gone", "Check the folder and its permissions.")
_TROUBLES = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_FULL: ("can't be written: the disk is full", "Free some space; nothing recorded so far is lost."),
    sqlite3.SQLITE_CANTOPEN: _SHUT,
    sqlite3.SQLITE_PERM: _SHUT,
    sqlite3.SQLITE_AUTH: _SHUT,
    sqlite3.SQLITE_IOERR: ("can't be read or written: {}", "Check the disk; earlier steps are saved."),
}
"""SQLite's primary code → (what it means to a person, what to do). Any other says that the file is wrong."""


def _looked(path: str, newest: int, older: bool = False) -> Header:
    first, inode = _first_bytes(path)
    if not first and inode in _held:
        return _held[inode][0]
    if not first:
        raise NotUnderstood("is empty", place=path, hint="Remove it, or name another file.")
    if not MAGIC.startswith(first[: len(MAGIC)]):
        raise NotUnderstood(
            "is not a ccos workspace, or its first page is destroyed",
            place=path,
            hint="If it is an export, import it: ccos-tui import FILE -o WS",
        )
    if len(first) < NEEDED_BYTES:
        raise damaged("is cut off inside its header; nothing can be read from it", path)
    if int.from_bytes(first[68:72], "big") != APPLICATION_ID:
        raise NotUnderstood("is a SQLite file of another program", place=path, hint="Name a .ccos file.")
    version = int.from_bytes(first[60:64], "big")
    if version > newest:
        raise NewerFormat(
            f"has format {version}, and this ccos-tui reads up to {newest}",
            place=path,
            hint="Open it with the newer ccos-tui that wrote it. Nothing was changed.",
        )
    if version < newest and not older:
        raise OlderFormat(
            f"has format {version}, and this ccos-tui reads {newest}",
            place=path,
            hint=f"Upgrade it: ccos-tui upgrade {path}   (a backup is kept)",
        )
    return Header(version, first[18] == 2, inode)


def _first_bytes(path: str) -> tuple[bytes, Inode]:
    """The header, and which file it is of; no bytes for a file that this process holds."""
    try:
        status = os.stat(path)
        inode = (status.st_dev, status.st_ino)
        if inode in _held:
            return b"", inode
        if stat.S_ISDIR(status.st_mode):
            raise NotUnderstood("is a folder, not a workspace", place=path, hint="Name the .ccos file in it.")
        if not stat.S_ISREG(status.st_mode):  # to open a pipe is to wait for its other end
            raise NotUnderstood(
                "is not a plain file, so it can't be a workspace", place=path, hint="Name a .ccos file."
            )
        with open(path, "rb") as file:
            return file.read(NEEDED_BYTES), inode
    except FileNotFoundError:
        raise NotFound("there is no such workspace", place=path, hint=f"Create one: ccos-tui init {path}") from None
    except OSError as error:
        raise Unavailable(
            f"can't be read: {error.strerror}", place=path, hint="Check its folder and permissions."
        ) from error
    except ValueError:  # a NUL, which no file system allows
        raise NotFound("isn't a valid file name", place=ascii(path), hint="Name a .ccos file.") from None
