"""How bytes lie on disk: compressed where that pays, with a check over what is stored.

Identity is always the digest of the unpacked bytes. zlib's output differs between builds, and its last byte may hold
bits that decode to nothing; the check makes a flip of any stored bit visible all the same. On the hook's path.
"""

from __future__ import annotations

import zlib

RAW, DEFLATED = 0, 1
WORTH_IT = 200
"""Bytes below which compression isn't tried."""


class Spoiled(ValueError):
    """What is stored isn't what was stored."""


def pack(content: bytes) -> tuple[int, int, bytes]:
    """(form, check, stored) of some content."""
    if len(content) >= WORTH_IT:
        # Level 1 costs a third of the default's time for a tenth more bytes: measured on source trees.
        squeezed = zlib.compress(content, 1)
        if len(squeezed) < len(content):
            return DEFLATED, zlib.crc32(squeezed), squeezed
    return RAW, zlib.crc32(content), content


def unpack(form: int, check: int, stored: bytes, size: int) -> bytes:
    """The content again. Never unpacks more than `size` bytes, so a forged row can't fill the memory."""
    if zlib.crc32(stored) != check:
        raise Spoiled("the stored bytes don't match their check")
    if form == RAW:
        content = stored
    elif form == DEFLATED:
        content = _inflate(stored, size)
    else:
        raise Spoiled(f"stored in a form this version doesn't know ({form})")
    if len(content) != size:
        raise Spoiled(f"{len(content):,} bytes where {size:,} were stored")
    return content


def _inflate(stored: bytes, size: int) -> bytes:
    engine = zlib.decompressobj()
    try:
        content = engine.decompress(stored, size + 1)
    except zlib.error as error:
        raise Spoiled(f"can't be decompressed: {error}") from error
    if not engine.eof or engine.unused_data:
        raise Spoiled("the compressed stream doesn't end where it should")
    return content
