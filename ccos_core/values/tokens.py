"""How many tokens a text takes: an estimate that is the same everywhere, and additive over lines.

No tokenizer is asked, since a replay may not depend on which one is installed. Each piece of a line (a hump of an
identifier, a run of digits, punctuation, space) has a weight in 64ths of a token; the weights were fitted once to a
real vocabulary over sources, prose, JSON and logs. `docs/PERFORMANCE.md` tells the error. Version `est/1`: another
weight is another version, and an epoch's matter.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ccos_core.values.remembered import Remembered

VERSION = 1
UNIT = 58
"""Parts that make one token. The weights were fitted to 64; dividing by less errs on the side of a smaller window."""

_PIECE = re.compile(  # what there is most of first, for those before it are tried in vain
    r"[a-z]+|[ \t]+|[!-/:-@\[-^`{-~\x00-\x08\x0e-\x1f\x7f]+|_+|[A-Z][a-z]+|[A-Z]+(?![a-z])|[0-9]{1,3}|[^\x00-\x7f]+"
)
_LINE = 44
_LETTERS = (0, 58, 58, 58, 58, 37, 37, 74, 74, 114, 114, 114)
_LETTERS_BEYOND = 21
_CAPITALS = 27
_DIGITS = 78
_SPACES, _TABS = 46, 10
_UNDERSCORE = 8
_MARKS = (0, 58, 56, 62)
_MARKS_BEYOND = 5
_SCRIPTS = (
    *((0x370, 66), (0x400, 68), (0x500, 45), (0x590, 134), (0x600, 79), (0x700, 68), (0x900, 160), (0xA00, 85)),
    *((0xE00, 128), (0xE80, 62), (0x1780, 140), (0x1800, 110), (0x1E00, 180), (0x1F00, 72), (0x2000, 190)),
    *((0x2070, 64), (0x2C00, 110), (0x3000, 190), (0xA000, 72), (0xAC00, 190), (0xD800, 70), (0x110000, 160)),
)
"""Where a stretch of Unicode ends, and what a character of it takes: Latin, Greek, Cyrillic, ..., emoji. What a
vocabulary has seen little of, it spells byte by byte."""
_ENDS = tuple(end for end, _ in _SCRIPTS)
BYTES = 7, 2
"""So many bytes make so many tokens, where nothing but the size of a text is known."""
MOST_PIECES, LONGEST_PIECE = 1 << 15, 40
"""Pieces whose weights are remembered, and characters of one: some texts are one piece."""
MOST_LINES, LONGEST_LINE = 1 << 15, 400
"""Lines whose parts are remembered, and characters of one: versions of a file have most lines in common."""


def _weigh_line(line: str) -> int:
    return _LINE + sum(map(_weight_of, _PIECE.findall(line)))


def _weight(piece: str) -> int:
    first = piece[0]
    size = len(piece)
    if first > "\x7f":
        return sum(_SCRIPTS[bisect_right(_ENDS, ord(ch))][1] for ch in piece)
    if first.isalpha():
        letters = _LETTERS[size] if size < 12 else _LETTERS[11] + _LETTERS_BEYOND * (size - 11)
        return letters + (_CAPITALS if size > 1 and piece[1] < "a" else 0)
    if first.isdigit():
        return _DIGITS
    if first == "_":
        return _UNDERSCORE
    if first in " \t":
        return _TABS if "\t" in piece else _SPACES if size > 1 else 0
    return _MARKS[size] if size < 4 else _MARKS[3] + _MARKS_BEYOND * (size - 3)


_weight_of = Remembered(_weight, MOST_PIECES, LONGEST_PIECE).__getitem__
line_parts = Remembered(_weigh_line, MOST_LINES, LONGEST_LINE).__getitem__
"""What one line takes, its end included, in parts of a token."""


def text_parts(text: str) -> int:
    """What a text takes, in parts: the sum over its lines."""
    return sum(map(line_parts, text.split("\n")))


def tokens(parts: int) -> int:
    """Whole tokens, rounded up."""
    return -(-parts // UNIT)


def estimate(text: str) -> int:
    """Tokens of a text."""
    return tokens(text_parts(text))


def by_size(size: int) -> int:
    """Tokens of a text of so many bytes that nobody reads for this: for what was delivered to others, of which there
    is much and whose dress isn't known. On the mean a seventh off `estimate` for ten lines of source."""
    return -(-size * BYTES[1] // BYTES[0])
