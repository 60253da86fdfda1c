"""Heat as exact numbers that cool without being touched.

All heat decays at one rate, so instead of cooling everything at every tick, an impulse given later counts for more:
one at tick `t` is worth 2^(t / half-life). Nothing moves between touches, and the order of any two nodes is the order
of two numbers on any machine.

A heat is one integer: a binary exponent in the high bits, a mantissa of `BITS` bits in the low ones, its highest bit
always set; nothing at all is 0. So the order of heats is the order of integers, they fit 64 bits for sixteen million
ticks at a half-life of 32, and there is no rounding but the one written here: what doesn't fit the mantissa is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

BITS = 44
ONE = 64 << BITS | 1 << (BITS - 1)
"""The heat of one impulse at tick 0. Its exponent leaves room below for what is a small part of it."""
HIGHEST = (1 << 63 - BITS) - (1 << 8) << BITS | 1 << (BITS - 1)
"""Where a clock should run wild, impulses stop growing here: what is added up of them still fits 64 bits."""
_MANTISSA = (1 << BITS) - 1
_FINE = 96
"""Bits behind the point while the table of growth is worked out."""


def impulse(tick: int, half_life: int, base: int = ONE) -> int:
    """What an impulse is worth that many ticks after one was worth `base`."""
    doublings, part = divmod(tick, half_life)
    mantissa = (base & _MANTISSA) * ((1 << (BITS - 1)) + _growth(half_life)[part]) >> (BITS - 1)
    over = mantissa >> BITS
    return (base >> BITS) + doublings + over << BITS | mantissa >> over


def add(one: int, other: int) -> int:
    """Both together."""
    if one < other:
        one, other = other, one
    if other == 0:
        return one
    shift = (one >> BITS) - (other >> BITS)
    mantissa = (one & _MANTISSA) + ((other & _MANTISSA) >> shift)
    exponent = one >> BITS
    if mantissa >> BITS:
        mantissa >>= 1
        exponent += 1
    return exponent << BITS | mantissa


def scaled(heat: int, times: int, parts: int = 0) -> int:
    """`heat` · `times` / 2^`parts`."""
    mantissa = (heat & _MANTISSA) * times
    shift = mantissa.bit_length() - BITS
    exponent = (heat >> BITS) + shift - parts
    if mantissa <= 0 or exponent <= 0:
        return 0
    return exponent << BITS | (mantissa >> shift if shift >= 0 else mantissa << -shift)


def total(heats: Iterable[int]) -> int:
    """All of them together, added in the order given: cutting off makes the order matter."""
    found = 0
    for heat in heats:
        found = add(found, heat)
    return found


def within(heat: int, best: int, halvings: int) -> bool:
    """Whether a heat is at least the best one halved so many times: what a window's stop rule asks."""
    return heat > 0 and heat >= best - (halvings << BITS)


@lru_cache(maxsize=16)
def _growth(half_life: int) -> tuple[int, ...]:
    """What 2^(part / half-life) adds to the mantissa of one, for each part of a half-life; in integers alone."""
    ln_2 = sum((1 << _FINE) // (term << term) for term in range(1, _FINE))
    one = 1 << _FINE
    return tuple((_exponential(ln_2 * part // half_life) - one) >> (_FINE - BITS + 1) for part in range(half_life))


def _exponential(power: int) -> int:
    """e^power, both in parts of 2^-_FINE; the series until nothing is added any more."""
    found = term = 1 << _FINE
    at = 0
    while term:
        at += 1
        term = term * power // at >> _FINE
        found += term
    return found
