"""Rows as a screen reader says them: words for signs, commas for columns, a full stop at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccos_core.present.rows import Row, Span
from ccos_core.present.words import STATES

SPOKEN = {glyph: said for glyph, said in STATES.values() if glyph not in "?×"} | {
    "→": "to", "✗": "failed", "✓": "passed", "▸": "here", "–": "to", "×": "times", "≤": "at most", "−": "minus",
    "✂": "cut", "✎": "changed", "▤": "read", "│": "",
}  # fmt: skip
"""Sign → what is read aloud in its place."""
_SIGNS = re.compile(f" *([{''.join(SPOKEN)}]) *")
_COLUMN = re.compile(r" {2,}")
_ENDED = (".", "?", "!", ":", ";")


def sentences(rows: Iterable[Row]) -> Iterator[str]:
    """Read rows aloud, one sentence a row; rows without words are left out."""
    for each in rows:
        right = _heard(each.right)
        said = _heard(each.spans) + (f"  {right}" if right else "")
        columns = (" ".join(spoken(part).split()) for part in _COLUMN.split(said))
        if words := _joined(filter(None, columns)):
            yield words if words.endswith(_ENDED) else words + (":" if each.role == "heading" else ".")


def _joined(columns: Iterable[str]) -> str:
    """Join columns by commas, where the one before doesn't end by itself."""
    words = ""
    for each in columns:
        words += f"{'' if not words else ' ' if words.endswith(_ENDED) else ', '}{each}"
    return words


def spoken(text: str) -> str:
    """Return a text with words in place of signs; where the word stands behind its sign already, once."""
    return _SIGNS.sub(_word_of, text).replace("…", "...").strip()


def _heard(spans: Iterable[Span]) -> str:
    return "".join(span.text if span.spoken is None else span.spoken for span in spans)


def _word_of(found: re.Match[str]) -> str:
    word = SPOKEN[found[1]]
    return " " if found.string.startswith(word, found.end()) else f" {word} "
