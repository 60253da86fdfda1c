"""Old ops, moved out of the way: segments inside the record, or as files beside it.

Moving decides where bytes lie, never what they mean: steps keep their numbers, the chain runs through. How they are
read there is in `segments`.
"""

from __future__ import annotations

import os

from ccos_core.errors import NotFound, Refused, Unavailable
from ccos_core.log.chain import GENESIS
from ccos_core.log.packing import Spoiled
from ccos_core.log.segment import Segment, pack_segment, unpack_segment
from ccos_core.storage.drafts import sync_folder
from ccos_core.storage.files import damaged
from ccos_core.storage.record import Record, Writing
from ccos_core.storage.segments import packed, place_of, resolved, segments, title_of

OPS_A_SEGMENT = 4_096


def move_older(record: Record, writing: Writing, keep: int, outside: str | None) -> int:
    """Move all but the last `keep` ops into segments; gives how many were moved."""
    start = floor = record.floor()
    until = writing.step - max(keep, 0)
    if outside is not None and floor < until:
        _settle(record, writing, outside)
    while floor < until:
        last = min(floor + OPS_A_SEGMENT, until)
        rows = list(record.rows(floor + 1, last))
        segment, body = pack_segment(floor + 1, _hash_at(record, floor), (row[2] for row in rows))
        if not rows or segment.after != rows[-1][1] or segment.last != last:
            raise damaged(
                f"the chain is broken between steps {floor + 1} and {last}, so nothing was moved", record.path
            )
        place = _write_outside(record, segment, body, outside) if outside is not None else ""
        known = (segment.first, segment.last, segment.before, segment.after, segment.size, segment.check, place)
        writing.run("INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*known, None if place else body))
        writing.run("DELETE FROM op WHERE step BETWEEN ? AND ?", (segment.first, segment.last))
        floor = last
    return floor - start


def bring_inside(record: Record, writing: Writing) -> list[str]:
    """Take outside segments into the record; gives the names of those that weren't at hand."""
    missing = []
    for segment in segments(record):
        if segment.place:
            try:
                body = packed(record, segment)
                for _ in unpack_segment(segment, body):
                    pass
            except NotFound:
                missing.append(segment.place)
                continue
            except Spoiled as error:
                raise damaged(
                    f"the archived steps {segment.first} to {segment.last} in {segment.place} are damaged: {error}",
                    record.path,
                ) from error
            writing.run("UPDATE segment SET place = '', packed = ? WHERE first = ?", (body, segment.first))
    return missing


def _settle(record: Record, writing: Writing, outside: str) -> None:
    """Note the archive's folder. One record has one, or its older segments could not be found again."""
    known = record.local("archive")
    elsewhere = known is not None and resolved(record, str(known)) != resolved(record, outside)
    if elsewhere and any(segment.place for segment in segments(record)):
        raise Refused("its earlier segments are in another folder", place=record.path, hint=f"Name that one: {known}")
    writing.set_local("archive", outside)


def _hash_at(record: Record, floor: int) -> bytes:
    """The chain's hash at the floor: before anything, or what the last segment ends with."""
    rows = record.ask("SELECT after FROM segment WHERE last = ?", (floor,))
    return bytes(rows[0][0]) if rows else GENESIS


def _write_outside(record: Record, segment: Segment, body: bytes, outside: str) -> str:
    """The name of the durable file that holds this segment."""
    target = resolved(record, outside)
    name = place_of(segment)
    draft = os.path.join(target, f"{name}.{os.getpid()}-{os.urandom(4).hex()}.new")
    try:
        os.makedirs(target, mode=0o700, exist_ok=True)
        try:
            with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(title_of(segment) + body)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, os.path.join(target, name))
        except BaseException:
            if os.path.exists(draft):
                os.unlink(draft)
            raise
        sync_folder(target)
    except OSError as error:
        raise Unavailable(
            f"the archive can't be written: {error.strerror}", place=target, hint="Name a folder that can be written."
        ) from error
    return name
