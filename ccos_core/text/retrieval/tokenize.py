"""Words of code and prose, as a search compares them.

A compound counts as its parts and as itself, whichever way it is joined: `prepareURL`, `prepare_url`, `--prepare-url`
are `prepare`, `url` and one and the same whole. So prose finds it, and whoever spells it out finds nothing else first.
Endings are cut by a few rules that need no dictionary; what matters is that both sides of a comparison are cut alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from ccos_core.values.remembered import Remembered

_WORD = re.compile(r"\w+(?:-\w+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
LONGEST = 64
"""Characters of a word that is worth comparing: what is longer is data."""
WHOLE = "="
"""Before a compound that counts as itself."""
_JOINTS = str.maketrans("", "", "_-")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
_SHORTEST_STEM = 3
MOST_PIECES, LONGEST_PIECE = 1 << 16, 200
"""Pieces whose terms are remembered, and characters of one: some files are one piece, and each version of them
another."""


def counted(text: str) -> Mapping[str, int]:
    """The terms of a text, with how often each occurs; in the order they are met first."""
    return Counter(chain.from_iterable(map(terms_of, pieces(text))))


def pieces(text: str) -> list[str]:
    """What stands between white space, beyond which no word goes."""
    return text.split()


@lru_cache(maxsize=2**16)
def terms(word: str) -> tuple[str, ...]:
    """What one word counts as: its parts, and itself where it has several."""
    if len(word) > LONGEST:
        return ()
    parts = [part.lower() for part in _PART.findall(word)]
    found = [stem(part) for part in parts if len(part) > 1]
    return (*found, WHOLE + word.translate(_JOINTS).lower()) if len(parts) > 1 else tuple(found)


def _terms_of(piece: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(terms, _WORD.findall(piece))))


_remembered = Remembered(_terms_of, MOST_PIECES, LONGEST_PIECE)
terms_of = _remembered.__getitem__
"""The terms of a piece one after the other. Pieces come again: in other versions of a file most of them do."""


def stem(word: str) -> str:
    """A lower-case word without its ending."""
    if len(word) <= _SHORTEST_STEM:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word
