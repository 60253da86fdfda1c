"""Archive segments: a run of old ops in one compressed piece, chained to what lies before and after it.

    segment = zlib( op op op ... )        op = length as 4 bytes, big-endian ‖ body

A segment needs no hashes of its own inside: the hash before it and the bodies give all of them, and the last must be
the one noted beside it. Kept inside the record or as a file beside it, with the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ccos_core.log.packing import Spoiled
from ccos_core.values.canon import chained

LARGEST_BODY = 64 * 2**20
"""No op comes near this; a length beyond it is damage, not an op."""


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
        parts.append(engine.compress(len(body).to_bytes(4, "big") + body))
        after = chained(after, body)
        last += 1
        size += len(body)
    parts.append(engine.flush())
    packed = b"".join(parts)
    return Segment(first, last, before, after, size, zlib.crc32(packed)), packed


def unpack_segment(segment: Segment, packed: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The rows (step, hash, body) of a segment, as far as they can be read; raises `Spoiled` where they can't."""
    before = segment.before
    step = segment.first
    for body in _bodies(packed):
        before = chained(before, body)
        yield step, before, body
        step += 1
    if step - 1 != segment.last:
        raise Spoiled(f"it ends at step {step - 1} instead of {segment.last}")
    if before != segment.after:
        raise Spoiled("its ops don't give the hash that follows it")
    if zlib.crc32(packed) != segment.check:
        raise Spoiled("the stored bytes don't match their check")


def _bodies(packed: bytes) -> Iterator[bytes]:
    engine = zlib.decompressobj()
    held = bytearray()
    for at in range(0, len(packed), 2**16):
        try:
            held += engine.decompress(packed[at : at + 2**16])
        except zlib.error as error:
            yield from _whole(held)
            raise Spoiled(f"can't be decompressed: {error}") from error
        yield from _whole(held)
    if held or not engine.eof:
        raise Spoiled("it ends in the middle of an op")


def _whole(held: bytearray) -> Iterator[bytes]:
    """Take the complete bodies off the front of `held`."""
    at = 0
    while len(held) - at >= 4:
        length = int.from_bytes(held[at : at + 4], "big")
        if length > LARGEST_BODY:
            raise Spoiled("an op of impossible length")
        if len(held) - at - 4 < length:
            break
        yield bytes(held[at + 4 : at + 4 + length])
        at += 4 + length
    del held[:at]
