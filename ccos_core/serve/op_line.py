"""The ops of a record as lines, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.present.cells import width_of
from ccos_core.present.rows import Row, Span, View, row
from ccos_core.present.steps import step_rows
from ccos_core.query.telling import told_op
from ccos_core.serve.printing import printed

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.storage.record import Record


class OpLines:
    """Lines of ops as they are read; at a terminal below their days."""

    def __init__(self, columns: int | None, record: Record) -> None:
        self._columns = columns
        self._record = record
        self._day = ""

    def of(self, step: int, op: Plain | None) -> Iterator[str]:
        """Yield the lines of one op; None stands for one that can't be read."""
        if op is None:
            return printed([row(f"{step:>6}  ", Span("can’t be read: not an op", "bad"))], None)
        told = told_op(step, op, lambda blob: self._record.content(bytes.fromhex(blob)))
        *days, last = step_rows([told], -1, View(self._columns))
        days = [each for each in days if each.text != self._day]
        self._day = days[0].text if days else self._day
        return printed([*days, self._spread(last)], None)

    def _spread(self, each: Row) -> Row:
        """Put what stands at the right at the terminal's edge: one row knows nothing of the next."""
        if self._columns is None or not each.right:
            return each
        free = self._columns - 2 - width_of("".join(span.text for span in (*each.spans, *each.right)))
        return replace(each, spans=(*each.spans, Span(" " * free)))
