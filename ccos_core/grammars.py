"""Grammars of the pinned language pack, and parsing with them within bounds.

`text` outlines sources with them and `intake` reads commands, so this stands below both. Loads tree-sitter only when a
grammar is asked for, and downloads nothing. Work is bounded by counts, never by time: time would make a fact depend on
the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

PATIENCE = 2_000
"""Progress reports any parse may make, ..."""
BYTES_A_REPORT = 40
"""... and one more for each so many bytes. Valid sources make one for about two hundred."""
CHUNK_BYTES = 2**16


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
    """The tree of a source; None where it asks its way forward too often for its size."""
    left = PATIENCE + len(source) // BYTES_A_REPORT

    def progress(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        return parser.parse(lambda at, _point: source[at : at + CHUNK_BYTES], progress_callback=progress)
    except ValueError:
        parser.reset()
        return None
