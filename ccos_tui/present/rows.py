"""What everything on a screen is made of: rows of spans, each span with a role instead of a colour.

A role says what a text means (`bad`, `quiet`, `future`); the theme says how that looks, and a sign or a word beside
it says the same without any colour. Foreign text comes through `clean` before it gets into a span, and nothing in here
is ever read as markup, so brackets stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size

from ccos_core.text.sanitize import surface


@dataclass(frozen=True, slots=True)
class Moment:
    """Where something leads: to a step, to a node, or to a node at a step."""

    step: int | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A text that means one thing."""

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line."""

    spans: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    """What stands at the right edge; it stays whole when the line is too long for both."""

    leads: Moment | None = None
    """Where Enter leads from here."""

    role: str = ""
    """What the whole line is: `heading`, `future`, `here`."""

    copies: str = ""
    """What is copied of it, where that is more than its text."""

    @property
    def text(self) -> str:
        """All of it as plain text."""
        left = "".join(span.text for span in self.spans)
        right = "".join(span.text for span in self.right)
        return f"{left}  {right}".strip() if right else left


def row(*parts: str | Span, leads: Moment | None = None, role: str = "", right: Sequence[str | Span] = ()) -> Row:
    """A row of texts and spans."""
    return Row(tuple(map(_span, parts)), tuple(map(_span, right)), leads, role)


def heading(text: str, *right: str | Span) -> Row:
    """A row that names what stands below it."""
    return row(text, role="heading", right=right)


def clean(text: str) -> str:
    """Foreign text on one line: what a terminal would obey is spelled out, and so are ends of lines and tabs."""
    return page_broken(surface(text)[0].replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", " "))


def page_broken(text: str) -> str:
    """A text whose page breaks are seen: they are left to sources, but a terminal goes down a line at each."""
    return text.replace("\f", "␌")


def clip(text: str, width: int) -> str:
    """A text of at most so many columns; of a longer one the beginning."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def clip_path(path: str, width: int) -> str:
    """A path of at most so many columns; of a longer one the end, which tells more."""
    if cell_len(path) <= width:
        return path
    if width <= 0:
        return ""
    kept = path
    while kept and cell_len(kept) > width - 1:
        kept = kept[1:]
    return "…" + kept


def fitted(each: Row, width: int) -> tuple[Span, ...]:
    """The spans of a row, exactly so wide."""
    right = each.right
    taken = sum(cell_len(span.text) for span in right)
    room = max(width - taken - (1 if right else 0), 0)
    if right and (room < width // 3 or taken > width):  # too narrow for both: the left says what it is about
        right, taken, room = (), 0, width
    spans, used = _cut(each.spans, room)
    gap = max(width - used - taken, 0)
    return (*spans, Span(" " * gap), *right)


def indented(rows: Iterable[Row], by: int = 2) -> list[Row]:
    """The same rows further in."""
    return [replace(each, spans=(Span(" " * by), *each.spans)) for each in rows]


def _span(part: str | Span) -> Span:
    return part if isinstance(part, Span) else Span(part)


def _cut(spans: Sequence[Span], room: int) -> tuple[list[Span], int]:
    """As many of the spans as there is room for, and the columns they take."""
    cut: list[Span] = []
    used = 0
    for span in spans:
        size = cell_len(span.text)
        if used + size > room:
            text = clip(span.text, room - used)
            return [*cut, replace(span, text=text)], used + cell_len(text)
        cut.append(span)
        used += size
    return cut, used
