"""Canonical bytes and their digest: the only place where bytes become identity.

A value has exactly one spelling: JSON with keys sorted by code point, no spaces, UTF-8 without escapes that aren't
needed, integers of 64 bits, no floats and no null. Two programs that agree on a value therefore agree on its
hash, on any machine. `docs/FORMAT.md` states the grammar; `tests/golden` holds vectors.

On the hook's path: imports json and blake3, nothing heavier.
"""

from __future__ import annotations

import json

from blake3 import blake3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DIGEST_BYTES = 32
LARGEST_INT = 2**63 - 1
DEEPEST = 64
"""How far values may nest. Foreign values can nest without end; ours never come near this."""

_encode = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
_decode = json.JSONDecoder().raw_decode


class NotCanonical(ValueError):
    """The value, or the bytes, have no place in the canonical form."""


def plain(value: Any) -> Any:
    """Return a value as canonical JSON knows it: lists for tuples, and no keys whose value is None."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items() if each is not None}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def canonical(value: Any) -> bytes:
    """The one spelling of `value`."""
    _refuse_strangers(value, DEEPEST)
    return spelled(value)


def spelled(value: Any) -> bytes:
    """The same for a value put together here of words, whole numbers and lists: there is no stranger in it to be looked
    for, which takes longer than to write it down."""
    try:
        return _encode(value).encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotCanonical(f"a lone surrogate has no UTF-8 form: {error.object[error.start]!a}") from error


def parse(body: bytes) -> Any:
    """The value that `body` spells; raises if `body` isn't the one spelling of it."""
    value = _loaded(body)
    if canonical(value) != body:
        raise NotCanonical("a spelling that isn't the canonical one")
    return value


def parse_known(body: bytes) -> Any:
    """The same for bytes whose digest was just found to be right: what has the hash of something canonical is it. So
    nobody looks for another encoding, or for space around it, unless it can't be read."""
    try:
        text = body.decode("utf-8", "surrogatepass")
        value, end = _decode(text)
    except (ValueError, RecursionError):
        return _loaded(body)
    return value if end == len(text) else _loaded(body)


def digest(body: bytes) -> bytes:
    """The identity of some bytes: 32 bytes of blake3."""
    return blake3(body).digest()


def chained(before: bytes, body: bytes) -> bytes:
    """The hash that follows `before` in a chain when `body` is appended."""
    return blake3(before + body).digest()


def _loaded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"not JSON: {error}") from error


def _refuse_strangers(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is str or kind is bool:
        return
    if kind is int:
        if not -LARGEST_INT <= value <= LARGEST_INT:
            raise NotCanonical("an integer that doesn't fit 64 bits")
        return
    if depth == 0:
        raise NotCanonical(f"nested deeper than {DEEPEST}")
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise NotCanonical(f"a key that isn't text: {key!r}")
            if type(item) is not str:
                _refuse_strangers(item, depth - 1)
    elif kind is list or kind is tuple:
        for item in value:
            # Most are words and numbers, and a call for each of them takes longer than to write them down.
            if type(item) is not str and not (type(item) is int and -LARGEST_INT <= item <= LARGEST_INT):
                _refuse_strangers(item, depth - 1)
    else:
        raise NotCanonical(f"{kind.__name__} has no canonical form")
