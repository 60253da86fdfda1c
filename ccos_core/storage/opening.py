"""How a record is opened, and left: which SQLite mode, with which promises, and what to say when it isn't whole.

Readers never take the write lock. Writers that stay for a while switch the file to WAL; a writer that comes for one
append takes the file as it finds it; and the last to leave, whoever it is, puts it back into one plain file. On the
hook's path.
"""

from __future__ import annotations

import os
import sqlite3
import time

from ccos_core.errors import Damaged, NotUnderstood, Unavailable
from ccos_core.storage import files, schema
from ccos_core.storage.drafts import Draft
from ccos_core.storage.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 10.0
"""Seconds to wait for another writer."""
PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:._-~")


def open_record(path: str, *, write: bool = False, stay: bool = True, patience: float = PATIENCE) -> Record:
    """The record at `path`. `write` to append to it, `stay` to append more than once."""
    header = files.hold(path)
    try:
        copy = copy_at(path, header)
        if write:
            if copy is not None and copy.notice is not None:
                copy.close()
                raise copy.notice
            record = _for_writing(path, stay, patience)
        else:
            record = copy or _for_reading(path, patience)
    except BaseException as error:
        files.release(header.inode)
        if isinstance(error, files.TROUBLE):
            raise files.explain(error, path) from error
        raise
    record.held = header.inode
    return record


def make_record(path: str, fill: Callable[[Record], None] | None = None) -> None:
    """A new record at `path`, owner-only, with whatever `fill` puts in it. It appears whole or not at all."""
    with Draft(path) as draft:
        try:
            with Record(connect(draft.path, "rw", PATIENCE), draft.path, writable=True) as record:
                # Nobody sees it before it is whole and on disk, so until then nothing waits for the disk.
                record.connection.execute("PRAGMA journal_mode = MEMORY")
                record.connection.execute("PRAGMA synchronous = OFF")
                schema.create(record.connection)
                if fill is not None:
                    fill(record)
        except files.TROUBLE as error:
            raise files.explain(error, path) from error
        draft.publish()


def connect(path: str, mode: str, patience: float) -> sqlite3.Connection:
    name = os.path.abspath(path)
    if os.sep == "\\":
        name = "/" + name.replace("\\", "/")
    # Every odd byte escaped: a file may be called anything, and `?` or `%` would change what the address means.
    uri = "".join(chr(byte) if byte in PLAIN else f"%{byte:02X}" for byte in os.fsencode(name))
    connection = sqlite3.connect(f"file:{uri}?mode={mode}", uri=True, timeout=patience, isolation_level=None)
    connection.text_factory = _text
    schema.guard(connection)
    return connection


def refuse_foreign(connection: sqlite3.Connection, path: str, *, damaged: bool = False) -> None:
    """Raise unless the schema is exactly ours; `damaged` where it may have suffered."""
    what = schema.foreign(connection, damaged=damaged)
    if what is not None and not damaged and schema.foreign(connection, damaged=True) is None:
        raise files.damaged(f"is damaged: the definition of {what} was changed", path)
    if what is not None:
        raise NotUnderstood(
            f"contains {what}, which ccos-tui never writes and can't trust",
            place=path,
            hint="Get an export of it (ccos-tui export WS) from its owner, and import that.",
        )


def _text(stored: bytes) -> str:
    """Text as stored. Where damage made it none, one that nothing will take for what was stored."""
    return stored.decode("utf-8", "surrogateescape")


def copy_at(path: str, header: files.Header) -> Record | None:
    """The record, with a notice, if it was copied while open; read without locks and side files, so that looking at
    a copy doesn't make it look like something else."""
    if not files.left_behind(path, header):
        return None
    record = Record(connect(path, "ro&immutable=1", 0), path, writable=False)
    try:
        _check(record)
        if record.local("inode") != str(header.inode[1]):
            record.notice = files.copied(path, record.head()[0])
            return record
    except Damaged:
        pass  # whoever opens it in earnest will say so
    except BaseException:
        record.close()
        raise
    record.close()
    return None


def _for_writing(path: str, stay: bool, patience: float) -> Record:
    connection = connect(path, "rw", patience)
    try:
        # In rollback mode FULL isn't enough: a journal whose deletion wasn't synced would undo what was acknowledged.
        connection.execute("PRAGMA synchronous = EXTRA")
        refuse_foreign(connection, path)
        connection.execute("SELECT count(*) FROM local").fetchone()
        if stay:
            _enter_wal(connection, path, patience)
    except BaseException:
        connection.close()
        raise
    return Record(connection, path, writable=True)


def _for_reading(path: str, patience: float) -> Record:
    record = _reader(path, patience)
    try:
        _check(record)
        record.ask("SELECT count(*) FROM local")
    except Damaged as error:
        record.close()
        return _rescued(path, error)
    except BaseException:
        record.close()
        raise
    return record


def _reader(path: str, patience: float) -> Record:
    """To read with. Where the folder can be written SQLite may keep its side files; elsewhere it may not."""
    real = os.path.realpath(path)
    if os.access(real, os.W_OK) and os.access(os.path.dirname(real), os.W_OK):
        connection = connect(path, "rw", patience)
        connection.execute("PRAGMA query_only = ON")
        return Record(connection, path, writable=False, tidy=True)
    connection = connect(path, "ro", patience)
    try:
        connection.execute("SELECT count(*) FROM local").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if files.is_busy(error):
            raise
        return _read_as_it_lies(path, real)
    except files.TROUBLE:
        pass  # the caller will meet it again
    return Record(connection, path, writable=False)


def _read_as_it_lies(path: str, real: str) -> Record:
    """Without locks and side files, as on a disc. What a side file still holds is then out of reach."""
    record = Record(connect(path, "ro&immutable=1", 0), path, writable=False)
    if any(os.path.exists(real + side) and os.path.getsize(real + side) for side in ("-wal", "-journal")):
        record.notice = Unavailable(
            "holds an unfinished write that can't be completed here: its last steps may be missing",
            place=path,
            hint="Open it once in a writable folder, or copy it there with its -wal or -journal file.",
        )
    return record


def _rescued(path: str, trouble: Damaged) -> Record:
    """A damaged file, read as far as SQLite can reach: it then believes no header, and skips what it can't parse."""
    in_use = os.path.exists(os.path.realpath(path) + "-wal")
    record = Record(connect(path, "ro" if in_use else "ro&immutable=1", 0), path, writable=False)
    record.connection.execute("PRAGMA writable_schema = ON")
    try:
        refuse_foreign(record.connection, path, damaged=True)
    except files.TROUBLE:
        pass  # not even its schema can be read, so nothing in it is run
    except BaseException:
        record.close()
        raise
    record.notice = trouble
    return record


def _check(record: Record) -> None:
    try:
        refuse_foreign(record.connection, record.path)
    except files.TROUBLE as error:
        raise files.explain(error, record.path) from error


def _enter_wal(connection: sqlite3.Connection, path: str, patience: float) -> None:
    """Switch to WAL, noting first which file it is; where somebody is in the way, rollback mode serves as well."""
    deadline = time.monotonic() + min(patience, 2.0)
    inode = str(os.stat(path).st_ino)
    while True:
        try:
            if connection.execute("SELECT value FROM local WHERE name = 'inode'").fetchall() != [(inode,)]:
                connection.execute("INSERT OR REPLACE INTO local VALUES ('inode', ?)", (inode,))
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not files.is_busy(error):
                raise
            if time.monotonic() >= deadline:
                return
            time.sleep(0.01)
