"""Recorded facts in bulk: looked up by the hundreds, added a few hundred to a transaction.

What is added was derived from contents that were there a while ago. Whoever forgets one of them meanwhile wins: the
tombstones are looked at inside the transaction, and a composed text, whose parts nobody can name, is left out as soon
as there is a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ccos_core.log.facts import is_composed
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed

RECORDED = 'SELECT key, interpreter, version, digest, size, form, "check", body FROM fact'
STORED = 'SELECT hash, size, form, "check", body FROM blob'


def recorded(record: Record, wanted: Iterable[Key]) -> Iterator[tuple[Key, Packed]]:
    """Those of the wanted facts that are recorded, as they are stored."""
    left = dict.fromkeys(wanted)
    for row in record.among(f"{RECORDED} WHERE key IN", dict.fromkeys(key for key, _, _ in left)):
        if row[:3] in left:
            yield row[:3], row[3:]


def sizes(record: Record, blobs: Iterable[bytes]) -> dict[bytes, int]:
    """Bytes of each of these contents that is here."""
    return dict(record.among("SELECT hash, size FROM blob WHERE hash IN", blobs))


def stored(record: Record, blobs: Iterable[bytes]) -> Iterator[tuple[Any, ...]]:
    """(hash, size, form, check, stored) of those of these contents that are here."""
    yield from record.among(f"{STORED} WHERE hash IN", blobs)


def tombstones(record: Record) -> int:
    """How many contents were forgotten so far."""
    count: int = record.ask("SELECT count(*) FROM erased")[0][0]
    return count


def add(record: Record, facts: Mapping[Key, Packed], known_tombstones: int) -> None:
    """Record these, in one transaction, as far as nothing they were drawn from has been forgotten since."""
    with record.write() as writing:
        forgotten = tombstones(record) != known_tombstones
        for key, packed in facts.items():
            if not (forgotten and is_composed(key[0])):
                writing.keep_packed_fact(key, packed)
