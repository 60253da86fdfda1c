"""Archive segments: what was packed comes back with its hashes, and nothing that was done to one goes unseen."""

import dataclasses
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.log.chain import GENESIS
from ccos_core.log.packing import Spoiled
from ccos_core.log.segment import LARGEST_BODY, Segment, expect_whole, pack_segment, unpack_segment
from ccos_core.values.canon import chained
from tests.depth import at_depth

BODIES = st.lists(st.binary(min_size=2, max_size=60), min_size=1, max_size=12)
SMALL = [b"first", b"second" * 9, b"{}"]


def rows_of(segment: Segment, packed: bytes) -> list[tuple[int, bytes, bytes]]:
    return list(unpack_segment(segment, packed))


@given(BODIES, st.integers(1, 10**9), st.binary(min_size=32, max_size=32))
def test_round_trip(bodies: list[bytes], first: int, before: bytes) -> None:
    segment, packed = pack_segment(first, before, bodies)
    expect_whole(segment, packed)
    rows = rows_of(segment, packed)
    assert [row[2] for row in rows] == bodies
    assert [row[0] for row in rows] == list(range(first, first + len(bodies)))
    assert (segment.first, segment.last, segment.before, segment.after) == (first, rows[-1][0], before, rows[-1][1])
    assert segment.size == sum(map(len, bodies))
    for (_, hash_, body), (_, earlier, _) in zip(rows, [(0, before, b""), *rows], strict=False):
        assert hash_ == chained(earlier, body)


def test_every_flipped_bit_is_seen() -> None:
    segment, packed = pack_segment(1, GENESIS, SMALL)
    for bit in range(len(packed) * 8):
        changed = bytearray(packed)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Spoiled):
            rows_of(segment, bytes(changed))
        with pytest.raises(Spoiled):
            expect_whole(segment, bytes(changed))


def test_every_truncation_is_seen() -> None:
    segment, packed = pack_segment(1, GENESIS, SMALL)
    for size in range(len(packed)):
        for check in (segment.check, zlib.crc32(packed[:size])):
            with pytest.raises(Spoiled):
                rows_of(dataclasses.replace(segment, check=check), packed[:size])
    with pytest.raises(Spoiled):
        rows_of(segment, packed + b"x")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_the_op_that_was_changed_is_named(at: int) -> None:
    """Even by somebody who packs it all anew: the ops before it come, and then it is named."""
    segment, packed = pack_segment(1, GENESIS, SMALL)
    plain = zlib.decompress(packed)
    forged = zlib.compress(plain.replace(SMALL[at], SMALL[at].swapcase().replace(b"{", b"[")))
    rows = unpack_segment(dataclasses.replace(segment, check=zlib.crc32(forged)), forged)
    assert [next(rows)[2] for _ in range(at)] == SMALL[:at]
    with pytest.raises(Spoiled, match=f"step {at + 1}"):
        next(rows)


@pytest.mark.parametrize(
    "changed",
    [{"first": 2}, {"last": 2}, {"last": 4}, {"before": bytes(32)}, {"after": bytes(32)}, {"size": 1}, {"check": 1}],
)
def test_every_word_about_it_is_proven(changed: dict[str, Any]) -> None:
    segment, packed = pack_segment(1, GENESIS, SMALL)
    with pytest.raises(Spoiled):
        rows_of(dataclasses.replace(segment, **changed), packed)


@given(st.binary(max_size=80), st.booleans())
def test_garbage_is_spoiled(content: bytes, squeezed: bool) -> None:
    packed = zlib.compress(content) if squeezed else content
    segment = Segment(1, 3, GENESIS, GENESIS, 10, zlib.crc32(packed))
    with pytest.raises(Spoiled):
        rows_of(segment, packed)


@pytest.mark.parametrize("length", [LARGEST_BODY, LARGEST_BODY + 1, 2**32 - 1, 0])
def test_a_bomb_stays_small(length: int) -> None:
    bomb = zlib.compress(length.to_bytes(4, "big") + bytes(at_depth(40, 100) * 2**20), 9)
    tracemalloc.start()
    try:
        with pytest.raises(Spoiled):
            for _ in unpack_segment(Segment(1, 2, GENESIS, GENESIS, 10, zlib.crc32(bomb)), bomb):
                pass
        assert tracemalloc.get_traced_memory()[1] < 8 * LARGEST_BODY
    finally:
        tracemalloc.stop()


def test_what_can_be_read_is_read() -> None:
    """A reader that goes on behind damage gets the ops before it."""
    bodies = [bytes([at]) * 50 for at in range(200)] + [bytes(range(256)) * 400]
    segment, packed = pack_segment(1, GENESIS, bodies)
    rows = unpack_segment(segment, packed[:-40])
    assert [next(rows)[2] for _ in range(200)] == bodies[:200]
    with pytest.raises(Spoiled):
        next(rows)


def test_what_could_not_be_read_is_not_packed() -> None:
    with pytest.raises(ValueError, match="archived"):
        pack_segment(1, GENESIS, [bytes(LARGEST_BODY + 1)])
