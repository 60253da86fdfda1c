"""One value, one spelling: canonical bytes round-trip, and whatever has no place in them is refused by name."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.canon import (
    DEEPEST,
    LARGEST_INT,
    NotCanonical,
    canonical,
    chained,
    digest,
    parse,
    parse_known,
    spelled,
)

TEXT = st.text(max_size=20)
INTS = st.integers(-LARGEST_INT, LARGEST_INT)
VALUES = st.recursive(
    st.booleans() | INTS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_round_trip(value: Any) -> None:
    body = canonical(value)
    assert parse(body) == value
    assert canonical(parse(body)) == body


@given(VALUES)
def test_what_is_known_to_be_canonical_is_read_alike(value: Any) -> None:
    assert parse_known(canonical(value)) == value


@pytest.mark.parametrize("body", [b"", b"nul", b"{}x", b"[1,", b"\xff", b"[" * 100_000])
def test_what_is_no_value_is_said_alike(body: bytes) -> None:
    with pytest.raises(NotCanonical) as known:
        parse_known(body)
    with pytest.raises(NotCanonical) as other:
        parse(body)
    assert str(known.value) == str(other.value)


@given(VALUES)
def test_what_was_put_together_here_is_spelled_alike(value: Any) -> None:
    assert spelled(value) == canonical(value)


@given(VALUES)
def test_other_spellings_are_refused(value: Any) -> None:
    """Any other JSON text of the same value is not its spelling."""
    body = canonical(value)
    for other in (
        json.dumps(value, indent=1).encode(),
        json.dumps(value, ensure_ascii=True).encode(),
        b" " + body,
        body + b"\n",
        b"\xef\xbb\xbf" + body,
        body.decode().encode("utf-16"),
    ):
        if other != body:
            with pytest.raises(NotCanonical):
                parse(other)


@given(st.dictionaries(TEXT, INTS, min_size=2, max_size=5), st.randoms())
def test_the_order_of_keys_is_of_no_account(value: dict[str, int], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical(dict(items)) == canonical(value)
    assert canonical(tuple(items)) == canonical([list(item) for item in items])


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.0,
        float("nan"),
        float("inf"),
        b"bytes",
        {1: 2},
        {None: 1},
        {("a",): 1},
        {"a": None},
        [1, [2, [0.5]]],
        {1, 2},
        LARGEST_INT + 1,
        -LARGEST_INT - 1,
        10**5_000,
        "\ud800",
        {"\udfff": 1},
        ["a\udc80b"],
        object(),
        type("Number", (int,), {})(3),
        type("Text", (str,), {})("a"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_strangers_are_refused(value: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical(value)


def test_nesting_has_an_end() -> None:
    value: Any = 1
    for _ in range(DEEPEST):
        value = [value]
    assert parse(canonical(value)) == value
    with pytest.raises(NotCanonical, match="nested"):
        canonical([value])
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotCanonical, match="nested"):
        canonical(endless)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"1.0",
        b"1e3",
        b"-0",
        b"01",
        b"+1",
        b"NaN",
        b"Infinity",
        b"9223372036854775808",
        b"1" * 5_000,
        b'{"a":1,"a":1}',
        b'{"b":1,"a":2}',
        b'{"a": 1}',
        b'"\\u0041"',
        b'"\\/"',
        b'"\\u001B"',
        b'"\\ud800"',
        b'"\xed\xa0\x80"',
        b'"\xff"',
        b"[1,]",
        b"1 2",
        b"[" * 100_000,
        b"[" * 70 + b"]" * 70,
        b"\x00",
    ],
    ids=repr,
)
def test_bytes_that_spell_nothing(body: bytes) -> None:
    with pytest.raises(NotCanonical):
        parse(body)


@given(st.binary(max_size=60))
def test_garbage_is_refused_or_canonical(body: bytes) -> None:
    with contextlib.suppress(NotCanonical):
        assert canonical(parse(body)) == body


def test_a_chained_hash_is_of_both() -> None:
    assert chained(digest(b"a"), b"b") == digest(digest(b"a") + b"b")
    assert len(digest(b"")) == 32
