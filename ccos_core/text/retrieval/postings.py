"""What one file gives to a search: a small value, made from the file alone, kept and dropped with it.

Terms are words here, numbers only within the value: nothing in it depends on other files or on when it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import intern

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.units import Unit

MOST = 2**16 - 1
"""Occurrences that still count."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The units of one file, and which terms stand where: four columns, a row for each pair of unit and term."""

    symbols: tuple[int, ...]
    terms: tuple[str, ...]
    unit: NDArray[np.int32]
    term: NDArray[np.int32]
    head: NDArray[np.uint16]
    body: NDArray[np.uint16]


def postings(units: Sequence[Unit]) -> Postings:
    """The postings of a file's units."""
    numbers: dict[str, int] = {}
    at: list[int] = []
    term: list[int] = []
    head: list[int] = []
    body: list[int] = []
    for place, unit in enumerate(units):
        found = {**unit.body, **unit.head}
        at += [place] * len(found)
        term += [numbers.setdefault(each, len(numbers)) for each in found]
        head += [unit.head.get(each, 0) for each in found]
        body += [unit.body.get(each, 0) for each in found]
    return Postings(
        tuple([unit.symbol for unit in units]),
        tuple(map(intern, numbers)),
        np.array(at, dtype=np.int32),
        np.array(term, dtype=np.int32),
        _bounded(head),
        _bounded(body),
    )


def _bounded(counts: list[int]) -> NDArray[np.uint16]:
    return np.minimum(np.array(counts, dtype=np.int64), MOST).astype(np.uint16)
