"""The tables of `NAME.ccos`, their version, and how an older one is brought forward.

`docs/FORMAT.md` explains every column. A format only ever grows by a migration in `MIGRATIONS`; nothing here is
edited once it has been released. A change of the vocabulary is a new format too, if only with a migration that does
nothing: an older version can't read a kind it doesn't know, and should say so before it calls a record damaged.
A file may come from anybody, so on opening its schema has to be exactly this one: a view may be endless, and a trigger
may swallow what is appended. On the hook's path.
"""

from __future__ import annotations

import sqlite3

from ccos_core.errors import NotUnderstood

TYPE_CHECKING = False
if TYPE_CHECKING:
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

ROW_BYTES = 2**27
"""Most bytes of one row. The largest there can be is an archive segment."""
STEPS_BETWEEN_LOOKS = 1_000_000
"""Steps of SQLite's engine, about 50 ms, between two chances for Ctrl-C."""
FEW_FLIPS = 8
"""Characters of a definition that may differ where a file is damaged."""

MIGRATIONS: Mapping[int, Migration] = {}
"""Format → what turns it into the next one, inside a transaction that it must not end (so no `executescript`).
Empty while there is only one format."""


def create(connection: sqlite3.Connection) -> None:
    """Lay out an empty record in an empty database."""
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; BEGIN; {TABLES} COMMIT;"
    )


def guard(connection: sqlite3.Connection) -> None:
    """Bound what a file made by anybody can do to this process; before anything is read from it."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW_BYTES)
    connection.set_progress_handler(_look_up, STEPS_BETWEEN_LOOKS)


def foreign(
    connection: sqlite3.Connection, tables: str = TABLES, *, damaged: bool = False, words: str = ""
) -> str | None:
    """Return the first thing in the schema that isn't in `tables`, e.g. `the trigger "x"`; None if there is none.

    With `damaged`, a definition may differ in a few characters. `words` is the name of a full-text table: SQLite keeps
    it in further tables, `NAME_data` and so on.
    """
    ours = {_normal(each) for each in tables.split(";") if each.strip()}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if sql is None or (damaged and not str(sql).lower().startswith("cr")):
            continue  # an index that SQLite makes by itself; what doesn't begin so is never run
        if words and kind == "table" and str(name).startswith(f"{words}_"):
            continue
        told = _normal(str(sql))
        if told not in ours and not (damaged and any(_is_near(told, each) for each in ours)):
            return f'the {kind} "{name}"'
    return None


def _look_up() -> int:
    """Being called is enough: Python then sees signals. What it raises here ends the query."""
    return 0


def _normal(sql: str) -> str:
    return " ".join(sql.split())


def _is_near(told: str, ours: str) -> bool:
    """Whether a definition differs from ours in a few characters, or is the beginning of it, the rest lost to zeros."""
    begins, lost, _ = told.partition("\0")
    if lost:
        return ours.startswith(_normal(begins))
    return len(told) == len(ours) and sum(map(str.__ne__, told, ours)) <= FEW_FLIPS


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
