"""Heat by the column: the very numbers of `state.heat` and `World.score`, for many nodes at once.

Integers throughout, each step the one that is taken for a single heat; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccos_core.state.heat import BITS
from ccos_core.state.rules import CAUSES

Heats = NDArray[np.int64]

_MANTISSA = np.uint64((1 << BITS) - 1)
_BITS = np.uint64(BITS)
_FOUR = 4


def scores(heats: Sequence[Heats], priors: Heats, weights: Mapping[str, int]) -> Heats:
    """The score of each node, from its heats in the order of CAUSES and its prior."""
    found = np.zeros(len(priors), np.int64)
    for cause, heat in zip(CAUSES, heats, strict=True):
        if heat.any():
            found = added(found, scaled(heat, weights[cause], _FOUR))
    return scaled(found, priors, _FOUR)


def added(one: Heats, other: Heats) -> Heats:
    """Both together, row by row."""
    more, less = np.maximum(one, other), np.minimum(one, other)
    apart = np.minimum((more >> BITS) - (less >> BITS), 63).astype(np.uint64)
    mantissa = (more.view(np.uint64) & _MANTISSA) + ((less.view(np.uint64) & _MANTISSA) >> apart)
    over = mantissa >> _BITS
    mantissa >>= over
    return np.where(less == 0, more, _joined((more >> BITS) + over.astype(np.int64), mantissa))


def scaled(heat: Heats, times: int | Heats, parts: int = 0) -> Heats:
    """`heat` · `times` / 2^`parts`, row by row."""
    factors = np.broadcast_to(np.asarray(times, np.int64), heat.shape)
    lengths = np.maximum(_bit_lengths(factors), 1)
    product = (heat.view(np.uint64) & _MANTISSA) * factors.astype(np.uint64)
    longer = product >> (lengths + (BITS - 1)).astype(np.uint64)  # it has as many bits as both together, or one less
    shift = lengths - 1 + longer.astype(np.int64)
    exponent = (heat >> BITS) + shift - parts
    return np.where((product > 0) & (exponent > 0), _joined(exponent, product >> shift.astype(np.uint64)), 0)


def _joined(exponent: Any, mantissa: Any) -> Heats:
    joined: Heats = (exponent << BITS) | mantissa.astype(np.int64)
    return joined


def _bit_lengths(numbers: Heats) -> Heats:
    """Of small numbers, where a float is exact."""
    return np.frexp(numbers.astype(np.float64))[1].astype(np.int64)
