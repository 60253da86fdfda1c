"""Entries in SQLite, beside the record's cache: the default. Deleting the file is always safe.

Each entry is a row with its canonical bytes. Its terms are added with the next search, or by `settle`: full-text
search (FTS5) finds phrases, and `memory/index.py` ranks by the terms. Programs may use the file at the same time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

import numpy as np

from ccos_core.errors import Unavailable
from ccos_core.memory.backend import Cursor, Moved, Result, Search, Stats, stats_of
from ccos_core.memory.deriving import VERSION
from ccos_core.memory.entry import Entry, entry_bytes, entry_of
from ccos_core.memory.index import Index, look_up, phrase_query, said_in
from ccos_core.storage import scratch
from ccos_core.storage.cache import MEMORY, cache_path
from ccos_core.storage.files import TROUBLE, is_busy
from ccos_core.text.retrieval.vectors import Numbers, Vectors
from ccos_core.text.search_words import searchable

APPLICATION_ID = 0x6363636D  # "cccm"
LAYOUT = 10 * VERSION + 2
WORDS = "word"
WAIT_SECONDS = 30.0
TABLES = """
CREATE TABLE memo (
  row INTEGER PRIMARY KEY, id TEXT NOT NULL, serial INTEGER NOT NULL, content TEXT NOT NULL, body BLOB NOT NULL,
  terms BLOB
);
CREATE UNIQUE INDEX by_id ON memo (id);
CREATE INDEX by_serial ON memo (serial);
CREATE INDEX unsettled ON memo (row) WHERE terms IS NULL;
CREATE TABLE vector (row INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE term (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE follows (
  only INTEGER PRIMARY KEY CHECK (only = 1), step INTEGER NOT NULL, head TEXT NOT NULL, course TEXT NOT NULL,
  erased INTEGER NOT NULL, serial INTEGER NOT NULL, stored INTEGER NOT NULL, rows INTEGER NOT NULL,
  removals INTEGER NOT NULL
);
CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO follows VALUES (1, 0, '', '', 0, 0, 0, 0, 0);
"""
PUT = "INSERT INTO memo (row, id, serial, content, body) VALUES (?, ?, ?, ?, ?)"
AGAIN = "UPDATE memo SET serial = ?, body = ? WHERE row = ?"
SETTLED_AT_ONCE = 2_000
WITHOUT_VECTOR = "SELECT row, body FROM memo WHERE row NOT IN (SELECT row FROM vector) ORDER BY row LIMIT ?"
EMBEDDED_AT_ONCE = 1_000
UNINDEX = "INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)"


class MemorySqlite:
    """The open file of a record, made if it isn't there; a spoilt one is made anew."""

    name = "sqlite"

    def __init__(self, path: str) -> None:
        self.path = path
        self._stack = ExitStack()
        self._inode = -1
        self._connection = self._opened()
        self._forget_index()

    # ---- what is stored ----

    def store(self, entry: Entry) -> str:
        return self.store_batch([entry])[0]

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        with self._writing() as connection:
            if after is not None and after != self._cursor():
                raise Moved("was filled by another program meanwhile", place=self.path)
            self._put(connection, {entry.id: entry for entry in entries})
            if cursor is not None:
                told = (cursor.step, cursor.head, cursor.course, cursor.erased)
                connection.execute("UPDATE follows SET step = ?, head = ?, course = ?, erased = ?", told)
        return [entry.id for entry in entries]

    def remove(self, ids: Iterable[str]) -> int:
        with self._writing() as connection:
            gone = [row for row, _ in self._rows(connection, ids).values()]
            self._delete(connection, gone)
            connection.execute("UPDATE follows SET removals = removals + 1")
        return len(gone)

    def clear(self) -> None:
        with self._writing() as connection:
            connection.execute("INSERT INTO word (word) VALUES ('delete-all')")
            connection.execute("DELETE FROM memo")
            connection.execute("DELETE FROM term")
            connection.execute("DELETE FROM vector")
            connection.execute(
                "UPDATE follows SET step = 0, head = '', course = '', erased = 0, removals = removals + 1"
            )

    # ---- what is asked ----

    def retrieve(self, id_: str) -> Entry | None:
        return self.retrieve_batch([id_]).get(id_)

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        with self._troubled():
            for share in scratch.shares(list(dict.fromkeys(ids))):
                asked = f"SELECT id, body FROM memo WHERE id IN ({', '.join('?' * len(share))})"  # noqa: S608 (ours)
                found |= {id_: entry_of(body) for id_, body in self._connection.execute(asked, share)}
        return found

    def entries(self) -> Iterator[Entry]:
        last = ""
        while True:
            with self._troubled():
                asked = "SELECT id, body FROM memo WHERE id > ? ORDER BY id LIMIT 1000"
                rows = self._connection.execute(asked, (last,)).fetchall()
            if not rows:
                return
            yield from (entry_of(body) for _, body in rows)
            last = rows[-1][0]

    def query(self, search: Search) -> Result:
        with self._troubled():
            self.settle()
            among = self._with_phrase(search.phrase) if search.phrase else None
            return look_up(self._index, search, self._entry_at, among)

    def embed(self, embed: Callable[[Sequence[str]], Vectors]) -> int:
        """Store the vectors of all entries that have none; returns how many."""
        made = 0
        while True:
            with self._writing() as connection:
                rows = connection.execute(WITHOUT_VECTOR, (EMBEDDED_AT_ONCE,)).fetchall()
                vectors = embed([said_in(entry_of(body)) for _, body in rows])
                connection.executemany(
                    "INSERT INTO vector VALUES (?, ?)",
                    ((row, vector.tobytes()) for (row, _), vector in zip(rows, vectors, strict=True)),
                )
            made += len(rows)
            if len(rows) < EMBEDDED_AT_ONCE:
                return made

    def embedded(self) -> tuple[int, int]:
        """Return how many entries have a vector, and how many there are."""
        with self._troubled():
            counts = self._connection.execute("SELECT (SELECT count(*) FROM vector), (SELECT count(*) FROM memo)")
            vectors, entries = counts.fetchone()
            return vectors, entries

    def nearest(self, search: Search, score: Callable[[Vectors], Numbers], size: int) -> Result:
        """Return what a search lets through, by the score of each entry's vector, whatever its words are."""
        with self._troubled():
            self.settle()
            rows = self._connection.execute("SELECT row, body FROM vector ORDER BY row").fetchall()
            near = np.zeros(rows[-1][0] + 1 if rows else 0, np.int64)
            if rows:
                vectors = np.frombuffer(b"".join(body for _, body in rows), np.int8).reshape(len(rows), size)
                near[[row for row, _ in rows]] = score(vectors)
            among = self._with_phrase(search.phrase) if search.phrase else None
            return look_up(self._index, replace(search, words=""), self._entry_at, among, near)

    def get_stats(self) -> Stats:
        return stats_of(self.name, self.entries(), self.cursor())

    def cursor(self) -> Cursor:
        with self._troubled():
            return self._cursor()

    def version(self) -> tuple[int, int, int]:
        with self._troubled():
            serial, removals = self._connection.execute("SELECT stored, removals FROM follows").fetchone()
            return self._inode, serial, removals

    def settle(self) -> None:
        with self._troubled():
            while self._connection.execute("SELECT 1 FROM memo WHERE terms IS NULL LIMIT 1").fetchone():
                with self._writing() as connection:
                    self._settle_some(connection)
            self._load()

    def close(self) -> None:
        self._stack.close()

    # ---- helpers ----

    def _opened(self) -> sqlite3.Connection:
        try:
            for is_last in (False, True):
                try:
                    opening = scratch.opened(
                        self.path, APPLICATION_ID, LAYOUT, TABLES, WAIT_SECONDS, journal="WAL", words=WORDS
                    )
                    connection = self._stack.enter_context(opening)
                    self._inode = os.stat(self.path).st_ino
                    return connection
                except TROUBLE as error:
                    if is_busy(error) or is_last or "no such module" in str(error):
                        raise
                    scratch.remove(self.path)
        except (*TROUBLE, OSError) as error:
            raise Unavailable(f"can't be used: {error}", place=self.path) from error
        raise AssertionError

    @contextmanager
    def _troubled(self) -> Iterator[None]:
        if not self._connection.in_transaction and not self._is_here():  # another process erased entries
            self.close()
            self._connection = self._opened()
            self._forget_index()
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):  # ours to mend
            raise
        except TROUBLE as error:
            if not is_busy(error):
                self.close()
                with suppress(OSError):
                    scratch.remove(self.path)
            hint = "Try again." if is_busy(error) else "It is deleted, and is made anew from the record."
            raise Unavailable(f"can't be used: {error}", place=self.path, hint=hint) from error

    def _is_here(self) -> bool:
        """Tell whether the open file is still the one of this name."""
        try:
            return os.stat(self.path).st_ino == self._inode
        except OSError:
            return False

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._troubled():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _cursor(self) -> Cursor:
        return Cursor(*self._connection.execute("SELECT step, head, course, erased FROM follows").fetchone())

    def _put(self, connection: sqlite3.Connection, entries: Mapping[str, Entry]) -> None:
        """Store entries: with other words one gets a new row, as the index knows a row by its words."""
        known = self._rows(connection, entries)
        same = {id_: row for id_, (row, content) in known.items() if content == entries[id_].content}
        self._delete(connection, [row for id_, (row, _) in known.items() if id_ not in same])
        serial, row = connection.execute("SELECT serial + 1, rows FROM follows").fetchone()
        new = [each for each in entries.values() if each.id not in same]
        put = ((at, each.id, serial, each.content, entry_bytes(each)) for at, each in enumerate(new, row))
        connection.executemany(PUT, put)
        again = ((serial, entry_bytes(entries[id_]), row) for id_, row in same.items())
        connection.executemany(AGAIN, again)
        connection.execute("UPDATE follows SET serial = ?1, stored = ?1, rows = ?2", (serial, row + len(new)))

    def _rows(self, connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Return (row, hash of the words) of those of these entries that are there."""
        found: dict[str, tuple[int, str]] = {}
        for share in scratch.shares(list(dict.fromkeys(ids))):
            asked = f"SELECT id, row, content FROM memo WHERE id IN ({', '.join('?' * len(share))})"  # noqa: S608 (ours)
            found |= {id_: (row, content) for id_, row, content in connection.execute(asked, share)}
        return found

    def _delete(self, connection: sqlite3.Connection, rows: Iterable[int]) -> None:
        """Delete rows, and their words from the full-text index."""
        for row in rows:
            asked = "SELECT body FROM memo WHERE row = ? AND terms IS NOT NULL"
            for (body,) in connection.execute(asked, (row,)).fetchall():
                connection.execute(UNINDEX, (row, searchable(said_in(entry_of(body)))))
            connection.execute("DELETE FROM memo WHERE row = ?", (row,))
            connection.execute("DELETE FROM vector WHERE row = ?", (row,))

    # ---- the index ----

    def _forget_index(self) -> None:
        self._index = Index()
        self._loaded = 0
        """The serial up to which rows are in the index."""
        self._removals = -1
        self._row_of: dict[str, int] = {}

    def _settle_some(self, connection: sqlite3.Connection) -> None:
        """Add the terms of some entries that have none yet."""
        self._learn_terms(connection)
        known = len(self._index.terms)
        asked = "SELECT row, body FROM memo WHERE terms IS NULL LIMIT ?"
        serial = connection.execute("SELECT serial + 1 FROM follows").fetchone()[0]
        for row, body in connection.execute(asked, (SETTLED_AT_ONCE,)).fetchall():
            entry = entry_of(body)
            terms = self._index.terms_of(entry).tobytes()
            connection.execute("UPDATE memo SET terms = ?, serial = ? WHERE row = ?", (terms, serial, row))
            connection.execute("INSERT INTO word (rowid, text) VALUES (?, ?)", (row, searchable(said_in(entry))))
        new = list(self._index.terms.items())[known:]
        connection.executemany("INSERT INTO term VALUES (?, ?)", ((number, text) for text, number in new))
        connection.execute("UPDATE follows SET serial = ?", (serial,))

    def _learn_terms(self, connection: sqlite3.Connection) -> None:
        """Take over the numbers that other programs gave to terms."""
        removals = connection.execute("SELECT removals FROM follows").fetchone()[0]
        if removals != self._removals:
            self._forget_index()
            self._removals = removals
        terms = self._index.terms
        rows = connection.execute("SELECT text, number FROM term WHERE number >= ? ORDER BY number", (len(terms),))
        terms.update(rows.fetchall())

    def _load(self) -> None:
        """Bring the index up to what is stored."""
        connection = self._connection
        connection.execute("BEGIN")
        try:
            self._learn_terms(connection)
            asked = (
                "SELECT row, id, serial, body, terms FROM memo WHERE serial > ? AND terms IS NOT NULL ORDER BY serial"
            )
            for row, id_, serial, body, terms in connection.execute(asked, (self._loaded,)):
                before = self._row_of.get(id_, -1)
                if before == row:
                    self._index.relabel(row, entry_of(body))
                else:
                    if before >= 0:
                        self._index.remove(before)
                    self._index.add(row, entry_of(body), np.frombuffer(terms, np.int32))
                self._row_of[id_], self._loaded = row, serial
        finally:
            connection.execute("COMMIT")

    def _with_phrase(self, phrase: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        expression = phrase_query(phrase).expression
        rows = (
            self._connection.execute("SELECT rowid FROM word WHERE word MATCH ?", (expression,)) if expression else ()
        )
        return np.array([row for (row,) in rows], np.int64)

    def _entry_at(self, row: int) -> Entry:
        return entry_of(self._connection.execute("SELECT body FROM memo WHERE row = ?", (row,)).fetchone()[0])


def memory_path(record_path: str) -> str:
    """Return where the entries of a record are kept."""
    return cache_path(record_path) + MEMORY
