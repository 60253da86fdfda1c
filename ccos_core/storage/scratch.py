"""SQLite files that may be deleted at any time: owner-only, and written without waiting for the disk.

What is in one is for whoever owns it to check; this only sees to it that it is a plain file of this layout, that
nobody waits long for another program in it, and that trouble with it is nobody's trouble.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from typing import TypeVar

from ccos_core.storage import schema
from ccos_core.storage.drafts import SIDE_FILES
from ccos_core.storage.files import TROUBLE, is_busy
from ccos_core.storage.record import CHUNK

Key = TypeVar("Key")

WAIT = 2.0
"""Seconds to wait for another program that is in it."""


@contextlib.contextmanager
def opened(
    path: str,
    application_id: int,
    layout: int,
    tables: str,
    patience: float | None = None,
    *,
    journal: str = "MEMORY",
    words: str = "",
) -> Iterator[sqlite3.Connection]:
    """The file at `path`, made if it isn't there; whatever is wrong with it is raised. `patience` is how many seconds
    to wait, if not as long as usual. `journal` is SQLite's journal mode; `words` names the full-text table, whose own
    tables SQLite makes by itself."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    if not stat.S_ISREG(os.lstat(path).st_mode):  # no pipe to wait for, no link into somebody else's file
        raise FileExistsError(path)
    connection = sqlite3.connect(path, timeout=WAIT if patience is None else patience, isolation_level=None)
    try:
        schema.guard(connection)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA journal_mode = {journal}")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            named = f"PRAGMA application_id = {application_id}; PRAGMA user_version = {layout};"
            connection.executescript(f"BEGIN IMMEDIATE; {named} {tables} COMMIT;")
        mine = [(application_id,), (layout,)]
        if [connection.execute(f"PRAGMA {what}").fetchone() for what in ("application_id", "user_version")] != mine:
            raise sqlite3.DatabaseError("a layout of another version, or another program's")
        if (what := schema.foreign(connection, tables, words=words)) is not None:
            raise sqlite3.DatabaseError(f"it holds {what}, which isn't ours")
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def trying(path: str, *also: type[Exception]) -> Iterator[None]:
    """A file that is in somebody's way is left alone; one that makes other trouble, of these kinds as well, is started
    anew."""
    trouble: tuple[type[Exception], ...] = (*TROUBLE, OSError, *also)
    try:
        yield
    except trouble as error:
        if not is_busy(error):
            with contextlib.suppress(OSError):
                remove(path)


def shares(keys: Sequence[Key]) -> Iterator[tuple[Key, ...]]:
    """Keys, as many at a time as one question is asked about."""
    for at in range(0, len(keys), CHUNK):
        yield tuple(keys[at : at + CHUNK])


def remove(path: str) -> None:
    """Delete it with all that belongs to it; OSError where that can't be done."""
    for side in SIDE_FILES:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + side)
