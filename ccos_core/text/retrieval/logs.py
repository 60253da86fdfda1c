"""Logarithms in whole numbers, so that a weight is the same on every machine."""

from __future__ import annotations

from functools import lru_cache

UNIT = 1024
"""One, in the fixed point all weights of this room are in."""
_BITS = 10
_MANTISSA = 31


def log2(number: int) -> int:
    """The binary logarithm of a number from 1 on, in 1024ths, rounded down."""
    whole = number.bit_length() - 1
    mantissa = (number << _MANTISSA) >> whole
    found = whole
    for _ in range(_BITS):
        mantissa = mantissa * mantissa >> _MANTISSA
        found <<= 1
        if mantissa >> (_MANTISSA + 1):
            mantissa >>= 1
            found += 1
    return found


@lru_cache(maxsize=2**14)
def rarity(documents: int, holding: int) -> int:
    """How much a term says that so many of the documents hold: the less, the more do."""
    return max(log2(2 * (documents + 1)) - log2(2 * holding + 1), 0)
