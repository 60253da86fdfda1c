"""A window of ours, item by item."""

from __future__ import annotations

from ccos_core.query.window_rows import item_rows as rows_of
from ccos_core.query.windows import Shown
from ccos_core.window.linearize import Item

ITEMS = (
    Item("file:src/db.py", "src/db.py", "body", 62, "edited", "TIMEOUT = 5\n", ""),
    Item("sym:src/db.py#TIMEOUT", "src/db.py", "body", 0, "edited", "", ""),
    Item("file:.env", ".env", "body", 0, "read", "", ""),
)


def test_an_item_without_tokens_says_where_its_lines_are() -> None:
    """A bare 0 looks like a fault: the lines of one stand with those around it, and of the other there are none."""
    answer = Shown("working-set", 2_048, 62, 20, "00", "TIMEOUT = 5\n", ITEMS, ())
    for width in (40, 120):
        told = {row.text: "".join(span.text for span in row.right).split()[-1:] for row in rows_of(answer, width)}
        within = next(size for text, size in told.items() if "TIMEOUT" in text)
        empty = next(size for text, size in told.items() if "body" in text and "rest" not in text and "TIM" not in text)
        assert (within, empty) == (["within"], ["text"])
