"""The tables of `NAME.ccos`, their version, and how an older one is brought forward.

`docs/FORMAT.md` explains every column. A format only ever grows by a migration in `MIGRATIONS`; nothing here is
edited once it has been released. A change of the vocabulary is a new format too, if only with a migration that does
nothing: an older version can't read a kind it doesn't know, and should say so before it calls a record damaged.
On the hook's path.
"""

from __future__ import annotations

from ccos_core.errors import NotUnderstood

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    Migration: TypeAlias = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x63636F73  # "ccos"
FORMAT = 1

TABLES = """
CREATE TABLE op (
  step INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  body BLOB NOT NULL
);
CREATE TABLE delivery (
  key BLOB PRIMARY KEY,
  step INTEGER NOT NULL,
  "check" INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE blob (
  hash BLOB PRIMARY KEY,
  size INTEGER NOT NULL,
  form INTEGER NOT NULL,
  "check" INTEGER NOT NULL,
  body BLOB NOT NULL
);
CREATE TABLE erased (
  hash BLOB PRIMARY KEY,
  size INTEGER NOT NULL,
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  why TEXT NOT NULL,
  "check" INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE fact (
  key BLOB NOT NULL,
  interpreter TEXT NOT NULL,
  version INTEGER NOT NULL,
  digest BLOB NOT NULL,
  size INTEGER NOT NULL,
  form INTEGER NOT NULL,
  "check" INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (key, interpreter, version)
);
CREATE TABLE segment (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  before BLOB NOT NULL,
  after BLOB NOT NULL,
  size INTEGER NOT NULL,
  "check" INTEGER NOT NULL,
  place TEXT NOT NULL,
  packed BLOB
);
CREATE TABLE local (
  name TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;
"""

MIGRATIONS: Mapping[int, Migration] = {}
"""Format → what turns it into the next one, inside a transaction that it must not end (so no `executescript`).
Empty while there is only one format."""


def create(connection: sqlite3.Connection) -> None:
    """Lay out an empty record in an empty database."""
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; BEGIN; {TABLES} COMMIT;"
    )


def bring_forward(connection: sqlite3.Connection, migrations: Mapping[int, Migration], newest: int) -> None:
    """Run the migrations that are missing, inside the transaction the caller has begun and will end."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    while version < newest:
        if version not in migrations:
            raise NotUnderstood(f"has format {version}, and nothing is known that brings it to {newest}")
        migrations[version](connection)
        if not connection.in_transaction:
            raise RuntimeError(f"the migration from format {version} ended the transaction it ran in")
        version += 1
    connection.execute(f"PRAGMA user_version = {newest}")
