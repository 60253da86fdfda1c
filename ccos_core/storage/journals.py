"""The journal in the cache file: columns in pieces, so that what grows costs what grew; and a state to go on from.

Every piece has a check of its own, looked at when somebody reads it. A column that was written often is made of fewer
and larger pieces again as it grows. The head it was written for says whether it belongs to this record; how much was
forgotten of the record by then, whether it may still say what it says.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.errors import CcosError, NotFound, Unavailable
from ccos_core.replay.version import VERSION
from ccos_core.storage import cache
from ccos_core.storage.facts import tombstones
from ccos_core.storage.record import Record
from ccos_core.storage.segments import segments
from ccos_core.values.canon import canonical, digest, parse

if TYPE_CHECKING:
    from ccos_core.replay.columns import Shelf, Table
    from ccos_core.replay.journal import Journal

CHECK_BYTES = 8
LAST = """
SELECT first, size, packed, "check", body FROM piece WHERE tab = ? AND col = ? ORDER BY first DESC LIMIT 1
"""
BEFORE = 'SELECT first, packed, "check", body FROM piece WHERE tab = ? AND col = ? AND first < ? ORDER BY first'
BEHIND = 'SELECT first, packed, "check", body FROM piece WHERE tab = ? AND col = ? AND first >= ? ORDER BY first'
NEW = "INSERT INTO piece VALUES (?, ?, ?, ?, ?, ?, ?)"
KEPT = 'SELECT step, hash, version, fold, erased, "check", told FROM journal'
KEEP = "INSERT OR REPLACE INTO journal VALUES (1, ?, ?, ?, ?, ?, ?, ?)"
SAMPLE = 2**16
"""Bytes by which it is decided whether a piece gets small enough to be packed."""
SMALL = 4
"""A piece is joined to a new one behind it that is at least one part in so many of it."""
PATIENCE = 10.0
"""Seconds to wait for another program that writes: what it writes may take a minute to make anew."""


class Kept(NamedTuple):
    """What the cache has."""

    step: int
    journal: Journal


class Row(NamedTuple):
    """What is kept of a journal besides its columns."""

    step: int
    hash: bytes
    version: int
    fold: int
    erased: int
    """Contents that had been forgotten by then: a journal may quote what it was made of."""
    sizes: dict[str, int]
    solid: dict[str, int]
    partial: int


class Pieces:
    """The columns in a record's cache, read when they are needed. Where one can't be, `anew` gives the journal.

    Another program may write more meanwhile: then what it was is still the beginning of what it is. Only a look that
    goes on is written otherwise, so what isn't solid is read at once."""

    def __init__(self, record_path: str, row: Row, anew: Callable[[], Shelf]) -> None:
        self._path = record_path
        self._row = row
        self._anew = anew
        self._made: Shelf | None = None
        self._tails: dict[tuple[str, str], bytes] = {}

    def read_tails(self, connection: sqlite3.Connection, tables: Iterable[Table]) -> None:
        """Read what isn't solid."""
        for table in tables:
            since, upto = self._row.solid[table.name], self._row.sizes[table.name]
            for name, column in table.columns.items():
                found = _joined(connection, BEHIND, table.name, name, since)
                if len(found) != (upto - since) * column.form.itemsize:
                    raise sqlite3.DatabaseError("it isn't all of what was saved")
                self._tails[table.name, name] = found

    def column(self, table: str, name: str, size: int) -> bytes:
        """The first bytes of a column."""
        found: list[bytes] = []
        if self._made is None:
            with cache.trying(self._path):
                found.append(self._read(table, name, size))
            if not found:
                self._made = self._anew()
        column = found[0] if self._made is None else self._made.column(table, name, size)
        if len(column) != size:
            raise Unavailable("was changed while being read", place=self._path, hint="Ask again.")
        return column

    def _read(self, table: str, name: str, size: int) -> bytes:
        with cache.opened(self._path, PATIENCE) as connection:
            connection.execute("BEGIN")
            row = _row(connection)
            if row is None or row[2:5] != self._row[2:5]:
                raise sqlite3.DatabaseError("it was written by another version, or of another record")
            stays = (self._row.solid or self._row.sizes)[table]
            tail = self._tails.get((table, name), b"")
            found = _joined(connection, BEFORE, table, name, stays)[: size - len(tail)] + tail
        if len(found) != size:
            raise sqlite3.DatabaseError("it isn't all of what was saved")
        return found


def load(record: Record, fold: int, anew: Callable[[], Shelf], new: Callable[[], Journal]) -> Kept | None:
    """The journal of this record as far as it was kept, by this version of the fold; its columns are read later. `new`
    makes the empty journal that they are put in."""
    with cache.trying(record.path), cache.opened(record.path, PATIENCE) as connection:
        connection.execute("BEGIN")
        row = _row(connection)
        if row is not None and (row.version, row.fold) == (VERSION, fold) and _holds(record, row.step, row.hash):
            if row.erased != tombstones(record):
                raise sqlite3.DatabaseError("something was forgotten that it may say")
            journal, pieces = new(), Pieces(record.path, row, anew)
            if row.solid:
                pieces.read_tails(connection, journal.tables())
            journal.lies_on(pieces, row.sizes)
            journal.solid, journal.partial = row.solid, row.partial
            return Kept(row.step, journal)
    return None


