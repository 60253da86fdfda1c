"""Rows of spans: what every answer is shown as, at a terminal, read aloud, and in the panes of the app.

A span's role says what its text means (`bad`, `quiet`, `link`); each door decides how that looks. Foreign text goes
through `clean` (or `node_name`, `op_words`) before it gets into a span, and nothing here is read as markup.

    row("  ✗ ", Span("test_due", "bad"), right=[Span("12", "number")], leads=Moment(step=4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ccos_core.present.cells import width_of
from ccos_core.text.sanitize import surface

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class View:
    """For whom rows are made."""

    columns: int | None = None
    """How wide it is; None for a pipe, or for reading aloud."""

    full: bool = False
    """Whether to show every row, as a pane that scrolls does. A terminal gets the first few of each kind."""

    @property
    def width(self) -> int:
        """Columns to lay out for, also where there is no terminal."""
        return self.columns if self.columns is not None else WIDTH

    def some(self, items: Sequence[Item], most: int, *, last: bool = False) -> tuple[Sequence[Item], int]:
        """Return the items to show, and how many are left out: the first, or the last, `most` unless all are wanted."""
        if self.full or len(items) <= most:
            return items, 0
        return (items[len(items) - most :] if last else items[:most]), len(items) - most


WIDTH = 400
"""Columns to lay out for where there is no terminal: enough that no name and no quotation is cut."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a row leads: to a step, to a node, or to a node at a step."""

    step: int | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A text that means one thing."""

    text: str
    role: str = ""
    spoken: str | None = None
    """What a screen reader says instead, for example nothing for a bar; None says the text."""


Part: TypeAlias = str | Span
"""What rows are built from; a plain text is a span without a role."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line."""

    spans: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    """What stands at the right edge of a pane, and last on a printed line."""

    leads: Moment | None = None
    """Where Enter leads from here."""

    role: str = ""
    """What the whole line is: `title` (what the answer is about), `heading`, `future`, `here`."""

    copies: str = ""
    """What is copied of it, if that is more than its text."""

    @property
    def text(self) -> str:
        """All of it as plain text."""
        left = "".join(span.text for span in self.spans)
        right = "".join(span.text for span in self.right)
        return f"{left}  {right}".strip() if right else left


def row(*parts: Part, leads: Moment | None = None, role: str = "", right: Sequence[Part] = ()) -> Row:
    """Build a row of texts and spans."""
    return Row(tuple(map(span_of, parts)), tuple(map(span_of, right)), leads, role)


def title(*parts: Part, right: Sequence[Part] = ()) -> Row:
    """Build the row that says what an answer is about. Panes that say it in their border leave it out."""
    return row(*parts, role="title", right=right)


def heading(text: str, *right: Part) -> Row:
    """Build a row that names what stands below it."""
    return row(text, role="heading", right=right)


def note(text: str, role: str = "quiet") -> Row:
    """Build a row of one span."""
    return row(Span(text, role))


def span_of(part: Part) -> Span:
    """Return a part as a span."""
    return part if isinstance(part, Span) else Span(part)


def table(
    rows: Sequence[Sequence[Part]], *, right: Iterable[int] = (), indent: int = 2, leads: Sequence[Moment | None] = ()
) -> list[Row]:
    """Align cells in columns, two spaces apart; those in `right` end at the same column. The last is as wide as it is.

    `leads` says where each row leads."""
    cells = [[span_of(part) for part in row] for row in rows]
    columns = max(map(len, cells), default=0)
    to_right = set(right)
    widths = [max((width_of(row[at].text) for row in cells if at < len(row)), default=0) for at in range(columns)]
    made = []
    for number, row in enumerate(cells):
        spans = [Span(" " * indent)] if indent else []
        for at, cell in enumerate(row):
            gap = Span(" " * (widths[at] - width_of(cell.text)))
            is_last = at == len(row) - 1
            if at in to_right:
                spans += [gap, cell]
            else:
                spans += [cell] if is_last else [cell, gap]
            if not is_last:
                spans.append(Span("  "))
        made.append(Row(tuple(each for each in spans if each.text), leads=leads[number] if leads else None))
    return made


def clean(text: str) -> str:
    """Return foreign text on one line: what a terminal would obey is spelled out, and so are line ends and tabs."""
    return page_broken(surface(text)[0].replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", " "))


def page_broken(text: str) -> str:
    """Return a text whose page breaks are visible: a terminal would go down a line at each."""
    return text.replace("\f", "␌")
