"""Ops as lines for people: what happened, to what, and how much text came with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.query.telling import Told, told_op
from ccos_core.serve.terminal import coloured
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

WIDTH = 100
"""Characters an op may say where nobody told how wide the screen is."""
NARROWEST = 24
MARKS = {"failed": "✗", "error": "✗", "interrupted": "✗", "passed": "✓"}
SIZED = 67
"""Columns from which on there is room for the sizes as well."""
NOTEWORTHY = ("interrupted", "unknown")
"""Outcomes that are told in a word; of an error its mark says enough."""


class OpLines:
    """Ops as lines, one after the other. On a screen the day stands above its ops, elsewhere in every line.

    5  2026-02-14 09:31:45  tool          403 B  ✗ Bash pytest -q tests/test_api.py
    """

    def __init__(self, columns: int | None = None, record: Record | None = None) -> None:
        self.columns = columns
        self.record = record
        self.day = ""

    def of(self, step: int, op: Plain | None) -> Iterator[str]:
        """The lines of one op of the record; None stands for one that can't be read."""
        if op is None:
            yield f"{step:>6}  {coloured('can’t be read: not an op', 'bad')}"
            return
        yield from self.tell(told_op(step, op, self._content))

    def tell(self, op: Told, before: str = "") -> Iterator[str]:
        """The lines of one op, each behind `before`."""
        day = words.moment(op.at).rpartition(" ")[0]
        if self.columns is not None and day and day != self.day:
            yield coloured(f"{'':>{len(before)}}{'':>6}  {day} UTC", "quiet")
        self.day = day or self.day
        yield before + line(op, None if self.columns is None else self.columns - len(before))

    def _content(self, blob: str) -> bytes:
        assert self.record is not None
        return self.record.content(bytes.fromhex(blob))


def line(op: Told, columns: int | None) -> str:
    """One op on one line; without its day where there is a screen so wide."""
    day, _, time = words.moment(op.at).rpartition(" ")
    moment = words.moment(op.at) if columns is None else time if day else "-" * 8
    size = f"{words.size(op.bytes) if op.bytes else '':>9}" if columns is None or columns >= SIZED else ""
    before = f"{op.step:>6}  {moment}  {words.visible(op.kind):<12}{size}  "
    return before.rstrip() if not (said := _said(op, columns, len(before))) else before + said


def _said(op: Told, columns: int | None, used: int) -> str:
    """What the op says, with its mark before it and what is to be noticed behind it."""
    mark = MARKS.get(op.outcome or op.kind, " ")
    notes = [*([op.outcome] if op.outcome in NOTEWORTHY else []), *op.notes]
    noted = [f"[{words.visible(note)}]" for note in notes]
    room = WIDTH
    if columns is not None:
        room = max(NARROWEST, columns - used - 2 - sum(len(note) + 2 for note in noted))
    said = words.clipped(words.visible(op.says), room)
    if mark != " ":
        mark = coloured(mark, "good" if mark == "✓" else "bad")
    told = [f"{mark} {said}".rstrip(), *(coloured(note, "note") for note in noted)]
    return "  ".join(told) if said or notes else ""
