"""Shorten a tool's result by what it is: a log, a diff, results of a search, a list of paths, JSON.

    shorten(text, ref=reference_of(text.encode())).text

What a file holds is never shortened here, nor is anything whose kind isn't certain. The result never has more tokens
than the original, and all that it leaves out stands behind a marker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccos_core.text.compress.diffs import is_diff, shorten_diff
from ccos_core.text.compress.json_tables import is_json, shorten_json
from ccos_core.text.compress.listings import group_listing, group_search, is_listing, is_search
from ccos_core.text.compress.logs import is_log, shorten_log
from ccos_core.text.compress.shortened import MARKER, REFERENCE_DIGITS, Shortened
from ccos_core.values.canon import digest

LEAST_CHARACTERS = 600
"""A shorter text stays as it is: a marker would take most of what could be saved."""
PLAIN = "plain"
"""The kind of what stays as it is."""


class Compressor(NamedTuple):
    """How one kind of text is known, and shortened."""

    is_kind: Callable[[str], bool]
    shorten: Callable[[str, str], Shortened | None]


KINDS = {
    "json": Compressor(is_json, shorten_json),
    "diff": Compressor(is_diff, shorten_diff),
    "search": Compressor(is_search, group_search),
    "listing": Compressor(is_listing, group_listing),
    "log": Compressor(is_log, shorten_log),
}
"""In the order in which they are tried."""


def reference_of(content: bytes) -> str:
    """Return the reference of a text: the start of its hash."""
    return digest(content).hex()[:REFERENCE_DIGITS]


def shorten(text: str, *, ref: str, kind: str | None = None) -> Shortened:
    """Shorten a text of this kind, or of the kind that it has by its looks; what was shortened already stays."""
    if len(text) >= LEAST_CHARACTERS and not MARKER.search(text):
        for name, each in KINDS.items():
            if name == kind or (kind is None and each.is_kind(text)):
                return each.shorten(text, ref) or Shortened(PLAIN, text)
    return Shortened(PLAIN, text)
