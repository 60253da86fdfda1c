"""What a record holds, and what takes the space."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.ops.plain import blobs_of
from ccos_core.storage.bodies import opened
from ccos_core.storage.cache import cache_path
from ccos_core.storage.record import Record
from ccos_core.storage.segments import segments

LARGEST = 5
LARGEST_FIRST = """
SELECT hash, size FROM blob WHERE typeof(hash) = 'blob' AND typeof(size) = 'integer' ORDER BY size DESC, hash LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Large:
    """A content that takes much space."""

    content: str
    """Its hash."""

    bytes: int
    step: int
    """The first step that refers to it."""


@dataclass(frozen=True, slots=True)
class Census:
    """The answer to `stats`."""

    schema: ClassVar[str] = "ccos.stats/1"
    steps: int
    head: str
    floor: int
    kinds: dict[str, int]
    sessions: int
    paths: int
    first_at: int | None
    last_at: int | None
    contents: int
    content_bytes: int
    erased: int
    facts: int
    segments: int
    space: dict[str, int]
    """Bytes as stored, by what they are for."""
    largest: tuple[Large, ...]
    """The largest contents."""
    paused: bool


def census(record: Record) -> Census:
    """Count everything in one walk over the ops."""
    kinds: Counter[str] = Counter()
    sessions: set[tuple[str, str]] = set()
    paths: set[str] = set()
    first_use: dict[bytes, int] = {}
    first_at: int | None = None
    last_at: int | None = None
    for step, _, body in record.rows():
        op = opened(record, step, body)
        kinds[op["kind"]] += 1
        if "session" in op:
            sessions.add((op.get("host", ""), op["session"]))
        if "path" in op:
            paths.add(op["path"])
        if "at" in op:
            first_at = op["at"] if first_at is None else min(first_at, op["at"])
            last_at = op["at"] if last_at is None else max(last_at, op["at"])
        for _, blob in blobs_of(op):
            first_use.setdefault(blob, step)
    head = record.head()
    contents, content_bytes = record.ask("SELECT count(*), coalesce(sum(size), 0) FROM blob")[0]
    largest = record.ask(LARGEST_FIRST, (LARGEST,))
    return Census(
        steps=head[0],
        head=head[1].hex(),
        floor=record.floor(),
        kinds=dict(sorted(kinds.items())),
        sessions=len(sessions),
        paths=len(paths),
        first_at=first_at,
        last_at=last_at,
        contents=contents,
        content_bytes=content_bytes,
        erased=record.ask("SELECT count(*) FROM erased")[0][0],
        facts=record.ask("SELECT count(*) FROM fact")[0][0],
        segments=len(segments(record)),
        space=_space(record),
        largest=tuple(Large(bytes(blob).hex(), size, first_use.get(blob, 0)) for blob, size in largest),
        paused=bool(record.local("paused")),
    )


def _space(record: Record) -> dict[str, int]:
    stored = {
        "ops": "SELECT sum(length(body) + length(hash)) FROM op",
        "contents": "SELECT sum(length(body)) FROM blob",
        "facts": "SELECT sum(length(body)) FROM fact",
        "archive": "SELECT sum(length(packed)) FROM segment",
    }
    files = {"file": record.path, "wal": os.path.realpath(record.path) + "-wal", "cache": cache_path(record.path)}
    return {
        **{name: record.ask(query)[0][0] or 0 for name, query in stored.items()},
        **{name: _size(path) for name, path in files.items()},
    }


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
