"""Grammars of the pinned language pack, and parsing with them within bounds.

`text` outlines sources with them and `intake` reads commands, so this stands below both. Loads tree-sitter only when a
grammar is asked for, and downloads nothing. Work is bounded by counts, never by time: time would make a fact depend on
the machine. Nesting is bounded before a grammar sees a text. A tree may still be deep (`a + a + a + …`), so walk it
with a cursor, not by recursion.
"""

from __future__ import annotations

import ctypes
import sys
import zlib
from functools import cache
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import tree_sitter

NESTING_LIMIT = 2_000
"""Brackets of one kind that may be open at once."""
PATIENCE = 2_000
"""Progress reports any parse may make, ..."""
BYTES_A_REPORT = 40
"""... and one more for each so many bytes. Valid sources make one for about 170, the densest for 53."""
CHUNK_BYTES = 2**12
READS = 200
"""Chunks any parse may read, ..."""
READS_A_CHUNK = 40
"""... and for each chunk of the source so many more. Valid sources read each two or three times."""

RISKY_NESTING = 200
"""Brackets of one kind open at once from which a text is parsed in a process of its own. Of 6,609 files two have more
than 300; all of these have brackets in strings that nothing closes."""
RISKY_RATIO = 20
"""Times a part of a text gets smaller when packed, from which the same holds. Whole sources reach 16."""
RISKY_BYTES = 300_000
"""The same for a text of more bytes. One full of errors takes up to 7 µs a byte, thirty times as long as a whole
source, and no count tells them apart early. Of 47,516 sources 72 different ones are larger; of 36 of these none took
0.4 s."""
LINE_BYTES = 2**14
"""The same for the longest line. Sources a program wrote (minified, bundled) may have longer ones."""
PART_BYTES = 2**14
SMALL_BYTES = 2**12
"""A part of no more bytes isn't looked at: the square of it is soon worked off."""

ROUNDS = 32
"""Levels of brackets that are removed before the rest is counted one by one."""

_PAIRS = ((b"(", b"()"), (b"[", b"[]"), (b"{", b"{}"))
_OTHERS = {pair: bytes(set(range(256)) - set(pair)) for _, pair in _PAIRS}
"""Pair of brackets → all other bytes."""

Refusal = Literal["deep", "hostile"]


def load_grammar(name: str) -> tree_sitter.Language | None:
    """A grammar of the language pack; None where it isn't installed."""
    try:
        import tree_sitter  # noqa: F401
        import tree_sitter_language_pack as pack
    except ImportError:
        return None
    if hasattr(pack, "DownloadManager"):  # a later pack, which would fetch native code: not ours to run
        return None
    try:
        return pack.get_language(name)  # type: ignore[arg-type]
    except LookupError:
        return None


def parse_bounded(parser: tree_sitter.Parser, source: bytes) -> tree_sitter.Tree | None:
    """The tree of a source; None where it is nested too deep, or takes too much work for its size."""
    tree = parse_or_refuse(parser, source)
    return None if isinstance(tree, str) else tree


def parse_or_refuse(parser: tree_sitter.Parser, source: bytes) -> tree_sitter.Tree | Refusal:
    """The tree of a source, or why there is none: `deep` nesting, or `hostile` to parsing (too much work)."""
    if nesting_bound(source) > NESTING_LIMIT:
        return "deep"
    reports = PATIENCE + len(source) // BYTES_A_REPORT
    reads = READS + READS_A_CHUNK * (len(source) // CHUNK_BYTES)
    view = memoryview(source)
    handed: list[bytes] = []

    def read(at: int, _point: object) -> bytes:
        nonlocal reads
        reads -= 1
        if reads < 0:
            return b""
        handed.append(view[at : at + CHUNK_BYTES].tobytes())  # never the source itself, see `_free`
        return handed[-1]

    def progress(_offset: int, _has_error: bool) -> bool:
        nonlocal reports
        reports -= 1
        return reports < 0 or reads < 0

    import tree_sitter

    own = tree_sitter.Parser(parser.language)  # callbacks let other threads run, which may parse with the one given
    try:
        tree = own.parse(read, progress_callback=progress)
    except ValueError:
        return "hostile"
    finally:
        _free(handed, parser.language)
    return tree if reads >= 0 else "hostile"


def _free(handed: list[bytes], language: tree_sitter.Language | None) -> None:
    """Give up the chunks that a parser was handed, if tree-sitter keeps a reference to each for ever (0.26.1 does). A
    server that outlined 300,000 versions held all their texts."""
    if not _keeps_chunks(language):
        return
    fresh = bytes(bytearray(b"a text that nobody else has"))
    unshared = sys.getrefcount(fresh)  # of a local: how many that is differs from Python to Python
    while handed:
        chunk = handed.pop()
        if chunk and sys.getrefcount(chunk) == unshared + 1:
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(chunk))


@cache
def _keeps_chunks(language: tree_sitter.Language | None) -> bool:
    """Whether a chunk still has a reference more after its parser and its tree are gone, so that nobody owns it."""
    import tree_sitter

    chunk = bytes(bytearray(b"x = 1\n"))
    before = sys.getrefcount(chunk)
    parser = tree_sitter.Parser(language)
    tree = parser.parse(lambda at, _point: chunk if at == 0 else b"")
    del tree, parser
    return sys.getrefcount(chunk) > before


def nesting_bound(source: bytes) -> int:
    """An upper bound of how many brackets of one kind are open at once.

    Strings and comments count as well: in a text with errors, no grammar agrees with us where a string ends.
    """
    return max(_nesting(source.translate(None, _OTHERS[pair]), opening, pair) for opening, pair in _PAIRS)


def _nesting(brackets: bytes, opening: bytes, pair: bytes) -> int:
    """Removing innermost pairs is fast, and leaves next to nothing of a real source; the rest is counted."""
    for rounds in range(ROUNDS):
        fewer = brackets.replace(pair, b"")
        if len(fewer) == len(brackets):
            return rounds + brackets.count(opening)
        brackets = fewer
    heights = list(accumulate((1 if each == opening[0] else -1 for each in brackets), initial=0))
    highest: int = max(map(sub, heights, accumulate(heights, min)))
    return ROUNDS + highest


def is_risky(source: bytes) -> bool:
    """Whether to parse a text in a process of its own: it is large, repeats itself, nests, or has a very long line.

    The bounds above count work; they can't rule out that native code crashes, or takes all memory or seconds. A text
    built for that has to be large, repetitive or deep.
    """
    if len(source) > RISKY_BYTES:
        return True
    if nesting_bound(source) > RISKY_NESTING:
        return True
    if len(source) > LINE_BYTES and max(map(len, source.split(b"\n"))) > LINE_BYTES:
        return True
    starts = range(0, len(source) - SMALL_BYTES, PART_BYTES)
    parts = (source[at : at + PART_BYTES] for at in starts)
    return any(len(zlib.compress(part, 1)) * RISKY_RATIO < len(part) for part in parts)
