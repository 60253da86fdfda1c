"""Steps as rows: what kind of thing happened, to what, and how much text came with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path, width_of
from ccos_core.present.rows import Moment, Row, Span, View, clean, note
from ccos_core.present.words import count, moment, size
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
    "thought": ("~", "quiet"),
    "turn": ("•", ""),
}
"""Kind → its sign and its role. The word stands beside the sign."""
OTHER = ("·", "quiet")
SEEN = ("read", "edit", "write")
LINES = re.compile(r" lines \d+–\d+$")
"""What stands behind a path of which only these were shown."""
WORST = ("error", "interrupted")
HERE = "▸"
"""Mark of the step where the cursor stands."""
CLOCK_FROM, SIZES_FROM, COLUMNS_FROM = 67, 48, 40
"""Columns from which on there is room for the time, for sizes, and for columns side by side."""
PIPED = 150
"""Columns of a list of steps where there is no terminal."""
ROOMY, NARROWEST = 1_000, 8
"""Columns where nobody says how many there are, and the fewest of a path."""
DIGITS, FEWER = 6, 5
"""Columns of a step's number, and where there are few; a longer one takes what it needs."""


def step_rows(ops: Iterable[Told], at: int, view: View) -> Iterator[Row]:
    """Show steps with their times, the one `at` which the cursor stands marked; at a terminal below their days."""
    shown_day, width = "", (view.columns or PIPED) - 1  # printed, sizes stand one column further away
    for op in ops:
        day, _, time = moment(op.at).rpartition(" ")
        if view.columns is not None and day and day != shown_day:
            yield note(f"{'':{DIGITS + 3}}{day} UTC")
        shown_day = day or shown_day
        clock = moment(op.at) if view.columns is None else time if day else "-" * 8
        yield step_row(op, op.step, mark=HERE if op.step == at else "", width=width, clock=clock)


def step_row(
    told: Told | None, step: int, *, future: bool = False, mark: str = "", width: int = ROOMY, clock: str = ""
) -> Row:
    """A step. What lies behind the cursor is dimmed."""
    number = Span(f"{step:>{DIGITS if width >= COLUMNS_FROM else FEWER}} ", "quiet", f"step {step:,}, ")
    if step == 0:
        return Row((number, Span("before the first step", "quiet")), role="future" if future else "")
    if told is None:
        return Row((number, Span("can't be read", "bad")), leads=Moment(step))
    sign, role = KINDS.get(told.kind, OTHER)
    failed = told.outcome in WORST or told.kind == "failed"
    kind = clean(told.kind)
    before = [
        number,
        Span(f"{mark or ' '} ", "mark" if mark else "", "here, " if mark == HERE else f"{mark}, " if mark else ""),
        *([Span(f"{clock}  ", "quiet", "")] if clock and width >= CLOCK_FROM else []),
        Span(f"{sign} ", "bad" if failed else role, ""),
        Span(f"{kind:<{10 if width >= COLUMNS_FROM else 0}} ", "bad" if failed else role, f"{kind}, "),
        *([Span(f"✗ {told.outcome} ", "bad", f"{told.outcome}, ")] if failed and told.kind != "failed" else []),
    ]
    noted = [*(["unknown"] if told.outcome == "unknown" else []), *told.notes]
    notes = [Span(f"  [{clean(each)}]", "note") for each in noted]
    sized = told.bytes and width >= SIZES_FROM
    right = (Span(size(told.bytes), "quiet", count(told.bytes, "byte")),) if sized else ()
    taken = sum(width_of(span.text) for span in (*before, *notes, *right)) + len(right)
    spans = [*before, Span(_says(told, max(width - taken, NARROWEST))), *notes]
    if future:
        spans = [Span(span.text, "future") for span in spans]
    return Row(tuple(spans), right, Moment(step, node_of(told)), copies=told.says)


def node_of(told: Told) -> str | None:
    """What a step is about, where that is one file; of a read that showed only some of its lines as well."""
    path = LINES.sub("", told.says)
    return file_node(path) if told.kind in SEEN and path and not path.endswith("…") else None


def _says(told: Told, room: int) -> str:
    """What happened, in so many columns; of a path the end, which tells more than its beginning."""
    says = clean(told.says)
    name, _, rest = says.partition(" ")
    if node_of(told) is not None:
        name, rest = "", says
    elif told.kind != "tool" or told.outcome in WORST or "/" not in rest or {" ", ":"}.intersection(rest):
        return clip(says, room)
    else:
        name += " "
    room = max(room - width_of(name), NARROWEST)
    named = width_of(rest.rsplit("/", 1)[-1]) < room  # else the path stands without its lines
    return name + clip_path(rest if named else LINES.sub("", rest), room)
