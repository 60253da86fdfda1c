"""Lines to messages and back."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.serve.mcp import wire
from ccos_core.serve.mcp.wire import Batch, Note, Request, Unfit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The data in pieces, none of them empty: an empty one is the end."""
    marks = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[begin:end] for begin, end in pairwise(marks)]


def lines(pieces: list[bytes]) -> list[bytes | None]:
    return list(wire.lines(iter([*pieces, b""]).__next__))


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.lists(st.integers(0, 99), max_size=5))
def test_lines_are_the_same_however_they_arrive(data: bytes, places: list[int]) -> None:
    expected = data.split(b"\n")
    assert lines(cut(data, places)) == (expected if expected[-1] else expected[:-1])


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=6), st.integers(1, 9))
def test_a_line_that_is_too_long_is_skipped_alone(said: list[bytes], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "LONGEST", 5)
        data = b"".join(line + b"\n" for line in said)
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert lines(pieces) == [line if len(line) <= 5 else None for line in said]


@given(JSON)
def test_a_message_is_one_line_and_comes_back(message: object) -> None:
    line = wire.encoded(message)
    assert len(line.decode().splitlines()) <= 1
    assert json.loads(line) == message


def test_half_a_character_leaves_as_an_escape() -> None:
    assert wire.encoded({"half \ud83d": "½"}) == b'{"half \\ud83d":"\\u00bd"}'


def test_line_ends_of_unicode_are_escaped() -> None:
    assert wire.encoded("a\u2028b\u2029c\x85\r\n") == b'"a\\u2028b\\u2029c\\u0085\\r\\n"'


def message(said: object) -> object:
    return wire.message_of(json.dumps(said).encode())


def test_a_request() -> None:
    said = message({"jsonrpc": "2.0", "id": "x", "method": "m", "params": {"a": 1}})
    assert isinstance(said, Request)
    assert (said.key, said.method, said.params, said.stopped) == ("x", "m", {"a": 1}, False)


def test_a_note_with_params_of_the_wrong_kind_is_heeded_without_them() -> None:
    said = message({"jsonrpc": "2.0", "method": "m", "params": [1]})
    assert isinstance(said, Note)
    assert said.params == {}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" \r",
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    ],
)
def test_what_asks_nothing_is_met_with_silence(line: bytes) -> None:
    assert wire.message_of(line) is None


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        (b"{", wire.NOT_JSON, None),
        (b'{"id":1}x', wire.NOT_JSON, None),
        (b"\xff\xfe", wire.NOT_JSON, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', wire.NOT_JSON, None),
        (b"[" * 100_000, wire.NOT_JSON, None),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, wire.NOT_JSON, None),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"m"}', wire.NOT_JSON, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":NaN}}', wire.NOT_JSON, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":1e999}}', wire.NOT_JSON, None),
        (b"1", wire.NO_REQUEST, None),
        (b'"x"', wire.NO_REQUEST, None),
        (b"[]", wire.NO_REQUEST, None),
        (b"[" + b"1," * wire.MOST + b"1]", wire.NO_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":7}', wire.NO_REQUEST, 7),
        (b'{"jsonrpc":"1.0","id":7,"method":"m"}', wire.NO_REQUEST, 7),
        (b'{"id":7,"method":"m"}', wire.NO_REQUEST, 7),
        (b'{"jsonrpc":"2.0","id":7,"method":3}', wire.NO_REQUEST, 7),
        (b'{"jsonrpc":"2.0","id":null,"method":"m"}', wire.NO_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"m"}', wire.NO_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"m"}', wire.NO_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":[1],"method":"m"}', wire.NO_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"\\ud83d"}}', wire.NO_REQUEST, 7),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else str(value),
)
def test_what_is_no_message_is_told_so(line: bytes, code: int, key: object) -> None:
    said = wire.message_of(line)
    assert isinstance(said, Unfit)
    assert (said.refusal.code, said.key) == (code, key)
    assert len(wire.encoded(wire.refused(said.key, said.refusal))) < 400


def test_escapes_that_make_whole_characters_are_fine() -> None:
    assert isinstance(wire.message_of(b'{"jsonrpc":"2.0","id":7,"method":"\\ud83d\\ude00"}'), Request)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert isinstance(wire.message_of(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":7,"method":"m"}\r'), Request)


def test_a_batch_keeps_its_order_and_drops_what_asks_nothing() -> None:
    said = message(
        [{"jsonrpc": "2.0", "id": 1, "method": "m"}, {"id": 2, "result": 1}, 3, [], {"jsonrpc": "2.0", "method": "n"}]
    )
    assert isinstance(said, Batch)
    assert [type(part) for part in said.messages] == [Request, Unfit, Unfit, Note]
