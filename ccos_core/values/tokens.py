"""How many tokens a text takes: an estimate that is the same everywhere, and additive over lines.

No tokenizer is asked, since a replay may not depend on which one is installed. A line falls into the pieces that cl100k
splits it into (a word with the mark before it, three digits, a run of marks, white space), and each piece has a weight
in 64ths of a token (`token_weights`): by what stands before a word, its case and its length, less where it is a word
that takes one token. Measured on text that nothing was fitted on, in `tests/bench/tokens.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ccos_core.values.remembered import Remembered
from ccos_core.values.token_weights import (
    BLANK_LINE,
    DIGITS,
    FURTHER_LETTER,
    LETTERS,
    LINE_END,
    MARKS,
    MARKS_AT_END,
    MARKS_AT_END_BY_LENGTH,
    MARKS_BY_LENGTH,
    SPACE,
    SPACES,
    WHITE_LINE,
    WORDS,
)

VERSION = 3
UNIT = 64
"""Parts that make one token."""

# Classes of ASCII alone: what Unicode calls a letter differs from one Python to the next, and a window mustn't.
_PIECE = re.compile(
    r"[^A-Za-z0-9\r\n\x80-\U0010ffff]?[A-Za-z]+|[0-9]{1,3}|[\x80-\U0010ffff]+| ?[^A-Za-z0-9\s\x80-\U0010ffff]+"
    r"|\s+(?!\S)|\s|.",
    re.ASCII | re.DOTALL,
)
_BLANK = " \t\r\n\f\v"
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_BEFORE = frozenset(before for before, _ in LETTERS)
_FURTHER_MARK = 32
_SHORTEST_RULE, _RULE = 4, 64
"""Marks of one kind in a row beyond which they are a rule, and what that takes besides one part a mark."""
_SPACES_OF_A_TOKEN = 80
"""White space that takes one token: an indent is one, however deep."""
_ASCII_IN_OTHERS = 24
"""An ASCII character in a word, or among marks, that are none."""
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
    pieces = _PIECE.findall(line.rstrip("\r\n"))
    if not pieces:
        return BLANK_LINE
    if not line.strip(_BLANK):
        return WHITE_LINE
    *others, last = pieces
    return sum(map(_weight_of, others)) + (_marks_at_end(last) if _is_marks(last) else _weight_of(last) + LINE_END)


def _weight(piece: str) -> int:
    if _is_rule(piece):
        return _RULE + len(piece)
    if not piece.isascii():
        return sum(_SCRIPTS[bisect_right(_ENDS, ord(ch))][1] if ch > "\x7f" else _ASCII_IN_OTHERS for ch in piece)
    if piece[-1].isalpha():
        return _word(piece)
    if piece.isdigit():
        return DIGITS
    if piece.isspace():
        return SPACE if len(piece) == 1 else SPACES * (1 + len(piece) // _SPACES_OF_A_TOKEN)
    marks = piece.strip(" ")
    return DIGITS if marks in MARKS else _by_length(len(piece), MARKS_BY_LENGTH, _FURTHER_MARK)


def _word(piece: str) -> int:
    """A word with the mark before it, hump by hump."""
    before = "" if piece[0].isalpha() else piece[0] if piece[0] in _BEFORE else "?"
    humps = _HUMP.findall(piece)
    if not before and len(humps) > 1:
        before = "first"
    found = 0
    for hump in humps:
        case = "lower" if hump.islower() else "UPPER" if len(hump) > 1 and hump.isupper() else "Title"
        known, *lengths = LETTERS[before, case]
        is_known = len(hump) > 2 and hump.lower() in WORDS
        found += known if is_known else _by_length(len(hump), lengths, FURTHER_LETTER)
        before = "later"
    return found


def _is_rule(piece: str) -> bool:
    """Whether it is a line drawn of one mark, of which a vocabulary has long runs."""
    if len(piece) <= _SHORTEST_RULE or (piece.isascii() and piece.isspace()) or piece[-1].isalnum():
        return False
    return piece.strip(" ").strip(piece[-1]) == ""


def _is_marks(piece: str) -> bool:
    return piece.isascii() and not piece.isspace() and not piece[-1].isalnum()


def _marks_at_end(piece: str) -> int:
    """Marks with the end of the line behind them."""
    if piece.strip(" ") in MARKS_AT_END:
        return LINE_END
    if _is_rule(piece):
        return _RULE + len(piece) + LINE_END // 2
    return _by_length(len(piece), MARKS_AT_END_BY_LENGTH, _FURTHER_MARK)


def _by_length(length: int, weights: Sequence[int], further: int) -> int:
    most = len(weights)
    return weights[min(length, most) - 1] + further * max(length - most, 0)


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