def save(record: Record, journal: Journal, fold: int, since: int, forgotten: int) -> None:
    """Keep a journal, of which everything up to `since` is kept already. It was begun when so much was `forgotten`."""
    with cache.trying(record.path), cache.opened(record.path, PATIENCE) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if tombstones(record) != forgotten:
            return  # it may say what nobody is to say any more
        row = _row(connection)
        if row is not None and (row[2:5] != (VERSION, fold, forgotten) or not _holds(record, row.step, row.hash)):
            row = None
        if (since or row is not None) and (row is None or row.step != since):
            return  # another program was here; its journal is as good as ours
        if row is None:
            connection.execute("DELETE FROM piece")
        stays = (row.solid or row.sizes) if row is not None else {}
        for table in journal.tables():
            _save_table(connection, table, stays.get(table.name, 0), journal.solid.get(table.name, len(table)))
        named = *_end(record, journal.head), VERSION, fold, forgotten
        told = {"sizes": journal.sizes(), "solid": journal.solid, "partial": journal.partial}
        _save_row(connection, named, told)
        connection.execute("COMMIT")


def load_state(record: Record, fold: int, upto: int) -> bytes | None:
    """The state at some step up to there, as it was kept by this version of the fold."""
    found: list[bytes] = []
    with cache.trying(record.path), cache.opened(record.path, PATIENCE) as connection:
        query = 'SELECT step, hash, fold, erased, "check", body FROM state WHERE fold = ? AND step <= ?'
        for *named, check, body in connection.execute(query, (_both(fold), upto)).fetchall():
            if type(body) is not bytes or _check(named, body) != check or named[3] != tombstones(record):
                raise sqlite3.DatabaseError("it isn't what was saved")
            if _holds(record, named[0], named[1]):
                found.append(zlib.decompress(body))
    return found[0] if found else None


def save_state(record: Record, fold: int, step: int, body: bytes, forgotten: int) -> None:
    """Keep the state at a step. It was begun when so much was `forgotten`."""
    packed = zlib.compress(body, 1)
    with cache.trying(record.path), cache.opened(record.path) as connection:
        named = step, record.op(step)[1], _both(fold), forgotten
        values = *named, _check(named, packed), packed
        if tombstones(record) == forgotten:
            connection.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?, ?)", values)


def _both(version: int) -> int:
    """A version of what is kept, and that of the columns it is kept beside: a fault in either may be in it."""
    return version << 16 | VERSION


def _end(record: Record, step: int) -> tuple[int, bytes]:
    return step, record.op(step)[1] if step else b""


def _save_row(connection: sqlite3.Connection, named: tuple[object, ...], told: Mapping[str, object]) -> None:
    body = canonical(told)
    values = *named, _check(named, body), body
    connection.execute(KEEP, values)


def _save_table(connection: sqlite3.Connection, table: Table, stays: int, solid: int) -> None:
    """Keep what is new of a table, and what isn't solid apart from it."""
    for name, column in table.columns.items():
        place = table.name, name
        connection.execute("DELETE FROM piece WHERE tab = ? AND col = ? AND first >= ?", (*place, stays))
        body, first = column.tail(stays, solid), stays
        while body and (last := connection.execute(LAST, place).fetchone()) and last[1] <= SMALL * len(body):
            first = last[0]
            body = _unpacked(*place, first, *last[2:]) + body
            connection.execute("DELETE FROM piece WHERE tab = ? AND col = ? AND first = ?", (*place, first))
        for at, part in ((first, body), (solid, column.tail(solid, column.size))):
            if part:
                packed = _packed(part)
                how = int(packed is not part)
                values = *place, at, len(part), how, _check((*place, at, how), packed), packed
                connection.execute(NEW, values)


def _packed(part: bytes) -> bytes:
    """A piece as it is kept. What doesn't get half as small is left alone, as heat and scores are: whoever asks waits
    for it to be unpacked, which takes ten times as long as to read it as it stands."""
    sample = part[:SAMPLE]
    return zlib.compress(part, 1) if len(zlib.compress(sample, 1)) * 2 < len(sample) else part


def _unpacked(table: str, name: str, first: int, packed: int, check: object, body: object) -> bytes:
    if type(body) is not bytes or _check((table, name, first, packed), body) != check:
        raise sqlite3.DatabaseError("it isn't what was saved")
    return zlib.decompress(body) if packed else body


def _joined(connection: sqlite3.Connection, query: str, table: str, name: str, row: int) -> bytes:
    """The pieces of a column that begin before a row, or behind it."""
    return b"".join(_unpacked(table, name, *each) for each in connection.execute(query, (table, name, row)))


def _row(connection: sqlite3.Connection) -> Row | None:
    """What is kept of the journal besides its columns, if anything is."""
    for step, hash_, version, fold, forgotten, check, body in connection.execute(KEPT).fetchall():
        if type(body) is not bytes or _check((step, hash_, version, fold, forgotten), body) != check:
            raise sqlite3.DatabaseError("it isn't what was saved")
        told = parse(body)
        return Row(step, hash_, version, fold, forgotten, told["sizes"], told["solid"], told["partial"])
    return None


def _check(named: Iterable[object], body: bytes) -> bytes:
    """What a bit that fell over in a body, or in what it is kept by, would change."""
    parts = [each.hex() if isinstance(each, bytes) else str(each) for each in named]
    return digest(canonical(parts) + body)[:CHECK_BYTES]


def _holds(record: Record, step: int, hash_: bytes) -> bool:
    """Whether the record has that head, or had it."""
    try:
        return step == 0 or record.op(step)[1] == hash_
    except NotFound:  # it may lie in an archive that isn't at hand: of its last step the hash lies here
        return any((each.last, each.after) == (step, hash_) for each in segments(record))
    except CcosError:
        return False
