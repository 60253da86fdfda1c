"""The index of what was said in all sessions of this machine, kept under the user's cache folder.

    with opened(version, write=True) as index:
        index.keep(file, reading, before=None)
    with opened(version) as index:
        texts, files, matches = index.matches('"red" "tests"', index.stories(), kinds, since=0)

It holds texts as the gate would record them, so no masked secret is in it. Deleting it is always safe. Programs may
read and write it at the same time; a file that is spoilt is deleted, and made anew by the next search.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ccos_core.errors import Unavailable
from ccos_core.storage import scratch
from ccos_core.storage.files import TROUBLE, is_busy
from ccos_core.storage.listing_cache import File
from ccos_core.storage.locate import cache_home
from ccos_core.text.search_words import searchable

APPLICATION_ID = 0x63637366  # "ccsf"
LAYOUT = 1
WORDS = "word"
TABLES = """
CREATE TABLE made (only INTEGER PRIMARY KEY CHECK (only = 1), version TEXT NOT NULL);
CREATE TABLE file (
  path BLOB PRIMARY KEY, inode INTEGER NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL, state TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE story (
  id INTEGER PRIMARY KEY, path BLOB NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL,
  opens BLOB NOT NULL, project TEXT NOT NULL, title TEXT NOT NULL
);
CREATE UNIQUE INDEX by_session ON story (path, agent, session);
CREATE TABLE said (
  id INTEGER PRIMARY KEY, story INTEGER NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL, key BLOB NOT NULL
);
CREATE UNIQUE INDEX by_key ON said (story, key, kind);
CREATE TABLE body (id INTEGER PRIMARY KEY, packed BLOB NOT NULL);
CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO word (word, rank) VALUES ('hashsize', 16777216);
"""
FIND = """
INSERT INTO found SELECT at, said.id, story, kind FROM word CROSS JOIN said ON said.id = word.rowid
WHERE word MATCH ? AND kind IN (SELECT value FROM json_each(?)) AND at >= ? AND story IN (SELECT id FROM wanted)
"""
SPOILT = (0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT)
"""What SQLite calls a file that is of no use; 0 for what is found by us."""
WAIT_SECONDS = 30.0
"""For another program that writes: it does so a share of files at a time."""

State: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Story:
    """One session in one file."""

    path: str
    agent: str
    session: str
    opens: str
    """The file to open for it: a subagent's transcript is opened with its session's."""
    project: str
    title: str


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a session."""

    story: int
    """Its number among the stories that are kept with it."""
    kind: int
    at: int
    """Milliseconds since 1970."""
    key: bytes
    """Names it within its session."""
    words: str
    """What is searched."""
    packed: bytes
    """What is shown; see `pack`."""


@dataclass(slots=True)
class Reading:
    """What was read of one file."""

    stories: list[Story] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    state: State = field(default_factory=dict)
    """From where to go on when the file has grown."""
    anew: bool = True
    """Whether it takes the place of what was read before."""
    more: bool = False
    """Whether there is more to read."""


@dataclass(frozen=True, slots=True)
class Match:
    """One text in which all words stand."""

    id: int
    story: int
    kind: int
    at: int
    key: bytes


def path() -> str:
    """Where it lies."""
    return os.path.join(cache_home(), "search.ccos-cache")


def drop() -> None:
    """Delete it: it may hold what a record has forgotten."""
    with contextlib.suppress(OSError):
        scratch.remove(path())


def pack(text: str) -> bytes:
    """Compress a text to be shown."""
    return zlib.compress(text.encode(), 1)


class SearchIndex:
    """The open index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    # -- what is kept -------------------------------------------------------------------------------------------------

    def known(self) -> dict[str, tuple[File, State]]:
        """File's path → (the file as it was read, from where to go on)."""
        rows = self._connection.execute("SELECT path, inode, size, changed, state FROM file")
        return {
            os.fsdecode(path): (File(os.fsdecode(path), inode, size, changed), json.loads(state))
            for path, inode, size, changed, state in rows
        }

    def keep(self, file: File, reading: Reading, before: File | None) -> bool:
        """Keep what was read of a file; gives False where another program has read it since `before`."""
        name = os.fsencode(file.path)
        row = self._connection.execute("SELECT inode, size, changed FROM file WHERE path = ?", (name,)).fetchone()
        if row != (tuple(before[1:]) if before is not None else None):
            return False
        if reading.anew:
            self.forget([file.path])
        ids = [self._story(each) for each in reading.stories]
        first = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM said").fetchone()[0]
        for at, each in enumerate(reading.texts, first):
            row = (at, ids[each.story], each.kind, each.at, each.key)
            if self._connection.execute("INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?, ?)", row).rowcount:
                self._connection.execute("INSERT INTO body VALUES (?, ?)", (at, each.packed))
                self._connection.execute("INSERT INTO word (rowid, text) VALUES (?, ?)", (at, each.words))
        values = (name, *file[1:], json.dumps(reading.state))
        self._connection.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", values)
        return True

    def forget(self, paths: Iterable[str]) -> None:
        """Remove all texts of these files."""
        for path in paths:
            name = os.fsencode(path)
            told = "SELECT said.id, packed FROM story JOIN said ON story = story.id JOIN body ON body.id = said.id"
            for id_, packed in self._connection.execute(f"{told} WHERE path = ?", (name,)).fetchall():
                words = searchable(_unpacked(packed))
                gone = "INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)"
                self._connection.execute(gone, (id_, words))
                self._connection.execute("DELETE FROM said WHERE id = ?", (id_,))
                self._connection.execute("DELETE FROM body WHERE id = ?", (id_,))
            self._connection.execute("DELETE FROM story WHERE path = ?", (name,))
            self._connection.execute("DELETE FROM file WHERE path = ?", (name,))

    def _story(self, story: Story) -> int:
        name = (os.fsencode(story.path), story.agent, story.session)
        asked = "SELECT id, title, project FROM story WHERE path = ? AND agent = ? AND session = ?"
        row = self._connection.execute(asked, name).fetchone()
        told = (os.fsencode(story.opens), story.project, story.title)
        if row is None:
            values = (*name, *told)
            return int(
                self._connection.execute("INSERT INTO story VALUES (NULL, ?, ?, ?, ?, ?, ?)", values).lastrowid or 0
            )
        told = (told[0], story.project or row[2], story.title or row[1])
        self._connection.execute("UPDATE story SET opens = ?, project = ?, title = ? WHERE id = ?", (*told, row[0]))
        return int(row[0])

    # -- what is asked ------------------------------------------------------------------------------------------------

    def stories(self) -> dict[int, Story]:
        """All sessions, by their numbers."""
        rows = self._connection.execute("SELECT id, path, agent, session, opens, project, title FROM story")
        return {
            id_: Story(os.fsdecode(path), agent, session, os.fsdecode(opens), project, title)
            for id_, path, agent, session, opens, project, title in rows
        }

    def matches(
        self, expression: str, stories: Iterable[int], kinds: Sequence[int], since: int
    ) -> tuple[int, int, Iterator[Match]]:
        """(texts, sessions' files they are in, the texts newest first), for an expression of FTS5."""
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (id INTEGER PRIMARY KEY)")
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS found (at, id, story, kind)")
        self._connection.execute("DELETE FROM wanted")
        self._connection.execute("DELETE FROM found")
        self._connection.executemany("INSERT INTO wanted VALUES (?)", ((each,) for each in stories))
        self._connection.execute(FIND, (expression, json.dumps(kinds), since))
        texts, files = self._connection.execute("SELECT count(*), count(DISTINCT story) FROM found").fetchone()
        rows = self._connection.execute(
            "SELECT found.id, found.story, found.kind, found.at, key FROM found JOIN said ON said.id = found.id"
            " ORDER BY found.at DESC, found.id DESC"
        )
        return texts, files, (Match(*row) for row in rows)

    def text(self, id_: int) -> str:
        """One text, as the gate let it in."""
        row = self._connection.execute("SELECT packed FROM body WHERE id = ?", (id_,)).fetchone()
        return _unpacked(row[0]) if row is not None else ""


@contextlib.contextmanager
def opened(version: str, *, write: bool = False) -> Iterator[SearchIndex]:
    """The index, made if it isn't there or is of another version; with `write` in a transaction.

    What is spoilt is deleted, and Unavailable raised: the next search makes it anew.
    """
    try:
        with contextlib.ExitStack() as stack:
            connection = _of_version(version, stack)
            if write:
                connection.execute("BEGIN IMMEDIATE")
            yield SearchIndex(connection)
            if write:
                connection.execute("COMMIT")
    except (*TROUBLE, zlib.error, json.JSONDecodeError) as error:
        if isinstance(error, (sqlite3.ProgrammingError, sqlite3.InterfaceError)):  # ours to mend
            raise
        if "no such module" in str(error):
            raise Unavailable("this Python's SQLite has no full-text search (FTS5)", place=path()) from error
        if is_busy(error):
            raise Unavailable(
                "is busy: another program is writing to it", place=path(), hint="Search again."
            ) from error
        if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF not in SPOILT:
            raise Unavailable(f"can't be used: {error}", place=path()) from error
        drop()
        hint = "Search again: that builds a new one."
        raise Unavailable("was damaged and is deleted", place=path(), hint=hint) from error
    except OSError as error:
        raise Unavailable(f"can't be used: {error.strerror}", place=path()) from error


def _of_version(version: str, stack: contextlib.ExitStack) -> sqlite3.Connection:
    """The open file; one that is of another version, or no such file at all, is replaced."""
    for is_last in (False, True):
        try:
            opening = scratch.opened(path(), APPLICATION_ID, LAYOUT, TABLES, WAIT_SECONDS, journal="WAL", words=WORDS)
            connection = stack.enter_context(opening)
            connection.execute("INSERT OR IGNORE INTO made VALUES (1, ?)", (version,))
            if connection.execute("SELECT version FROM made").fetchone() == (version,):
                return connection
            stack.pop_all().close()
        except sqlite3.DatabaseError as error:
            if is_busy(error) or is_last or "no such module" in str(error):
                raise
        drop()
    raise sqlite3.DatabaseError("another version made it meanwhile")


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode()
