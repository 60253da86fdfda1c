"""Entries in memory, kept in a file of JSON Lines that is only ever appended to.

A batch is its entries, a line each, and a line that ends it and says how far the file follows the record. What has no
end, such as a torn last line, never happened. A line that can't be read is set aside in a file beside it, and the
cursor is forgotten, so that the ingestor fills the store anew. When it is opened the file is written anew if more
than a fifth of it is of no use any more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ccos_core.errors import Unavailable
from ccos_core.memory.backend import Cursor, Moved, Result, Search, Stats, stats_of
from ccos_core.memory.entry import Entry, NotAnEntry, entry_bytes, entry_of
from ccos_core.memory.index import Index, look_up
from ccos_core.storage import file_lock
from ccos_core.storage.replacing import replacing
from ccos_core.values.canon import NotCanonical, canonical, parse

END = "ccos.memo-end/1"
ASIDE, LOCK = ".damaged", "-lock"
DEAD_SHARE = 5
"""The file is written anew if more than one byte in this number is unused."""


class MemoryLines:
    """The open file; `path` empty keeps everything in memory only."""

    name = "lines"

    def __init__(self, path: str = "") -> None:
        self.path = path
        self.damage: list[str] = []
        """What couldn't be read of the file, a sentence each."""

        self._entries: dict[str, Entry] = {}
        self._cursor = Cursor()
        self._changes = 0
        self._index: Index | None = None
        self._rows: dict[str, int] = {}
        self._at: list[str] = []
        self._handle = -1
        self._lock: file_lock.FileLock | None = None
        if path:
            self._open()

    # ---- what is stored ----

    def store(self, entry: Entry) -> str:
        return self.store_batch([entry])[0]

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        if after is not None and after != self._cursor:
            raise Moved("was filled by another program meanwhile", place=self.path)
        self._write([entry_bytes(entry) for entry in entries], cursor or self._cursor)
        for entry in entries:
            self._take(entry)
        self._cursor = cursor or self._cursor
        self._changes += 1
        return [entry.id for entry in entries]

    def remove(self, ids: Iterable[str]) -> int:
        gone = [id_ for id_ in dict.fromkeys(ids) if id_ in self._entries]
        if gone:
            self._write([], self._cursor, removed=gone)
            for id_ in gone:
                self._drop(id_)
            self._changes += 1
        return len(gone)

    def clear(self) -> None:
        self._entries, self._rows, self._at, self._index, self._cursor = {}, {}, [], None, Cursor()
        self._changes += 1
        if self.path:
            self._rewrite()

    # ---- what is asked ----

    def retrieve(self, id_: str) -> Entry | None:
        return self._entries.get(id_)

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        return {id_: self._entries[id_] for id_ in ids if id_ in self._entries}

    def entries(self) -> Iterator[Entry]:
        yield from (self._entries[id_] for id_ in sorted(self._entries))

    def query(self, search: Search) -> Result:
        self.settle()
        assert self._index is not None
        return look_up(self._index, search, lambda row: self._entries[self._at[row]])

    def get_stats(self) -> Stats:
        return stats_of(self.name, self._entries.values(), self._cursor)

    def cursor(self) -> Cursor:
        return self._cursor

    def version(self) -> int:
        return self._changes

    def settle(self) -> None:
        if self._index is None:
            self._index = Index()
            for entry in self._entries.values():
                self._add(self._index, entry)

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        if self._lock is not None:
            self._lock.__exit__()
            self._lock = None

    # ---- helpers ----

    def _take(self, entry: Entry) -> None:
        known = self._entries.get(entry.id)
        self._entries[entry.id] = entry
        if self._index is None:
            return
        if known is not None and (known.words, known.title) == (entry.words, entry.title):
            self._index.relabel(self._rows[entry.id], entry)
            return
        if known is not None:
            self._index.remove(self._rows[entry.id])
        self._add(self._index, entry)

    def _add(self, index: Index, entry: Entry) -> None:
        self._rows[entry.id] = len(self._at)
        self._at.append(entry.id)
        index.add(self._rows[entry.id], entry, index.terms_of(entry))

    def _drop(self, id_: str) -> None:
        del self._entries[id_]
        row = self._rows.pop(id_, None)
        if self._index is not None and row is not None:
            self._index.remove(row)

    def _open(self) -> None:
        try:
            os.makedirs(os.path.dirname(self.path) or ".", mode=0o700, exist_ok=True)
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            self._lock = file_lock.take(self.path + LOCK)
            if self._lock is None:
                raise Unavailable("is in use by another program", place=self.path)
            size = self._read()
        except OSError as error:
            self.close()
            raise Unavailable(f"can't be used: {error.strerror}", place=self.path) from error
        except BaseException:
            self.close()
            raise
        live = sum(len(entry_bytes(entry)) + 1 for entry in self._entries.values())
        if self.damage or (size - live) * DEAD_SHARE > size:
            self._rewrite()

    def _read(self) -> int:
        """Read all batches that have an end, and cut off what follows them; returns the size of the file."""
        whole, at, batch = 0, 0, list[Entry]()
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                at += len(line)
                if not line.endswith(b"\n"):
                    break
                try:
                    end = _end_of(line)
                    if end is None:
                        batch.append(entry_of(line))
                        continue
                except (NotAnEntry, NotCanonical, KeyError, TypeError) as error:
                    self._set_aside(number, line, error)
                    continue
                for entry in batch:
                    self._entries[entry.id] = entry
                for id_ in end["removed"]:
                    self._entries.pop(id_, None)
                self._cursor = Cursor(**end["cursor"])
                whole, batch = at, []
        if self.damage:
            self._cursor = Cursor()
        os.truncate(self.path, whole)
        return whole

    def _set_aside(self, number: int, line: bytes, error: Exception) -> None:
        self.damage.append(f"line {number} can't be read ({error}); it is kept in {self.path}{ASIDE}")
        with open(self.path + ASIDE, "ab") as file:
            file.write(line)

    def _write(self, lines: Iterable[bytes], cursor: Cursor, removed: Sequence[str] = ()) -> None:
        if self._handle < 0:
            return
        body = b"".join(line + b"\n" for line in [*lines, _end(cursor, removed)])
        start = os.fstat(self._handle).st_size
        try:
            while body:
                body = body[os.write(self._handle, body) :]
        except OSError as error:
            os.truncate(self._handle, start)
            raise Unavailable(f"can't be written: {error.strerror}", place=self.path) from error

    def _rewrite(self) -> None:
        """Write what is live into a new file that takes the place of this one."""
        body = b"".join(entry_bytes(entry) + b"\n" for entry in self.entries())
        with replacing(self.path) as handle, open(handle, "wb", closefd=False) as file:
            file.write(body + _end(self._cursor, ()) + b"\n")
        os.close(self._handle)
        self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)


def _end(cursor: Cursor, removed: Sequence[str]) -> bytes:
    return canonical({"schema": END, "cursor": asdict(cursor), "removed": list(removed)})


def _end_of(line: bytes) -> dict[str, Any] | None:
    """Return the end of a batch; None for an entry, whose first key comes before `cursor`."""
    return parse(line.rstrip(b"\n")) if line.startswith(b'{"cursor":') else None
