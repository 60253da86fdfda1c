"""Logarithms and roots in whole numbers, so that a weight is the same on every machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

UNIT = 1024
"""One, in the fixed point all weights of this room are in."""
STEP = UNIT // 4
"""What is told of all documents together is told in steps of so much. So it stays the same while a few of them become
others, and with it stays every score of all that didn't."""
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
    return max(log2(2 * (documents + 1)) - log2(2 * holding + 1), 0) // STEP * STEP


def roots(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    """The whole parts of square roots: a float comes within one of each, and whole numbers settle it."""
    found = np.sqrt(squares.astype(np.float64)).astype(np.int64)
    found -= found * found > squares
    found += (found + 1) * (found + 1) <= squares
    return found
