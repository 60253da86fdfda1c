"""Whole copies of a record: to another place, and as a backup before its format changes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping

from ccos_core.errors import NotUnderstood
from ccos_core.storage import files, schema
from ccos_core.storage.drafts import Draft
from ccos_core.storage.opening import PATIENCE, connect, copy_at, refuse_foreign
from ccos_core.storage.record import Record

PAGES = 2_000
"""Copied between two looks at the keyboard."""


def copy_record(record: Record, to: str) -> None:
    """Everything in `record` at this moment, as a file of its own. It appears whole or not at all."""
    _copy(record.connection, record.path, to)


def upgrade_file(
    path: str, migrations: Mapping[int, schema.Migration] = schema.MIGRATIONS, newest: int = schema.FORMAT
) -> str | None:
    """Bring an older file forward; gives the path of the backup, or None when there was nothing to do."""
    header = files.look(path, newest, older=True)
    if header.format == newest:
        return None
    copy = copy_at(path, header)
    if copy is not None and copy.notice is not None:
        copy.close()
        raise copy.notice
    connection = connect(path, "rw", PATIENCE)
    try:
        refuse_foreign(connection, path)
        return _upgrade(connection, path, migrations, newest)
    except files.TROUBLE as error:
        raise files.explain(error, path) from error
    except NotUnderstood as error:
        raise NotUnderstood(error.fact, place=path, hint="Nothing was changed.") from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        Record(connection, path, writable=True).close()


def _upgrade(
    connection: sqlite3.Connection, path: str, migrations: Mapping[int, schema.Migration], newest: int
) -> str | None:
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("BEGIN IMMEDIATE")  # from here on nobody adds what the backup wouldn't have
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version >= newest:
        return None  # another program was faster
    backup = _free_name(f"{path}.format{version}.bak")
    other = connect(path, "ro", PATIENCE)
    try:
        _copy(other, path, backup)
    finally:
        other.close()
    schema.bring_forward(connection, migrations, newest)
    connection.execute("COMMIT")
    return backup


def _free_name(wanted: str) -> str:
    """`wanted`, or the first numbered one: an earlier backup may be of another day's record."""
    name, number = wanted, 1
    while os.path.lexists(name):
        number += 1
        name = f"{wanted}{number}"
    return name


def _copy(source: sqlite3.Connection, path: str, to: str) -> None:
    with Draft(to, "Nothing was copied.") as draft:
        target = connect(draft.path, "rw", PATIENCE)
        try:
            target.execute("PRAGMA synchronous = OFF")
            # One moment for all pages: writers meanwhile neither wait (in WAL) nor make it start again.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES, progress=lambda *_: None)
            target.execute("PRAGMA journal_mode = DELETE")
        except files.TROUBLE as error:
            raise files.explain(error, to if _is_of_target(error) else path) from error
        finally:
            target.close()
            if source.in_transaction:
                source.execute("ROLLBACK")
        draft.publish()


def _is_of_target(error: Exception) -> bool:
    """Whether the copy couldn't be written, rather than the source be read."""
    code = getattr(error, "sqlite_errorcode", 0) or 0
    read = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
    writing = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
    return code not in read and code & 0xFF in writing
