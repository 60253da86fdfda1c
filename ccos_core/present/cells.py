"""How many columns a text takes, and texts cut to fit. Columns are counted as the app's screens count them."""

from __future__ import annotations

from collections.abc import Iterator


def width_of(text: str) -> int:
    """Return the columns a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # only foreign text and marks need its tables

    return cell_len(text)


def clip(text: str, width: int) -> str:
    """Return a text of at most `width` columns; the beginning of a longer one."""
    if width_of(text) <= width:
        return text
    if text.isascii():
        return text[: max(width - 1, 0)].rstrip() + "…" if width > 0 else ""
    from rich.cells import set_cell_size

    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def clip_path(path: str, width: int) -> str:
    """Return a path of at most `width` columns; of a longer one the end, which tells more."""
    if width_of(path) <= width:
        return path
    if width <= 0:
        return ""
    kept = path
    while kept and width_of(kept) > width - 1:
        kept = kept[1:]
    return "…" + kept


def wrap(text: str, width: int) -> Iterator[str]:
    """Break a text into lines of at most `width` columns, between words where that is possible."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if line and width_of(joined) > width:
            yield line
            joined = word
        if width_of(joined) > width:
            from rich.cells import chop_cells

            *full, joined = chop_cells(joined, width)
            yield from full
        line = joined
    if line:
        yield line
