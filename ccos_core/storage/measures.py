"""What files take to show, as whoever had their texts in hands measured them, kept in a record's cache.

Each is known by what it was made from, and has a check of its own. One that isn't there, or isn't what was saved, is
missed by nobody: whoever asks reads the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ccos_core.storage import cache
from ccos_core.storage.facts import tombstones
from ccos_core.storage.record import Record
from ccos_core.storage.scratch import shares
from ccos_core.values.canon import digest, spelled

if TYPE_CHECKING:
    from ccos_core.log.facts import Key

    Row = tuple[bytes, bytes, bytes]
    """(name, check, body)."""

CHECK_BYTES = 8
KEEP = "INSERT OR IGNORE INTO measure VALUES (?, ?, ?)"
KEPT = 'SELECT name, "check", body FROM measure WHERE name IN'


def row_of(key: Key, version: int, body: bytes) -> Row:
    """A measure as it is kept: of the file whose outline has that key, made by that version."""
    name = _name(key, version)
    return name, _check(name, body), body


def save(record: Record, rows: Iterable[Row], forgotten: int) -> None:
    """Keep these. The contents they are of were read when so much was `forgotten`."""
    with cache.trying(record.path), cache.opened(record.path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if tombstones(record) == forgotten:
            connection.executemany(KEEP, sorted(rows))
        connection.execute("COMMIT")


def load(record: Record, keys: Iterable[Key], version: int) -> dict[Key, bytes]:
    """Those of these that are kept."""
    named = {_name(key, version): key for key in keys}
    found: dict[Key, bytes] = {}
    with cache.trying(record.path), cache.opened(record.path) as connection:
        for names in shares(list(named)):
            rows = connection.execute(f"{KEPT} ({', '.join('?' * len(names))})", names).fetchall()
            found.update((named[name], body) for name, check, body in rows if _is_whole(name, check, body))
    return found


def _name(key: Key, version: int) -> bytes:
    return digest(key[0] + _maker(key[1], key[2], version))


@lru_cache(maxsize=64)  # there are a few, and thousands of keys
def _maker(interpreter: str, version: int, measured: int) -> bytes:
    return spelled([interpreter, version, measured])


def _check(name: bytes, body: bytes) -> bytes:
    """What a bit that fell over would change."""
    return digest(name + body)[:CHECK_BYTES]


def _is_whole(name: bytes, check: object, body: object) -> bool:
    return type(body) is bytes and check == _check(name, body)
