"""What holds for a screen whatever is on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import bidirectional, category

from rich.cells import cell_len

from ccos_core.present.rows import Row
from ccos_tui.present.rows import fitted
from ccos_tui.widgets.pane import Pane
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.several import SeveralPane
from tests.tui.driving import Driven

WIDTHS = (1, 2, 3, 7, 20, 41, 59, 80, 119, 200)
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
LOOKED_AT = 200
"""Rows of a list that are looked at; those of a long one are alike."""


def holds_together(driven: Driven) -> None:
    """Every line is as wide as the screen, nothing on it would move a cursor, and every list fits any width."""
    width, height = driven.app.size
    lines = driven.lines()
    assert [cell_len(line) for line in lines] == [width] * height
    assert not obeyed("".join(lines))
    for rows in driven.app.screen.query(Rows):
        fits([rows.row_at(index) for index in range(min(rows.count(), LOOKED_AT))], (1, 7, rows.size.width or 1))


def fits(rows: Sequence[Row], widths: Iterable[int]) -> None:
    """Rows are exactly as wide as there is room, and hold nothing that a terminal would obey."""
    for row in rows:
        assert not obeyed(row.text), row
        for width in widths:
            assert sum(cell_len(span.text) for span in fitted(row, width)) == width, (width, row)


def obeyed(text: str) -> list[str]:
    """What of a text a terminal wouldn't show but do: controls, ends of lines, and turns of the direction."""
    return [char for char in text if category(char) in ("Cc", "Cs", "Zl", "Zp") or bidirectional(char) in TURNS]


def panes_fit_any_width(driven: Driven) -> None:
    """What panes show of the answers they have, at widths they never had."""
    for pane in driven.app.screen.query(Pane):
        for width, rows in presented(pane):
            fits(rows, (width,))


def presented(pane: Pane) -> Iterator[tuple[int, Sequence[Row]]]:
    """(width, the pane's rows at that width)."""
    for width in WIDTHS:
        if isinstance(pane, SeveralPane):
            yield width, pane.rows_here(pane.here, width)
        elif pane.answer is not None:
            yield width, pane.rows_of(pane.answer, pane.here, width)
