"""Facts: what an interpreter found in a content or an op, kept outside the chain under a digest of its own.

A fact's key says what it was drawn from: the hash of a content or an op, or several such hashes one behind the other,
so that forgetting any of them finds it. A text that was put together from several readings is no content of the
record; its facts stand under `text:` and the text's hash, and are let go whenever anything is forgotten.

The digest covers what the fact is about and whose it is, not only what it says: a fact that was moved to another
content, interpreter or version is as wrong as one that was edited. On the hook's path.
"""

from __future__ import annotations

from ccos_core.log.packing import Spoiled, pack, unpack
from ccos_core.values.canon import DIGEST_BYTES, NotCanonical, canonical, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Key: TypeAlias = tuple[bytes, str, int]
    """(what it was drawn from, interpreter, version)."""
    Packed: TypeAlias = tuple[bytes, int, int, int, bytes]
    """(digest, size, form, check, stored), as a row has it."""

COMPOSED = b"text:"


def composed_key(text: bytes) -> bytes:
    """The key of a text that is no content of the record."""
    return COMPOSED + digest(text)


def is_composed(key: Any) -> bool:
    """Whether a fact's key is of such a text."""
    return type(key) is bytes and len(key) == len(COMPOSED) + DIGEST_BYTES and key.startswith(COMPOSED)


def drawn_from(key: Any) -> list[bytes]:
    """The hashes a fact's key is made of; none for a composed text, nor for what is no key."""
    if type(key) is not bytes or not key or len(key) % DIGEST_BYTES:
        return []
    return [key[at : at + DIGEST_BYTES] for at in range(0, len(key), DIGEST_BYTES)]


def fact_digest(key: bytes, interpreter: str, version: int, body: bytes) -> bytes:
    """blake3(canonical([key in hex, interpreter, version]) ‖ body)."""
    return digest(canonical([key.hex(), interpreter, version]) + body)


def packed_fact(key: Key, body: bytes) -> Packed:
    """A fact as a row has it."""
    return (fact_digest(*key, body), len(body), *pack(body))


def fact_body(
    key: Any, interpreter: Any, version: Any, digest_: Any, form: Any, check: Any, stored: Any, size: Any
) -> bytes:
    """What a stored fact says. Whatever the row is, it gives that or raises `Spoiled`."""
    body = unpack(form, check, stored, size)
    try:
        if type(key) is bytes and fact_digest(key, interpreter, version, body) == digest_:
            return body
    except NotCanonical:
        pass
    raise Spoiled("isn't what its digest says")
