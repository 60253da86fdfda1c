"""What is stored comes back, or `Spoiled` says that it doesn't: no other error, no flipped bit unseen, no bomb."""

import contextlib
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.log.packing import DEFLATED, LARGEST, RAW, Spoiled, pack, row_check, row_holds, unpack

CONTENTS = st.binary(max_size=300) | st.text(max_size=5).map(lambda text: text.encode() * 100)
LONG = b"def f():\n    return 1\n" * 20


@given(CONTENTS)
@example(b"")
@example(LONG)
@example(bytes(range(256)) * 3)
def test_round_trip(content: bytes) -> None:
    form, check, stored = pack(content)
    assert unpack(form, check, stored, len(content)) == content
    assert len(stored) <= len(content)


def test_compressed_where_that_pays() -> None:
    assert pack(LONG)[0] == DEFLATED
    assert pack(b"x" * 199)[0] == RAW
    assert pack(zlib.compress(LONG * 9, 9) * 2)[0] in (RAW, DEFLATED)


@pytest.mark.parametrize("content", [b"x", b"x = 1\n", LONG, bytes(200)], ids=len)
def test_every_flipped_bit_is_seen(content: bytes) -> None:
    form, check, stored = pack(content)
    for bit in range(len(stored) * 8):
        with pytest.raises(Spoiled):
            unpack(form, check, flipped(stored, bit), len(content))
    for bit in range(32):
        with pytest.raises(Spoiled):
            unpack(form, check ^ 1 << bit, stored, len(content))
    for bit in range(62):
        with pytest.raises(Spoiled):
            unpack(form, check, stored, len(content) ^ 1 << bit)
        with pytest.raises(Spoiled):
            unpack(form ^ 1 << bit, check, stored, len(content))


@pytest.mark.parametrize("content", [b"x = 1\n", LONG], ids=len)
def test_every_truncation_is_seen(content: bytes) -> None:
    form, check, stored = pack(content)
    for size in range(len(stored)):
        with pytest.raises(Spoiled):
            unpack(form, check, stored[:size], len(content))
        with pytest.raises(Spoiled):  # ... with a check that was made to fit, too
            unpack(form, zlib.crc32(stored[:size]), stored[:size], len(content))


ANYTHING = st.none() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=40)


@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
@example(DEFLATED, zlib.crc32(b""), b"", -1)
@example(RAW, 0, b"", 2**64)
def test_garbage_is_spoiled(form: Any, check: Any, stored: Any, size: Any) -> None:
    with contextlib.suppress(Spoiled):
        assert unpack(form, check, stored, size) == stored


@given(st.integers(0, 3), st.binary(max_size=60), st.integers(-2, 80))
def test_garbage_with_a_fitting_check(form: int, stored: bytes, size: int) -> None:
    with contextlib.suppress(Spoiled):
        assert len(unpack(form, zlib.crc32(stored), stored, size)) == size


@pytest.mark.parametrize("size", [10, LARGEST, LARGEST + 1, 2**40, 2**63 - 1, 2**63])
def test_a_bomb_stays_small(size: int) -> None:
    bomb = zlib.compress(bytes(64 * 2**20), 9)
    tracemalloc.start()
    try:
        with pytest.raises(Spoiled):
            unpack(DEFLATED, zlib.crc32(bomb), bomb, size)
        assert tracemalloc.get_traced_memory()[1] < 3 * LARGEST
    finally:
        tracemalloc.stop()


def test_too_large_is_never_stored() -> None:
    with pytest.raises(ValueError, match="more than"):
        pack(bytes(LARGEST + 1))
    content = bytes(LARGEST)
    assert unpack(*pack(content), len(content)) == content


@given(st.lists(st.integers(-(2**63) + 1, 2**63 - 1) | st.text(max_size=5) | st.binary(max_size=9), max_size=4))
def test_a_rows_check_is_of_all_its_cells(cells: list[Any]) -> None:
    check = row_check(*cells)
    assert row_holds(check, *cells)
    for at, cell in enumerate(cells):
        other = cell + 1 if type(cell) is int else cell + type(cell)(b"x" if type(cell) is bytes else "x")
        assert not row_holds(check, *cells[:at], other, *cells[at + 1 :])
        assert not row_holds(check, *cells[:at], None, *cells[at + 1 :])
    assert not row_holds(None, *cells)
    assert not row_holds(str(check), *cells)


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
