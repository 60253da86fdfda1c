"""What a record holds, and what takes the space."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ccos_core.ops.plain import blobs_of
from ccos_core.present.parts import fact
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, row
from ccos_core.present.words import count, moment, short, size
from ccos_core.storage.bodies import opened
from ccos_core.storage.cache import MEMORY, cache_path
from ccos_core.storage.record import Record
from ccos_core.storage.segments import segments
from ccos_core.values.ids import file_node
from ccos_core.values.tally import Tally

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

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
    memory_lag: dict[str, int]
    """Steps that the working memory doesn't have yet: of its index, once that was filled, and of mirrors in SQLite."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def census(record: Record, known: Tally = Tally()) -> Census:  # noqa: B008  # nothing of it can be changed
    """Count everything; of the ops that aren't `known` in all, in one walk over them."""
    rest = _Counted(known)
    for step, _, body in record.rows(known.upto + 1):
        rest.count(step, opened(record, step, body))
    head = record.head()
    contents, content_bytes = record.ask("SELECT count(*), coalesce(sum(size), 0) FROM blob")[0]
    largest = record.ask(LARGEST_FIRST, (LARGEST,))
    return Census(
        steps=head[0],
        head=head[1].hex(),
        floor=record.floor(),
        kinds=dict(sorted(rest.kinds.items())),
        sessions=len(rest.sessions),
        paths=len(rest.files),
        first_at=min(rest.times, default=None),
        last_at=max(rest.times, default=None),
        contents=contents,
        content_bytes=content_bytes,
        erased=record.ask("SELECT count(*) FROM erased")[0][0],
        facts=record.ask("SELECT count(*) FROM fact")[0][0],
        segments=len(segments(record)),
        space=_space(record),
        largest=tuple(
            Large(bytes(blob).hex(), size, _first_use(record, known, rest, blob, size)) for blob, size in largest
        ),
        paused=bool(record.local("paused")),
        memory_lag=dict(_memory_lags(record, head[0])),
    )


class _Counted:
    """All that ops say, while the later ones of them are read."""

    def __init__(self, known: Tally) -> None:
        self.kinds = Counter(known.kinds)
        self.sessions = set(known.sessions)
        self.files = set(known.files)
        self.times = {at for at in (known.first_at, known.last_at) if at is not None}
        self.first_use: dict[bytes, int] = {}

    def count(self, step: int, op: Plain) -> None:
        self.kinds[op["kind"]] += 1
        if op.get("session"):
            self.sessions.add((op.get("host", ""), op["session"]))
        if "path" in op:
            self.files.add(file_node(op["path"]))
        if "at" in op:
            self.times = {min(op["at"], *self.times), max(op["at"], *self.times)} if self.times else {op["at"]}
        for _, blob in blobs_of(op):
            self.first_use.setdefault(blob, step)


def _first_use(record: Record, known: Tally, rest: _Counted, blob: bytes, size: int) -> int:
    """The first step that refers to a content; 0 where none does."""
    for step in known.heavy(size):
        if any(each == blob for _, each in blobs_of(opened(record, step, record.op(step)[2]))):
            return step
    return rest.first_use.get(blob, 0)


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


def _memory_lags(record: Record, head: int) -> Iterator[tuple[str, int]]:
    """Yield (name, steps behind) of the stores of entries that lie in files of SQLite."""
    mirrors = json.loads(record.local("mirrors") or "[]")
    files = {each["name"]: each["place"] for each in mirrors if each["kind"] == "sqlite"}
    for name, path in {"index": cache_path(record.path) + MEMORY, **files}.items():
        if not os.path.exists(path):
            continue
        try:
            with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as store:
                yield name, max(head - store.execute("SELECT step FROM follows").fetchone()[0], 0)
        except (sqlite3.Error, TypeError):
            yield name, head  # spoilt or busy: it is filled anew, or again


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


# ---- its rows ----


def _rows(answer: Census) -> Iterator[Row]:
    """The figures, then the kinds of steps and the largest contents."""
    space = answer.space
    yield fact("steps", f"{answer.steps:,}, head {short(answer.head)}" + ("  (paused)" if answer.paused else ""))
    yield fact("time", f"{moment(answer.first_at)} to {moment(answer.last_at)} UTC")
    yield fact("paths", f"{answer.paths:,}")
    yield fact("sessions", f"{answer.sessions:,}")
    erased = f", {answer.erased:,} erased" if answer.erased else ""
    stored = f"{size(answer.content_bytes)} as text, {size(space['contents'])} stored"
    yield fact("contents", f"{answer.contents:,}, {stored}{erased}")
    yield fact("facts", f"{answer.facts:,}, {size(space['facts'])}")
    archived = f", steps 1 to {answer.floor:,}" if answer.floor else ""
    yield fact("archive", f"{count(answer.segments, 'segment')}, {size(space['archive'])}{archived}")
    if answer.memory_lag:
        lags = ((name, f"{lag:,} behind" if lag else "up to date") for name, lag in answer.memory_lag.items())
        yield fact("memory", ", ".join(f"{clean(name)} {said}" for name, said in lags))
    yield fact("ops", size(space["ops"]))
    yield fact("on disk", f"{size(space['file'])}, wal {size(space['wal'])}, cache {size(space['cache'])}")
    yield from (Row(), heading("kinds of steps"))
    for kind, number in sorted(answer.kinds.items(), key=lambda each: (-each[1], each[0])):
        yield row(Span(f"  {number:>8,}", "number"), f"  {clean(kind)}")
    if answer.largest:
        yield from (Row(), heading("largest contents"))
    for each in answer.largest:
        bytes_ = Span(f"  {size(each.bytes):>9}", "number")
        step = Span(f"step {each.step:,}", "link")
        yield row(bytes_, f"  {short(clean(each.content))}  ", step, leads=Moment(each.step))
