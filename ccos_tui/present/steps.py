"""Steps as rows: what kind of thing happened, to what, and how much text came with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccos_core.serve.words import size
from ccos_core.values.ids import file_node
from ccos_tui.present.rows import Moment, Row, Span, clean

if TYPE_CHECKING:
    from ccos_core.query.telling import Told

KINDS = {
    "prompt": ("❯", "prompt"),
    "tool": ("⚙", ""),
    "read": ("▤", "read"),
    "edit": ("✎", "edit"),
    "write": ("✎", "edit"),
    "compaction": ("✂", "compaction"),
    "clear": ("✂", "compaction"),
    "failed": ("✗", "bad"),
    "passed": ("✓", "good"),
    "usage": ("∑", "quiet"),
    "epoch": ("§", "quiet"),
    "recall": ("◫", "link"),
}
"""Kind → its sign and its role. The word stands beside the sign."""
OTHER = ("·", "quiet")
SEEN = ("read", "edit", "write")
LINES = re.compile(r" lines \d+–\d+$")
"""What stands behind a path of which only these were shown."""
WORST = ("error", "interrupted")
SIZES_FROM, COLUMNS_FROM = 48, 40
"""Columns from which on there is room for sizes, and for what happened to stand in a column of its own."""
DIGITS = 6
"""Columns of a step's number."""


def step_row(told: Told | None, step: int, *, future: bool = False, mark: str = "", width: int = SIZES_FROM) -> Row:
    """A step. What lies behind the cursor is dimmed."""
    number = Span(f"{step:>{DIGITS}} ", "quiet")
    if step == 0:
        return Row((number, Span("before the first step", "quiet")), role="future" if future else "")
    if told is None:
        return Row((number, Span("can't be read", "bad")), leads=Moment(step))
    sign, role = KINDS.get(told.kind, OTHER)
    failed = told.outcome in WORST or told.kind == "failed"
    spans = [
        number,
        Span(mark or " ", "mark" if mark else ""),
        Span(f"{sign} ", "bad" if failed else role),
        Span(f"{clean(told.kind):<{10 if width >= COLUMNS_FROM else 0}} ", "bad" if failed else role),
        *([Span("✗ ", "bad"), Span(f"{told.outcome} ", "bad")] if failed and told.kind != "failed" else []),
        Span(clean(told.says)),
        *(Span(f"  [{clean(note)}]", "note") for note in told.notes),
    ]
    right = (Span(size(told.bytes), "quiet"),) if told.bytes and width >= SIZES_FROM else ()
    if future:
        spans = [Span(span.text, "future") for span in spans]
    return Row(tuple(spans), right, Moment(step, node_of(told)), copies=told.says)


def node_of(told: Told) -> str | None:
    """What a step is about, where that is one file; of a read that showed only some of its lines as well."""
    path = LINES.sub("", told.says)
    return file_node(path) if told.kind in SEEN and path and not path.endswith("…") else None
