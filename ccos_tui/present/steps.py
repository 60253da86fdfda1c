"""Steps as rows: what kind of thing happened, to what, and how much text came with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ccos_core.present.cells import clip_path
from ccos_core.present.rows import Moment, Row, Span, clean
from ccos_core.present.words import size
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.telling import Told

KINDS = {
    "prompt": ("❯", "prompt"),
    "task": ("❯", "quiet"),
    "command": ("❯", "quiet"),
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
ROOMY, NARROWEST = 1_000, 8
"""Columns where nobody says how many there are, and the fewest of a path."""
DIGITS, FEWER = 6, 5
"""Columns of a step's number, and where there are few; a longer one takes what it needs."""


def step_row(told: Told | None, step: int, *, future: bool = False, mark: str = "", width: int = ROOMY) -> Row:
    """A step. What lies behind the cursor is dimmed."""
    number = Span(f"{step:>{DIGITS if width >= COLUMNS_FROM else FEWER}} ", "quiet")
    if step == 0:
        return Row((number, Span("before the first step", "quiet")), role="future" if future else "")
    if told is None:
        return Row((number, Span("can't be read", "bad")), leads=Moment(step))
    sign, role = KINDS.get(told.kind, OTHER)
    failed = told.outcome in WORST or told.kind == "failed"
    word = f"{clean(told.kind):<{10 if width >= COLUMNS_FROM else 0}} "
    right = (Span(size(told.bytes), "quiet"),) if told.bytes and width >= SIZES_FROM else ()
    says = Span(clean(told.says))
    before, named = _named(told, says.text)
    if named:  # the end of a path tells more than its beginning
        taken = sum(
            cell_len(text)
            for text in (number.text, "  ", f"{sign} ", word, before, *(f"{each.text} " for each in right))
        )
        says = Span(before + _path(named, max(width - taken, NARROWEST)))
    spans = [
        number,
        Span(f"{mark or ' '} ", "mark" if mark else ""),
        Span(f"{sign} ", "bad" if failed else role),
        Span(word, "bad" if failed else role),
        *([Span("✗ ", "bad"), Span(f"{told.outcome} ", "bad")] if failed and told.kind != "failed" else []),
        says,
        *(Span(f"  [{clean(note)}]", "note") for note in told.notes),
    ]
    if future:
        spans = [Span(span.text, "future") for span in spans]
    return Row(tuple(spans), right, Moment(step, node_of(told)), copies=told.says)


def node_of(told: Told) -> str | None:
    """What a step is about, where that is one file; of a read that showed only some of its lines as well."""
    path = LINES.sub("", told.says)
    return file_node(path) if told.kind in SEEN and path and not path.endswith("…") else None


def _named(told: Told, says: str) -> tuple[str, str]:
    """What is said before a path, and the path; nothing where it isn't about one file."""
    if node_of(told) is not None:
        return "", says
    name, _, rest = says.partition(" ")
    is_path = told.kind == "tool" and told.outcome not in WORST and "/" in rest and not {" ", ":"}.intersection(rest)
    return (f"{name} ", rest) if is_path else ("", "")


def _path(said: str, room: int) -> str:
    """A path with its lines; where the file's name wouldn't fit beside these, without them."""
    named = cell_len(said.rsplit("/", 1)[-1]) < room
    return clip_path(said if named else LINES.sub("", said), room)
