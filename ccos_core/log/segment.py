"""Archive segments: a run of old ops in one compressed piece, chained to what lies before and after it.

    segment = zlib( op op op ... )        op = length as 4 bytes, big-endian ‖ first 4 bytes of its hash ‖ body

The hash before a segment and the bodies give all hashes, and the last must be the one noted beside it: that is the
proof. The marks in between only tell which op it was that changed, and that those before it didn't. Kept inside the
record or as a file beside it, with the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ccos_core.log.packing import Spoiled
from ccos_core.values.canon import chained

LARGEST_BODY = 16 * 2**20
"""No op comes near this; a length beyond it is damage, not an op."""
MARK = 4
"""Bytes of each op's hash that stand before it."""
BITE = 2**14
"""Packed bytes unpacked at a time; zlib makes at most a thousand times as many of them."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What is known of a segment without opening it."""

    first: int
    last: int
    before: bytes
    """The chain's hash before `first`, ..."""
    after: bytes
    """... and at `last`."""
    size: int
    """Bytes of all bodies, unpacked."""
    check: int
    """crc32 of the packed bytes."""
    place: str = ""
    """The file it lies in, for one kept outside the record; only its name, never where on a machine."""


def pack_segment(first: int, before: bytes, bodies: Iterable[bytes]) -> tuple[Segment, bytes]:
    """The segment that holds these bodies, and its packed bytes."""
    engine = zlib.compressobj(6)
    parts: list[bytes] = []
    after, last, size = before, first - 1, 0
    for body in bodies:
        if len(body) > LARGEST_BODY:
            raise ValueError(f"an op of {len(body):,} bytes can't be archived")
        after = chained(after, body)
        parts.append(engine.compress(len(body).to_bytes(4, "big") + after[:MARK] + body))
        last += 1
        size += len(body)
    parts.append(engine.flush())
    packed = b"".join(parts)
    return Segment(first, last, before, after, size, zlib.crc32(packed)), packed


def unpack_segment(segment: Segment, packed: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The rows (step, hash, body) of a segment, as far as they can be read; raises `Spoiled` where they can't."""
    before, step, size = segment.before, segment.first, 0
    for mark, body in _bodies(packed):
        if step > segment.last:
            raise Spoiled(f"it goes on behind step {segment.last}")
        before = chained(before, body)
        if before[:MARK] != mark:
            raise Spoiled(f"step {step} isn't what was archived")
        yield step, before, body
        step += 1
        size += len(body)
    if step - 1 != segment.last:
        raise Spoiled(f"it ends at step {step - 1} instead of {segment.last}")
    if before != segment.after:
        raise Spoiled("its ops don't give the hash that follows it")
    if size != segment.size:
        raise Spoiled(f"its ops have {size:,} bytes instead of {segment.size:,}")
    expect_whole(segment, packed)


def expect_whole(segment: Segment, packed: bytes) -> None:
    """Raise unless these are the bytes that were packed; cheap, for whoever won't read the segment to its end."""
    if zlib.crc32(packed) != segment.check:
        raise Spoiled("the stored bytes don't match their check")


def _bodies(packed: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(mark, body) of each op."""
    engine = zlib.decompressobj()
    held = bytearray()
    for at in range(0, len(packed), BITE):
        try:
            held += engine.decompress(packed[at : at + BITE])
        except zlib.error as error:
            raise Spoiled(f"can't be decompressed: {error}") from error
        yield from _whole(held)
    if held or not engine.eof:
        raise Spoiled("it ends in the middle of an op")


def _whole(held: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """Take the complete ops off the front of `held`."""
    at = 0
    while len(held) - at >= 4 + MARK:
        length = int.from_bytes(held[at : at + 4], "big")
        if not 2 <= length <= LARGEST_BODY:
            raise Spoiled("an op of impossible length")
        body = at + 4 + MARK
        if len(held) - body < length:
            break
        yield bytes(held[at + 4 : body]), bytes(held[body : body + length])
        at = body + length
    del held[:at]
