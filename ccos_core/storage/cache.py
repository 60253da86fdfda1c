"""`NAME.ccos-cache`: whatever can be recomputed from the record, with the head it was computed from.

Deleting it is always safe, so it is written without waiting for the disk, and anything odd about it (an unknown
layout, damage, a head the record doesn't have) is answered by starting it anew. It lies beside the record, or under
the user's cache folder where that one can't be written.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Mapping

from ccos_core.errors import CcosError, Unavailable
from ccos_core.storage import scratch
from ccos_core.storage.locate import cache_home
from ccos_core.storage.record import Record
from ccos_core.values.canon import NotCanonical, canonical, digest

MEMORY = "-memory"
"""What is added to the name of a cache for the entries of the working memory."""
APPLICATION_ID = 0x6363634B  # "ccck"
LAYOUT = 6
TABLES = """
CREATE TABLE head (
  only INTEGER PRIMARY KEY CHECK (only = 1), step INTEGER NOT NULL, hash BLOB NOT NULL, known BLOB NOT NULL
);
CREATE TABLE known (path TEXT PRIMARY KEY, content TEXT NOT NULL, reported INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (
  only INTEGER PRIMARY KEY CHECK (only = 1), step INTEGER NOT NULL, hash BLOB NOT NULL, version INTEGER NOT NULL,
  fold INTEGER NOT NULL, erased INTEGER NOT NULL, "check" BLOB NOT NULL, told BLOB NOT NULL
);
CREATE TABLE piece (
  tab TEXT NOT NULL, col TEXT NOT NULL, first INTEGER NOT NULL, size INTEGER NOT NULL, packed INTEGER NOT NULL,
  "check" BLOB NOT NULL, body BLOB NOT NULL
);
CREATE UNIQUE INDEX by_column ON piece (tab, col, first);
CREATE TABLE state (
  only INTEGER PRIMARY KEY CHECK (only = 1), step INTEGER NOT NULL, hash BLOB NOT NULL, fold INTEGER NOT NULL,
  erased INTEGER NOT NULL, "check" BLOB NOT NULL, body BLOB NOT NULL
);
CREATE TABLE measure (name BLOB PRIMARY KEY, "check" BLOB NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
"""
"""What was known of a project's files when it was looked at last; the journal, in pieces of columns; the state at one
step of it, to go on from; and what files take to show."""


def cache_path(record_path: str) -> str:
    """Where the cache of this record lies."""
    path = os.path.realpath(record_path)
    if os.access(os.path.dirname(path), os.W_OK):
        return path + "-cache"
    return os.path.join(cache_home(), digest(os.fsencode(path)).hex()[:24] + ".ccos-cache")


def drop(record_path: str) -> None:
    """Forget everything that was recomputed; it may hold what the record no longer may."""
    path = cache_path(record_path)
    for each in (path, path + MEMORY):
        try:
            scratch.remove(each)
        except OSError as error:
            raise Unavailable(f"can't be removed: {error.strerror}", place=each, hint="Remove it by hand.") from error


def keeps_journal(record: Record) -> bool:
    """Whether there is a journal in it; says so without loading what a journal takes."""
    found: list[bool] = []
    if not os.path.exists(cache_path(record.path)):
        return False  # and who only wants to know makes none
    with trying(record.path), opened(record.path) as cache:
        found += [True for _ in cache.execute("SELECT 1 FROM journal")]
    return bool(found)


def keeps_memory(record_path: str) -> bool:
    """Whether entries of the working memory lie beside the cache."""
    return os.path.exists(cache_path(record_path) + MEMORY)


def trying(record_path: str) -> contextlib.AbstractContextManager[None]:
    """A cache that is in somebody's way is left alone; one that makes other trouble is started anew."""
    return scratch.trying(cache_path(record_path), CcosError, NotCanonical)


def opened(record_path: str, patience: float | None = None) -> contextlib.AbstractContextManager[sqlite3.Connection]:
    """The cache of a record, made if it isn't there; trouble with it is raised. `patience` for what is worth waiting
    for another program."""
    return scratch.opened(cache_path(record_path), APPLICATION_ID, LAYOUT, TABLES, patience)


def load_known(record: Record) -> tuple[int, dict[str, tuple[str, bool]]]:
    """(step, path → (content, whether it was only ever reported)) as last saved; (0, {}) when there is nothing that
    belongs to this record."""
    with trying(record.path), opened(record.path) as cache:
        cache.execute("BEGIN")
        step, hash_, known = _saved(cache)
        if step and _holds(record, step, hash_):
            return step, known
    return 0, {}


def save_known(record: Record, step: int, known: Mapping[str, tuple[str, bool] | None], *, since: int) -> None:
    """Save what is known at `step`; `known` has the changes after `since`, None for a path that went away."""
    with trying(record.path), opened(record.path) as cache:
        cache.execute("BEGIN IMMEDIATE")
        saved, _, paths = _saved(cache)
        if saved != since:
            return  # another program was here; its knowledge is as good as ours
        gone = [(path,) for path, each in known.items() if each is None]
        here = [(path, *each) for path, each in known.items() if each is not None]
        cache.executemany("DELETE FROM known WHERE path = ?", gone)
        cache.executemany("INSERT OR REPLACE INTO known VALUES (?, ?, ?)", here)
        name = _name(step, {path: each for path, each in {**paths, **known}.items() if each is not None})
        cache.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?)", (step, record.op(step)[1], name))
        cache.execute("COMMIT")


def _saved(cache: sqlite3.Connection) -> tuple[int, bytes, dict[str, tuple[str, bool]]]:
    """(step, hash, path → (content, reported)) as last saved, if it is what was saved; else it raises."""
    heads = cache.execute("SELECT step, hash, known FROM head").fetchall()
    rows = cache.execute("SELECT path, content, reported FROM known").fetchall()
    known = {path: (content, bool(reported)) for path, content, reported in rows}
    step, hash_, name = heads[0] if heads else (0, b"", _name(0, {}))
    if name != _name(step, known):
        raise sqlite3.DatabaseError("it isn't what was saved")
    return step, hash_, known


def _name(step: int, known: Mapping[str, tuple[str, bool]]) -> bytes:
    """What a bit that fell over in it would change."""
    if not all(type(path) is str for path in known):
        raise NotCanonical("a path that isn't text")
    return digest(canonical([step, [[path, *known[path]] for path in sorted(known)]]))


def _holds(record: Record, step: int, hash_: bytes) -> bool:
    try:
        return record.op(step)[1] == hash_
    except CcosError:
        return False
