"""How many columns a text takes at a terminal, and texts cut to fit: two columns for wide East Asian characters, none
for combining marks. The app's screens count once more, as they draw (`ccos_tui/present/rows.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import combining, east_asian_width


def width_of(text: str) -> int:
    """Return the columns a text takes."""
    return len(text) if text.isascii() else _width(text)


@lru_cache(maxsize=4096)
def _width(text: str) -> int:
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def clip(text: str, width: int) -> str:
    """Return a text of at most `width` columns; the beginning of a longer one."""
    if width_of(text) <= width:
        return text
    if width <= 1:
        return "…" * width
    return next(_pieces(text, width - 1)).rstrip() + "…"


def clip_path(path: str, width: int) -> str:
    """Return a path of at most `width` columns; of a longer one the end, which tells more."""
    if width_of(path) <= width:
        return path
    if width <= 1:
        return "…" * width
    end = next(_pieces(path[::-1], width - 1))[::-1]
    return "…" + (end if width_of(end) < width else "")  # one wide character may be too much


def wrap(text: str, width: int) -> Iterator[str]:
    """Break a text into lines of at most `width` columns, between words where that is possible."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if line and width_of(joined) > width:
            yield line
            joined = word
        if width_of(joined) > width:
            *full, joined = _pieces(joined, width)
            yield from full
        line = joined
    if line:
        yield line


def _pieces(text: str, width: int) -> Iterator[str]:
    """Cut a text wherever `width` columns are full; a character that is wider stands alone."""
    begin, used = 0, 0
    for at, char in enumerate(text):
        taken = width_of(char)
        if at > begin and used + taken > width:
            yield text[begin:at]
            begin, used = at, 0
        used += taken
    yield text[begin:]
