"""Finds keys by the shape their vendor gave them.

Nearly every such key is an unbroken run of twenty letters, digits, `-` and `_`. Such runs are a small part of any
source text and can be found at memory speed, so the hundred prefixes of the table are looked for in the runs alone.
"""

from __future__ import annotations

from .lazy import Lazy
from .spans import TYPE_CHECKING, Span
from .vendor_table import ANYWHERE, IN_RUNS, SHAPES_ANYWHERE, SHAPES_IN_RUNS

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = b"w" * 20
_BEFORE = 20  # what may stand in front of a run and belong to the key: `SG.`, `dp.scim.`, a bot's number
_BLOB_LENGTH = 1024  # of a longer run, an image or a cipher text, only the edges can touch a key
_BLOB_EDGE = 512
_HEX = b"0123456789abcdef-"
_CLASSES = bytes(0x77 if chr(c).isascii() and (chr(c).isalnum() or chr(c) in "-_") else 0x20 for c in range(256))

_BASE64 = Lazy(r"[A-Za-z0-9+/]{12}")
_LONG_WORD = Lazy(r"[A-Za-z0-9_-]{12}")
_ESCAPE = Lazy(r"\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")

_split: dict[str, list[tuple[str, tuple[str, str, str, str]]]] = {}
_bodies: dict[str, Lazy] = {}


def vendor_spans(text: str, flat: bytes) -> Iterator[Span]:
    """The keys in a text; `flat` is the text in ASCII, one byte per character."""
    runs = _Sieve.of_runs(flat)
    whole = _Sieve(text, [(0, [0])])
    for sieve, rows, shapes in ((runs, IN_RUNS, SHAPES_IN_RUNS), (whole, ANYWHERE, SHAPES_ANYWHERE)):
        if sieve.text:
            yield from _prefixed(text, sieve, rows)
            yield from _shaped(text, sieve, shapes)


class _Sieve:
    """The part of a text in which words are looked for, and where in the text it comes from."""

    __slots__ = ("pieces", "text")

    def __init__(self, text: str, pieces: list[tuple[int, list[int]]]) -> None:
        self.text = text
        self.pieces = pieces
        """Where each piece begins in the sieve, and all the places it has in the text."""

    @classmethod
    def of_runs(cls, flat: bytes) -> _Sieve:
        """The long runs of a text, each once, with a little of what stands before it, one to a line."""
        places: dict[bytes, list[int]] = {}
        classes = flat.translate(_CLASSES)
        end = 0
        run = classes.find(_RUN)
        while run >= 0:
            start = run - _BEFORE if run > _BEFORE else 0
            end = classes.find(b" ", run)
            if end < 0:
                end = len(classes)
            # Ids and digests are many, and no prefix is spelt in hex alone; but it may stand before a dot.
            if flat[run:end].strip(_HEX) or flat[start:run].endswith((b".", b"~")):
                for begin in (start,) if end - run < _BLOB_LENGTH else (start, end - _BLOB_EDGE):
                    places.setdefault(flat[begin : min(end, begin + _BLOB_LENGTH)], []).append(begin)
            run = classes.find(_RUN, end)
        pieces = []
        length = 0
        for piece, found in places.items():
            pieces.append((length, found))
            length += len(piece) + 1
        return cls(b"\n".join(places).decode("ascii"), pieces)

    def places(self, word: str) -> Iterator[int]:
        """Where in the text a word of the sieve stands, piece by piece."""
        index = 0
        found = self.text.find(word)
        while found >= 0:
            while index + 1 < len(self.pieces) and self.pieces[index + 1][0] <= found:
                index += 1
            inside, outside = self.pieces[index]
            yield from (place + found - inside for place in outside)
            found = self.text.find(word, found + len(word))


def _prefixed(text: str, sieve: _Sieve, rows: tuple[tuple[str, str, str, str], ...]) -> Iterator[Span]:
    haystack = sieve.text
    for prefix, row in _by_prefix(rows):
        if prefix in haystack:
            yield from _at_prefix(text, sieve, prefix, row)


def _by_prefix(rows: tuple[tuple[str, str, str, str], ...]) -> list[tuple[str, tuple[str, str, str, str]]]:
    key = rows[0][1]
    if key not in _split:
        _split[key] = [(prefix, row) for row in rows for prefix in row[1].split()]
    return _split[key]


def _at_prefix(text: str, sieve: _Sieve, prefix: str, row: tuple[str, str, str, str]) -> Iterator[Span]:
    name, _, body, guard = row
    pattern = _bodies.setdefault(body, Lazy(body))()
    begun = end = 0
    for start in sieve.places(prefix):
        if (start < end and start >= begun) or (guard and _guarded(text, start, guard)):
            continue
        match = pattern.match(text, start + len(prefix))
        if match:
            begun, end = start, match.end()
            yield match.start() if prefix[-1] in "=/" else start, end, name  # a word before the key is no part of it


def _guarded(text: str, start: int, guard: str) -> bool:
    """Whether what stands before a prefix says that it is part of something else."""
    if guard == "word":
        before = text[start - 1 : start]
        if not (before.isascii() and before.isalnum()):
            return False
        return not _ends_with_escape(text[max(start - 6, 0) : start])
    pattern = _BASE64 if guard == "blob" else _LONG_WORD
    return start >= 12 and pattern().match(text, start - 12) is not None


def _ends_with_escape(before: str) -> bool:
    return any(match.end() == len(before) for match in _ESCAPE().finditer(before))


def _shaped(text: str, sieve: _Sieve, rows: tuple[tuple[str, str, tuple[int, ...], Lazy], ...]) -> Iterator[Span]:
    for name, words, distances, pattern in rows:
        for word in words.split():
            if word in sieve.text:
                starts = (place - distance for place in sieve.places(word) for distance in distances)
                matches = (pattern().match(text, start) for start in starts if start >= 0)
                yield from ((match.start(), match.end(), name) for match in matches if match)
