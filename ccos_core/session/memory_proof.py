"""Hold stored entries to the record: a sample is derived again, and what differs is named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from ccos_core.errors import CcosError
from ccos_core.memory.backend import Backend
from ccos_core.memory.deriving import PATTERN, Course, Op, Origin, derive
from ccos_core.memory.entry import Entry, content_hash
from ccos_core.ops.plain import unseal
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest

MOST = 100
"""Entries that are derived again, spread over all of them in the order of their ids."""
COMPARED = ("title", "words", "whole", "content", "at", "session", "context", "call", "tokens")
"""What an entry keeps of the op it came from, whatever came after it."""


@dataclass(frozen=True, slots=True)
class Differing:
    """An entry that isn't what the record says."""

    id: str
    step: int
    fact: str


def memory_differs(record: Record) -> Differing | None:
    """Return the first entry of the index that isn't what its op gives; None if there is no such entry, or no index."""
    place = memory_path(record.path)
    if not os.path.exists(place):
        return None
    try:
        with closing(MemorySqlite(place)) as store:
            return next(differing(record, store), None)
    except CcosError:  # a spoilt file is deleted
        return None


def differing(record: Record, store: Backend, *, thorough: bool = False) -> Iterator[Differing]:
    """Yield the entries of a sample that differ, or of all of them."""
    every = list(store.entries())
    for entry in every[:: 1 if thorough else (len(every) - 1) // MOST + 1]:
        step, _, op_hash = entry.action.partition(":")
        at = int(step) if step.isdigit() else 0
        if fact := _difference(record, entry, at, op_hash):
            yield Differing(entry.id, at, fact)


def _difference(record: Record, entry: Entry, step: int, op_hash: str) -> str:
    """Return what is wrong with an entry; empty if nothing is."""
    try:
        _, chain, body = record.op(step)
    except CcosError:
        return "names a step that isn't there"
    if digest(body).hex() != op_hash:
        return "names an op that isn't the one of its step"
    if chain.hex() != entry.chain:
        return "names a hash that the chain hasn't at its step"
    if content_hash(entry.words) != entry.content:
        return "has words that aren't those of its hash"
    if entry.cls == PATTERN:
        return ""

    def text(blob: Op | None) -> str:
        found = record.contents([bytes.fromhex(blob["blob"])]) if blob is not None else {}
        return next(iter(found.values()), b"").decode("utf-8", "replace")

    made = {
        each.id: each for each in derive(unseal(body, known=True), Origin(step, op_hash, chain.hex()), text, Course())
    }
    again = made.get(entry.id)
    if again is None:
        return "isn't derived from its op"
    wrong = [name for name in COMPARED if getattr(again, name) != getattr(entry, name)]
    return f"has another {wrong[0]} than its op gives" if wrong else ""
