"""A sample of recorded facts, held to what they were drawn from.

A digest only proves that a fact is what somebody recorded. Deriving all of them anew would cost as much as the first
fold, so the proof takes some, spread over all of them in the order of their digests: the same ones everywhere, and
nobody's choice. What an interpreter is, this room doesn't know; whoever wants the proof hands one in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from ccos_core.log.facts import drawn_from, fact_body
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from ccos_core.log.facts import Key

MOST, MOST_BYTES = 100, 4_000_000
"""Facts that are derived anew, and the contents read for it: about a second's work."""
FACT = 'SELECT key, interpreter, version, digest, form, "check", body, size FROM fact WHERE rowid = ?'


class Rederives(Protocol):
    """Whoever can tell what a fact should say."""

    def has(self, interpreter: str, version: int) -> bool:
        """Whether this interpreter is at hand, in that version."""

    def agrees(self, record: Record, key: bytes, interpreter: str, recorded: bytes) -> bool | None:
        """Whether a fact says what comes out today; None where that can't be told."""


def compared(
    record: Record,
    facts: list[tuple[bytes, int]],
    sizes: Mapping[bytes, int],
    rederives: Rederives,
    *,
    thorough: bool = False,
) -> Iterator[tuple[Key, bool]]:
    """(fact, whether it is what comes out today) of a sample of these facts, which are known by digest and row; of all
    of them, if `thorough`."""
    left = MOST_BYTES
    for _, rowid in sorted(facts)[:: 1 if thorough else (len(facts) - 1) // MOST + 1]:
        for row in record.ask(FACT, (rowid,)):
            key, interpreter, version = row[:3]
            left -= sum(sizes.get(part, 0) for part in drawn_from(key))
            if left < 0 and not thorough:
                return
            agrees = rederives.agrees(record, key, interpreter, fact_body(*row))
            if agrees is not None:
                yield (key, interpreter, version), agrees
