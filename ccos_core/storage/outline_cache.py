"""Outlines of files that belong to no workspace, kept under the user's cache folder from one run to the next.

One file for all folders: an outline is known by its content's digest, its interpreter and that one's version, so what
was moved, cloned or branched is still known. Deleting it is always safe; whoever reads a row checks it by its digest.
What wasn't asked for longest goes first when it grows too large. Where it can't be written there simply is none.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ccos_core.storage import scratch
from ccos_core.storage.locate import cache_home

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed

APPLICATION_ID = 0x6363636F  # "ccco"
LAYOUT = 1
TABLES = """
CREATE TABLE outline (
  key BLOB NOT NULL, interpreter TEXT NOT NULL, version INTEGER NOT NULL,
  digest BLOB NOT NULL, size INTEGER NOT NULL, form INTEGER NOT NULL, "check" INTEGER NOT NULL, body BLOB NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (key, interpreter, version)
);
CREATE INDEX by_day ON outline (day);
"""
KEPT = "SELECT * FROM outline WHERE key IN"
ASKED_FOR = "UPDATE outline SET day = ? WHERE key IN"
HALVE = """
DELETE FROM outline WHERE rowid IN (
  SELECT rowid FROM outline ORDER BY day, rowid LIMIT (SELECT (count(*) + 1) / 2 FROM outline)
)
"""
LARGEST = 256 * 2**20
"""Bytes of the file's rows; beyond it the older half goes."""
A_DAY = 86_400


def path() -> str:
    """Where it lies."""
    return os.path.join(cache_home(), "outlines.ccos-cache")


def load(wanted: Iterable[Key]) -> dict[Key, Packed]:
    """Those that are kept, as they are stored."""
    found: dict[Key, Packed] = {}
    left = set(wanted)
    with scratch.trying(path()), _open() as cache:
        for keys in scratch.shares(sorted({key for key, _, _ in left})):
            marks = ", ".join("?" * len(keys))
            rows = cache.execute(f"{KEPT} ({marks})", keys).fetchall()
            found.update((row[:3], row[3:8]) for row in rows if row[:3] in left)
            if any(row[8] != _today() for row in rows):
                cache.execute(f"{ASKED_FOR} ({marks})", (_today(), *keys))
    return found


def save(outlines: Mapping[Key, Packed]) -> None:
    """Keep these as well."""
    if not outlines:
        return
    with scratch.trying(path()), _open() as cache:
        cache.execute("BEGIN IMMEDIATE")
        rows = ((*key, *packed, _today()) for key, packed in outlines.items())
        cache.executemany("INSERT OR REPLACE INTO outline VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        if _held(cache) > LARGEST:
            cache.execute(HALVE)
        cache.execute("COMMIT")


def drop() -> None:
    """Forget all of it."""
    with contextlib.suppress(OSError):
        scratch.remove(path())


def _open() -> contextlib.AbstractContextManager[sqlite3.Connection]:
    return scratch.opened(path(), APPLICATION_ID, LAYOUT, TABLES)


def _held(cache: sqlite3.Connection) -> int:
    pages, free, size = (
        cache.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _today() -> int:
    return int(time.time()) // A_DAY
