"""The chain names its first break, whatever was done to it, and a longer chain starts as the shorter one did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.values.canon import chained, digest

Row = tuple[int, bytes, bytes]
BODIES = st.lists(st.binary(max_size=12), min_size=1, max_size=8)


def chain(bodies: list[bytes], before: bytes = GENESIS, first: int = 1) -> list[Row]:
    rows = []
    for step, body in enumerate(bodies, first):
        before = chained(before, body)
        rows.append((step, before, body))
    return rows


def first_break(rows: list[Row]) -> Break | None:
    *_, last = [None, *follow(GENESIS, rows)]
    return last if isinstance(last, Break) else None


def test_genesis() -> None:
    assert digest(b"ccos record 1\n") == GENESIS


@given(BODIES)
def test_a_chain_is_one(bodies: list[bytes]) -> None:
    rows = chain(bodies)
    assert list(follow(GENESIS, rows)) == rows


@given(BODIES, BODIES)
def test_prefixes_are_stable(bodies: list[bytes], more: list[bytes]) -> None:
    rows = chain(bodies)
    longer = chain(bodies + more)
    assert longer[: len(rows)] == rows
    step, head, _ = rows[-1]
    assert longer[len(rows) :] == chain(more, head, step + 1)
    assert list(follow(head, longer[len(rows) :], step + 1)) == longer[len(rows) :]


@given(BODIES, st.data())
def test_a_changed_bit_is_named(bodies: list[bytes], data: st.DataObject) -> None:
    rows = chain([body + b"." for body in bodies])
    at = data.draw(st.integers(0, len(rows) - 1))
    part = data.draw(st.sampled_from([1, 2]))
    row: list[int | bytes] = list(rows[at])
    bit = data.draw(st.integers(0, len(rows[at][part]) * 8 - 1))
    row[part] = flipped(rows[at][part], bit)  # type: ignore[arg-type]
    found = first_break([*rows[:at], tuple(row), *rows[at + 1 :]])  # type: ignore[list-item]
    assert found is not None
    assert found.step == at + 1
    assert found.expected != found.found
    assert f"step {at + 1}" in repr(found)


@given(BODIES, st.data())
def test_a_dropped_row_is_named(bodies: list[bytes], data: st.DataObject) -> None:
    rows = chain(bodies)
    at = data.draw(st.integers(0, len(rows) - 1))
    found = first_break(rows[:at] + rows[at + 1 :])
    if at == len(rows) - 1:
        assert found is None  # a prefix is a chain: only a head kept elsewhere tells
    else:
        assert found is not None
        assert found.step == at + 1


@given(BODIES, st.binary(max_size=12), st.data())
def test_a_row_put_in_is_named(bodies: list[bytes], body: bytes, data: st.DataObject) -> None:
    rows = chain(bodies)
    at = data.draw(st.integers(0, len(rows) - 1))
    before = rows[at - 1][1] if at else GENESIS
    found = first_break([*rows[:at], (at + 1, chained(before, body), body), *rows[at:]])
    assert found is not None
    assert found.step == at + 2
    renumbered = [(step + 1, hash_, each) for step, hash_, each in rows[at:]]
    found = first_break([*rows[:at], (at + 1, chained(before, body), body), *renumbered])
    assert found is not None
    assert found.step == at + 2


@given(BODIES, st.data())
def test_swapped_rows_are_named(bodies: list[bytes], data: st.DataObject) -> None:
    rows = chain([bytes([at]) + body for at, body in enumerate(bodies)])
    one, other = sorted(data.draw(st.tuples(*[st.integers(0, len(rows) - 1)] * 2)))
    if one == other:
        return
    changed = list(rows)
    changed[one], changed[other] = rows[other], rows[one]
    found = first_break(changed)
    assert found is not None
    assert found.step == one + 1
    changed[one] = (one + 1, *rows[other][1:])
    changed[other] = (other + 1, *rows[one][1:])
    found = first_break(changed)
    assert found is not None
    assert found.step == one + 1


@pytest.mark.parametrize("hash_", [b"", b"short", GENESIS + b"x"])
def test_a_hash_of_another_size_is_a_break(hash_: bytes) -> None:
    found = first_break([(1, hash_, b"x")])
    assert found is not None
    assert found.found == hash_.hex() or found.expected == hash_.hex()


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
