"""Vectors of texts in whole numbers: near are texts whose words have parts in common. No model of a language is asked.

    vectors_of(["reconnect after a timeout"])          # one row of SIZE numbers from -127 to 127
    closeness(vectors_of(["reconnecting"])[0], rows)   # square of the cosine, in millionths

The parts of a word are its letters in threes, so other forms of it and misspellings are near; synonyms aren't. The same
text has the same vector on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.talk import said_terms
from ccos_core.values.canon import digest

Vectors: TypeAlias = NDArray[np.int8]
Numbers: TypeAlias = NDArray[np.int64]

MODEL = "wordparts/1"
SIZE = 128
PART_LETTERS = 3
MOST_OFTEN = 3
"""How often a word counts at most."""
LARGEST = 127
MILLION = 1_000_000
KNOWN_TERMS = 1 << 16


def vectors_of(texts: Sequence[str]) -> Vectors:
    """Return a row for each text; zeros for one without words."""
    found = np.zeros((len(texts), SIZE), np.int64)
    for row, text in enumerate(texts):
        for term, often in Counter(said_terms(text)).items():
            found[row] += min(often, MOST_OFTEN) * _of_term(term)
    most = np.maximum(np.abs(found).max(axis=1, initial=0), 1)[:, None]
    scaled: Vectors = (np.sign(found) * (np.abs(found) * LARGEST // most)).astype(np.int8)
    return scaled


def closeness(vector: Vectors, rows: Vectors) -> Numbers:
    """Return the square of the cosine of each row with a vector, in millionths; negative where the cosine is."""
    one, many = vector.astype(np.int32), rows.astype(np.int32)  # wide enough: SIZE * LARGEST ** 2 is 2 million
    dots: Numbers = (many @ one).astype(np.int64)
    norms = np.maximum(np.einsum("ij,ij->i", many, many).astype(np.int64) * int(one @ one), 1)
    found: Numbers = np.sign(dots) * (dots * dots * MILLION // norms)
    return found


@lru_cache(maxsize=KNOWN_TERMS)
def _of_term(term: str) -> Numbers:
    """Add up the parts of a word: each is a place and a sign, by its hash."""
    found = np.zeros(SIZE, np.int64)
    whole = f"<{term}>"
    for start in range(max(len(whole) - PART_LETTERS, 0) + 1):
        place, sign = digest(whole[start : start + PART_LETTERS].encode("utf-8", "surrogatepass"))[:2]
        found[place % SIZE] += 1 if sign % 2 else -1
    found.flags.writeable = False
    return found
