"""How bytes lie on disk: compressed where that pays, with a check over what is stored.

Identity is always the digest of the unpacked bytes. zlib's output differs between builds, and its last byte may hold
bits that decode to nothing; the check makes a flip of any stored bit visible all the same. On the hook's path.
"""

from __future__ import annotations

import zlib

from ccos_core.values.canon import NotCanonical, canonical, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RAW, DEFLATED = 0, 1
WORTH_IT = 200
"""Bytes below which compression isn't tried."""
LARGEST = 16 * 2**20
"""Bytes of one content or fact. The gate bounds contents well below; beyond it lies a mistake, or a forgery."""


class Spoiled(ValueError):
    """What is stored isn't what was stored."""


def pack(content: bytes) -> tuple[int, int, bytes]:
    """(form, check, stored) of some content."""
    if len(content) > LARGEST:
        raise ValueError(f"{len(content):,} bytes are more than the {LARGEST:,} one content may have")
    if len(content) >= WORTH_IT:
        # Level 1 costs a third of the default's time for a tenth more bytes: measured on source trees.
        squeezed = zlib.compress(content, 1)
        if len(squeezed) < len(content):
            return DEFLATED, zlib.crc32(squeezed), squeezed
    return RAW, zlib.crc32(content), content


def unpack(form: int, check: int, stored: bytes, size: int) -> bytes:
    """The content again. Whatever the four are, and wherever from, it gives that or raises `Spoiled`; and it never
    unpacks more than `LARGEST` bytes, so a forged row can't fill the memory."""
    if type(stored) is not bytes or type(size) is not int or not 0 <= size <= LARGEST:
        raise Spoiled("what is stored has no such shape")
    if not is_whole(check, stored):
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


def is_whole(check: int, stored: bytes) -> bool:
    """Whether stored bytes are those that were stored."""
    return zlib.crc32(stored) == check


def unpacked(name: bytes, size: int, form: int, check: int, stored: bytes) -> bytes:
    """A content by its name, from its row; raises `Spoiled` where it isn't that any more."""
    content = unpack(form, check, stored, size)
    if digest(content) != name:
        raise Spoiled("isn't what its hash says")
    return content


def row_check(*cells: bytes | int | str) -> int:
    """A check over a row that nothing else proves: crc32 of its cells as a canonical list, bytes in hex."""
    return zlib.crc32(canonical([cell.hex() if type(cell) is bytes else cell for cell in cells]))


def row_holds(check: Any, *cells: Any) -> bool:
    """Whether a row, whatever is in it, is as it was."""
    try:
        return bool(row_check(*cells) == check)
    except NotCanonical:
        return False


def _inflate(stored: bytes, size: int) -> bytes:
    engine = zlib.decompressobj()
    try:
        content = engine.decompress(stored, size + 1)
    except zlib.error as error:
        raise Spoiled(f"can't be decompressed: {error}") from error
    if not engine.eof or engine.unused_data:
        raise Spoiled("the compressed stream doesn't end where it should")
    return content
