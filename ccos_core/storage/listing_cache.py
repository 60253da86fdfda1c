"""What was found in transcripts, kept under the user's cache folder, so that a list of thousands is there at once.

A transcript is the one that was looked at as long as its file is the same, of the same size, and not written to since.
Deleting it is always safe.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ccos_core.storage import scratch
from ccos_core.storage.locate import cache_home

APPLICATION_ID = 0x6363736C  # "ccsl"
LAYOUT = 1
TABLES = """
CREATE TABLE transcript (
  path TEXT PRIMARY KEY, inode INTEGER NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
  version INTEGER NOT NULL, found TEXT NOT NULL
) WITHOUT ROWID;
"""
KEPT = "SELECT * FROM transcript WHERE path IN"
MOST = 100_000
"""Transcripts that are kept; beyond it all is forgotten, for nobody has so many at a time."""


class File(NamedTuple):
    """One transcript's file, as it is now."""

    path: str
    inode: int
    size: int
    changed: int
    """In nanoseconds since 1970."""


def path() -> str:
    """Where it lies."""
    return os.path.join(cache_home(), "sessions.ccos-cache")


def load(files: Iterable[File], version: int) -> dict[str, Any]:
    """What was found in those of them that are what they were, by path. `version` is that of whoever looked."""
    wanted = {file.path: file for file in files}
    found: dict[str, Any] = {}
    with scratch.trying(path(), ValueError), _open() as cache:
        for named in scratch.shares([each for each in wanted if _is_text(each)]):
            marks = ", ".join("?" * len(named))
            rows = cache.execute(f"{KEPT} ({marks})", named).fetchall()
            found.update((row[0], json.loads(row[5])) for row in rows if row[:5] == (*wanted[row[0]], version))
    return found


def save(found: Mapping[File, Any], version: int) -> None:
    """Keep this as well."""
    rows = [(*file, version, json.dumps(told)) for file, told in found.items() if _is_text(file.path)]
    if not rows:
        return
    with scratch.trying(path(), ValueError), _open() as cache:
        cache.execute("BEGIN IMMEDIATE")
        if cache.execute("SELECT count(*) FROM transcript").fetchone()[0] > MOST:
            cache.execute("DELETE FROM transcript")
        cache.executemany("INSERT OR REPLACE INTO transcript VALUES (?, ?, ?, ?, ?, ?)", rows)
        cache.execute("COMMIT")


def _open() -> contextlib.AbstractContextManager[sqlite3.Connection]:
    return scratch.opened(path(), APPLICATION_ID, LAYOUT, TABLES)


def _is_text(named: str) -> bool:
    """Whether SQLite can keep it: a name may hold bytes that are none."""
    try:
        named.encode()
    except UnicodeEncodeError:
        return False
    return True
