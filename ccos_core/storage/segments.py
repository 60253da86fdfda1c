"""Old ops, read where they were moved to: segments inside the record, or as files beside it.

A segment kept outside may be missing one day; then everything above the floor still works, and what lies below says
where it is to be had. Segment files hold the packed bytes behind one line that names them; they are called after the
steps and the hash they end with, so a name can't lie, and two records may share a folder. How ops come to be here is
`archive`'s to say.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ccos_core.errors import Damaged, NotFound, Unavailable
from ccos_core.log.packing import Spoiled
from ccos_core.log.segment import Segment, expect_whole, unpack_segment
from ccos_core.storage.files import damaged
from ccos_core.values.canon import DIGEST_BYTES, canonical

if TYPE_CHECKING:
    from ccos_core.storage.record import Record, Row


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


def archived_bodies(record: Record, steps: Sequence[int]) -> dict[int, bytes]:
    """The ops of those of these steps that are archived; each segment is unpacked once. Whoever asks `op` for one that
    can't be read is told why. `steps` are in order."""
    found: dict[int, bytes] = {}
    with suppress(Damaged):
        for segment in segments(record):
            wanted = set(steps[bisect_left(steps, segment.first) : bisect_right(steps, segment.last)])
            if wanted:
                with suppress(NotFound, Damaged, Unavailable):
                    found.update((row[0], row[2]) for row in _rows_of(record, segment, whole=True) if row[0] in wanted)
    return found


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
    return resolved(record, str(record.local("archive") or "."))


def place_of(segment: Segment) -> str:
    """What the file of a segment is called."""
    return f"{segment.first:09d}-{segment.last:09d}-{segment.after.hex()[:16]}.ccos-segment"


def title_of(segment: Segment) -> bytes:
    """The line that says, in a segment's own file, which one it is."""
    title = {"is": "ccos-segment", "v": 1, "first": segment.first, "last": segment.last, "after": segment.after.hex()}
    return canonical(title) + b"\n"


def resolved(record: Record, said: str) -> str:
    """A folder as the record notes it: relative to where the record itself lies, whatever link led there."""
    return os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(record.path)), said))


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


def _from_outside(record: Record, segment: Segment) -> bytes:
    if segment.place != place_of(segment):
        raise damaged(
            f"the archived steps {segment.first} to {segment.last} are recorded in another place", record.path
        )
    path = os.path.join(folder(record), segment.place)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileNotFoundError
        with open(path, "rb") as file:
            title, body = file.readline(len(title_of(segment))), file.read()
    except FileNotFoundError:
        raise NotFound(
            f"steps {segment.first} to {segment.last} are in a missing archive file: {path}",
            place=record.path,
            hint="Restore the file; all later steps can be used without it.",
        ) from None
    except (OSError, ValueError) as error:
        fact = error.strerror if isinstance(error, OSError) else error
        raise Unavailable(
            f"the archive of steps {segment.first} to {segment.last} can't be read: {fact}",
            place=path,
            hint="Check its permissions; all later steps can be used without it.",
        ) from error
    if title != title_of(segment):
        raise Spoiled("its file isn't the segment it is named for")
    return body
