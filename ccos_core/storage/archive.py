"""Old ops, moved out of the way: segments inside the record, or as files beside it.

Moving decides where bytes lie, never what they mean: steps keep their numbers, the chain runs through. A segment
kept outside may be missing one day; then everything above the floor still works, and what lies below says where it is
to be had. Segment files hold the packed bytes behind one line that names them; they are called after the steps and
the hash they end with, so a name can't lie, and two records may share a folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from ccos_core.errors import Damaged, NotFound, Refused, Unavailable
from ccos_core.log.chain import GENESIS
from ccos_core.log.packing import Spoiled
from ccos_core.log.segment import Segment, expect_whole, pack_segment, unpack_segment
from ccos_core.storage.drafts import sync_folder
from ccos_core.storage.files import damaged
from ccos_core.storage.record import Record, Writing
from ccos_core.values.canon import DIGEST_BYTES, canonical

Row = tuple[int, bytes, bytes]
OPS_A_SEGMENT = 4_096


def segments(record: Record) -> list[Segment]:
    """The segments of a record, oldest first."""
    query = 'SELECT first, last, before, after, size, "check", place FROM segment ORDER BY first'
    found = []
    for row in record.ask(query):
        if tuple(map(type, row)) != (int, int, bytes, bytes, int, int, str):
            raise damaged(f"an archive segment (from step {row[0]}) isn't described as one", record.path)
        segment = Segment(*row)
        if segment.last < segment.first or len(segment.before) != DIGEST_BYTES or len(segment.after) != DIGEST_BYTES:
            raise damaged(f"an archive segment (from step {segment.first}) isn't described as one", record.path)
        found.append(segment)
    return found


def archived_rows(record: Record, first: int, last: int, *, tolerant: bool = False) -> Iterator[Row]:
    """The archived ops from `first` to `last`; `tolerant` goes on behind what can't be read."""
    try:
        known = [each for each in segments(record) if each.first <= last and first <= each.last]
    except Damaged:
        if tolerant:
            return
        raise
    for segment in known:
        try:
            for row in _rows_of(record, segment, whole=not tolerant):
                if first <= row[0] <= last:
                    yield row
                if row[0] == last:
                    return
        except (NotFound, Damaged, Unavailable):
            if not tolerant:
                raise


def _rows_of(record: Record, segment: Segment, *, whole: bool) -> Iterator[Row]:
    """The ops of one segment; with `whole`, none of them unless all its bytes are as they were."""
    try:
        body = packed(record, segment)
        if whole:
            expect_whole(segment, body)  # who needs only its start never comes to its end
        yield from unpack_segment(segment, body)
    except Spoiled as error:
        raise damaged(
            f"the archived steps {segment.first} to {segment.last} are damaged: {error}", record.path
        ) from error


def packed(record: Record, segment: Segment) -> bytes:
    """The stored bytes of a segment, from wherever they are."""
    if segment.place:
        return _from_outside(record, segment)
    for (body,) in record.ask("SELECT packed FROM segment WHERE first = ?", (segment.first,)):
        if type(body) is bytes:
            return body
    raise damaged(f"the archived steps {segment.first} to {segment.last} are missing", record.path)


def folder(record: Record) -> str:
    """Where this record's outside segments lie on this machine."""
    return _resolved(record, str(record.local("archive") or "."))


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


def place_of(segment: Segment) -> str:
    """What the file of a segment is called."""
    return f"{segment.first:09d}-{segment.last:09d}-{segment.after.hex()[:16]}.ccos-segment"


def _from_outside(record: Record, segment: Segment) -> bytes:
    if segment.place != place_of(segment):
        raise damaged(f"the archived steps {segment.first} to {segment.last} are said to lie elsewhere", record.path)
    path = os.path.join(folder(record), segment.place)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileNotFoundError
        with open(path, "rb") as file:
            title, body = file.readline(len(_title(segment))), file.read()
    except FileNotFoundError:
        raise NotFound(
            f"steps {segment.first} to {segment.last} lie in an archive that isn't at hand: {path}",
            place=record.path,
            hint="Put the file back there; everything after those steps can be used without it.",
        ) from None
    except (OSError, ValueError) as error:
        fact = error.strerror if isinstance(error, OSError) else error
        raise Unavailable(
            f"the archive of steps {segment.first} to {segment.last} can't be read: {fact}",
            place=path,
            hint="Check who may read it; everything after those steps can be used without it.",
        ) from error
    if title != _title(segment):
        raise Spoiled("its file isn't the segment it is named for")
    return body


def _title(segment: Segment) -> bytes:
    title = {"is": "ccos-segment", "v": 1, "first": segment.first, "last": segment.last, "after": segment.after.hex()}
    return canonical(title) + b"\n"


def _resolved(record: Record, said: str) -> str:
    """A folder as the record notes it: relative to where the record itself lies, whatever link led there."""
    return os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(record.path)), said))


def _settle(record: Record, writing: Writing, outside: str) -> None:
    """Note the archive's folder. One record has one, or its older segments could not be found again."""
    known = record.local("archive")
    elsewhere = known is not None and _resolved(record, str(known)) != _resolved(record, outside)
    if elsewhere and any(segment.place for segment in segments(record)):
        raise Refused("its earlier segments lie in another folder", place=record.path, hint=f"Name that one: {known}")
    writing.set_local("archive", outside)


def _hash_at(record: Record, floor: int) -> bytes:
    """The chain's hash at the floor: before anything, or what the last segment ends with."""
    rows = record.ask("SELECT after FROM segment WHERE last = ?", (floor,))
    return bytes(rows[0][0]) if rows else GENESIS


def _write_outside(record: Record, segment: Segment, body: bytes, outside: str) -> str:
    """The name of the durable file that holds this segment."""
    target = _resolved(record, outside)
    name = place_of(segment)
    draft = os.path.join(target, f"{name}.{os.getpid()}-{os.urandom(4).hex()}.new")
    try:
        os.makedirs(target, mode=0o700, exist_ok=True)
        try:
            with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(_title(segment) + body)
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
