"""The journal in the cache file: columns in pieces, so that what grows costs what grew; and a state to go on from.

Every piece has a check of its own, looked at when somebody reads it. A column that was written often is made of fewer
and larger pieces again as it grows. The head it was written for says whether it belongs to this record.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import CcosError
from ccos_core.replay.columns import Shelf, Table
from ccos_core.replay.journal import VERSION, Journal
from ccos_core.storage import cache
from ccos_core.storage.record import Record
from ccos_core.values.canon import canonical, digest, parse

CHECK_BYTES = 8
LAST = """
SELECT first, size, packed, "check", body FROM piece WHERE tab = ? AND col = ? ORDER BY first DESC LIMIT 1
"""
NEW = "INSERT INTO piece VALUES (?, ?, ?, ?, ?, ?, ?)"
SAMPLE = 2**16
"""Bytes by which it is decided whether a piece gets smaller."""
SMALL = 4
"""A piece is joined to a new one behind it that is at least one part in so many of it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the cache has."""

    step: int
    journal: Journal


class Pieces:
    """The columns in a record's cache, read when they are needed. Where one can't be, `anew` gives the journal."""

    def __init__(self, record_path: str, anew: Callable[[], Shelf]) -> None:
        self._path = record_path
        self._anew = anew
        self._made: Shelf | None = None

    def column(self, table: str, name: str, size: int) -> bytes:
        """The first bytes of a column."""
        found: list[bytes] = []
        if self._made is None:
            with cache.trying(self._path):
                found.append(self._read(table, name, size))
            if not found:
                self._made = self._anew()
        return found[0] if self._made is None else self._made.column(table, name, size)

    def _read(self, table: str, name: str, size: int) -> bytes:
        with cache.opened(self._path) as connection:
            query = 'SELECT packed, "check", body FROM piece WHERE tab = ? AND col = ? ORDER BY first'
            found = b"".join(_unpacked(*row) for row in connection.execute(query, (table, name)))[:size]
        if len(found) != size:
            raise sqlite3.DatabaseError("it isn't all of what was saved")
        return found


def load(record: Record, fold: int, anew: Callable[[], Shelf]) -> Kept | None:
    """The journal of this record as far as it was kept, by this version of the fold; its columns are read later."""
    with cache.trying(record.path), cache.opened(record.path) as connection:
        rows = connection.execute("SELECT step, hash, version, fold, told FROM journal").fetchall()
        if rows and rows[0][2:4] == (VERSION, fold) and _holds(record, *rows[0][:2]):
            told = _told(rows[0][4])
            journal = Journal()
            journal.lies_on(Pieces(record.path, anew), told["sizes"])
            journal.solid, journal.partial = told["solid"], told["partial"]
            return Kept(rows[0][0], journal)
    return None


def save(record: Record, journal: Journal, fold: int, since: int) -> None:
    """Keep a journal, of which everything up to `since` is kept already."""
    with cache.trying(record.path), cache.opened(record.path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        rows = connection.execute("SELECT step, told FROM journal").fetchall()
        if (rows[0][0] if rows else 0) != since:
            if since:
                return  # another program was here; its journal is as good as ours
            connection.execute("DELETE FROM piece")
            rows = []
        before = _told(rows[0][1]) if rows else {"sizes": {}, "solid": {}}
        stays = before["solid"] or before["sizes"]
        for table in journal.tables():
            _save_table(connection, table, stays.get(table.name, 0), journal.solid.get(table.name, len(table)))
        told = {"sizes": journal.sizes(), "solid": journal.solid, "partial": journal.partial}
        head = journal.head, record.op(journal.head)[1] if journal.head else b""
        connection.execute(
            "INSERT OR REPLACE INTO journal VALUES (1, ?, ?, ?, ?, ?)", (*head, VERSION, fold, canonical(told))
        )
        connection.execute("COMMIT")


def load_state(record: Record, fold: int, upto: int) -> bytes | None:
    """The state at some step up to there, as it was kept by this version of the fold."""
    found: list[bytes] = []
    with cache.trying(record.path), cache.opened(record.path) as connection:
        query = 'SELECT step, hash, "check", body FROM state WHERE fold = ? AND step <= ?'
        for step, hash_, check, body in connection.execute(query, (fold, upto)).fetchall():
            if type(body) is not bytes or digest(body) != check:
                raise sqlite3.DatabaseError("it isn't what was saved")
            if _holds(record, step, hash_):
                found.append(zlib.decompress(body))
    return found[0] if found else None


def save_state(record: Record, fold: int, step: int, body: bytes) -> None:
    """Keep the state at a step."""
    packed = zlib.compress(body, 1)
    with cache.trying(record.path), cache.opened(record.path) as connection:
        row = step, record.op(step)[1], fold, digest(packed), packed
        connection.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?)", row)


def _save_table(connection: sqlite3.Connection, table: Table, stays: int, solid: int) -> None:
    """Keep what is new of a table, and what isn't solid apart from it."""
    for name, column in table.columns.items():
        place = table.name, name
        connection.execute("DELETE FROM piece WHERE tab = ? AND col = ? AND first >= ?", (*place, stays))
        body, first = column.tail(stays, solid), stays
        while body and (last := connection.execute(LAST, place).fetchone()) and last[1] <= SMALL * len(body):
            first = last[0]
            body = _unpacked(*last[2:]) + body
            connection.execute("DELETE FROM piece WHERE tab = ? AND col = ? AND first = ?", (*place, first))
        for at, part in ((first, body), (solid, column.tail(solid, column.size))):
            if part:
                connection.execute(NEW, (*place, at, len(part), *_packed(part)))


def _packed(part: bytes) -> tuple[int, bytes, bytes]:
    """(whether it is packed, check, bytes) of a piece; heat doesn't get smaller, and what doesn't is left alone."""
    sample = part[:SAMPLE]
    packed = len(zlib.compress(sample, 1)) * 3 < len(sample) * 2
    body = zlib.compress(part, 1) if packed else part
    return int(packed), digest(body)[:CHECK_BYTES], body


def _unpacked(packed: object, check: object, body: object) -> bytes:
    if type(body) is not bytes or digest(body)[:CHECK_BYTES] != check:
        raise sqlite3.DatabaseError("it isn't what was saved")
    return zlib.decompress(body) if packed else body


def _told(body: object) -> dict[str, Any]:
    """How long its columns are, and what of that stays."""
    told = parse(body) if type(body) is bytes else None
    names = {table.name for table in Journal().tables()}
    if type(told) is not dict or set(told) != {"sizes", "solid", "partial"}:
        raise sqlite3.DatabaseError("it isn't what was saved")
    if set(told["sizes"]) != names or set(told["solid"]) not in (names, set()):
        raise sqlite3.DatabaseError("it isn't what was saved")
    return told


def _holds(record: Record, step: int, hash_: bytes) -> bool:
    """Whether the record has that head, or had it."""
    try:
        return step == 0 or record.op(step)[1] == hash_
    except CcosError:
        return False
