"""Facts: what an interpreter found in a content or an op, kept outside the chain under a digest of its own.

The digest covers what the fact is about and whose it is, not only what it says: a fact that was moved to another
content, interpreter or version is as wrong as one that was edited. On the hook's path.
"""

from __future__ import annotations

from ccos_core.log.packing import Spoiled, unpack
from ccos_core.values.canon import NotCanonical, canonical, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def fact_digest(key: bytes, interpreter: str, version: int, body: bytes) -> bytes:
    """blake3(canonical([key in hex, interpreter, version]) ‖ body)."""
    return digest(canonical([key.hex(), interpreter, version]) + body)


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
