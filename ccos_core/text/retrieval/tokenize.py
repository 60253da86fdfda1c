"""Words of code and prose, as a search compares them.

A compound counts as its parts and as itself, whichever way it is joined: `prepareURL`, `prepare_url`, `--prepare-url`
are `prepare`, `url` and one and the same whole. So prose finds it, and whoever spells it out finds nothing else first.
Endings are cut by a few rules that need no dictionary; what matters is that both sides of a comparison are cut alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

_WORD = re.compile(r"\w+(?:-\w+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
LONGEST = 64
"""Characters of a word that is worth comparing: what is longer is data."""
WHOLE = "="
"""Before a compound that counts as itself."""
_JOINTS = str.maketrans("", "", "_-")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
_SHORTEST_STEM = 3
LONGEST_LINE = 1_000
"""Characters of a line whose terms are remembered: some files are one line, and each version of them another."""


def counted(text: str) -> Mapping[str, int]:
    """The terms of a text, with how often each occurs; in the order they are met first."""
    return Counter(met(text))


def met(text: str) -> Iterator[str]:
    """The terms of a text one after the other. No word goes beyond its line, and lines come again: in other versions of
    a file most of them do."""
    lines = text.split("\n")
    told: Callable[[str], Iterable[str]] = _terms_of_line if len(max(lines, key=len)) <= LONGEST_LINE else _terms_of_any
    return chain.from_iterable(map(told, lines))


@lru_cache(maxsize=2**16)
def terms(word: str) -> tuple[str, ...]:
    """What one word counts as: its parts, and itself where it has several."""
    if len(word) > LONGEST:
        return ()
    parts = [part.lower() for part in _PART.findall(word)]
    found = [stem(part) for part in parts if len(part) > 1]
    return (*found, WHOLE + word.translate(_JOINTS).lower()) if len(parts) > 1 else tuple(found)


@lru_cache(maxsize=2**15)
def _terms_of_line(line: str) -> tuple[str, ...]:
    return tuple(_terms_of_any(line))


def _terms_of_any(line: str) -> Iterator[str]:
    return chain.from_iterable(map(terms, _WORD.findall(line)))


def stem(word: str) -> str:
    """A lower-case word without its ending."""
    if len(word) <= _SHORTEST_STEM:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word
