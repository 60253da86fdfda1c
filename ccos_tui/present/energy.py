"""Who got hotter and who colder, by how much, and by which ops. Figures are in reads: 1.00 is a fresh one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from ccos_core.serve.says.energy import CAUSES, EIGHTHS, reads, signed
from ccos_core.serve.words import count
from ccos_tui.present.parts import and_more, bar, node_name, op_row
from ccos_tui.present.rows import Moment, Row, Span, clip_path, heading, row

if TYPE_CHECKING:
    from ccos_core.query.energy import Cause, Energy, Moved

COLUMNS = 20
"""Cells of a curve."""
CURVES_FROM = 64
"""Columns from which on there is room for curves, ..."""
BARS_FROM = 44
"""... and for bars."""
BAR = 6
FIGURE = 8
"""Columns of a figure."""
NOTHING_MOVED = "Nothing got hotter or colder: no read, no edit, and no failure that is new."


def rows_of(answer: Energy, width: int) -> list[Row]:
    """The sum of it, then the nodes: hotter ones first, those that moved most first."""
    if not answer.moved:
        return [row(Span(NOTHING_MOVED, "quiet"))]
    hotter = [each for each in answer.nodes if each.moved > 0]
    colder = [each for each in answer.nodes if each.moved < 0]
    level = [each for each in answer.nodes if not each.moved]
    most = max((abs(each.moved) for each in answer.nodes), default=0) or 1
    return [
        _summary(answer),
        *_totals(answer.totals, width),
        *_section("hotter", hotter, most, width),
        *_section("colder", colder, most, width),
        *_section("as hot as before, by other causes", level, most, width),
        *and_more(answer.moved - len(answer.nodes), "node"),
    ]


def curve(course: Sequence[int]) -> list[Span]:
    """How warm a node was from the first step to the last; its warmest is as high as it goes."""
    most = max(course, default=0)
    spans: list[Span] = []
    for each in course:
        high = (each * len(EIGHTHS) - 1) // most if each else -1
        role = f"hot-{1 + high * 5 // len(EIGHTHS)}" if each else "quiet"
        sign = EIGHTHS[high] if each else " "
        if spans and spans[-1].role == role:
            spans[-1] = Span(spans[-1].text + sign, role)
        else:
            spans.append(Span(sign, role))
    return spans


def _summary(answer: Energy) -> Row:
    spans = [Span(f"{count(answer.moved, 'node')} moved", "strong")]
    if answer.gained:
        spans.append(Span(f"  {signed(answer.gained)} hotter", "entered"))
    if answer.lost:
        spans.append(Span(f"  {signed(answer.lost)} colder", "left"))
    return Row(tuple(spans), (Span(f"in reads of step {answer.last:,}", "quiet"),))


def _totals(totals: Sequence[Cause], width: int) -> Iterator[Row]:
    """All that moved, by cause."""
    most = max((abs(each.moved) for each in totals), default=1)
    for each in totals:
        yield Row((*_signed(each.moved, most, width), Span(CAUSES[each.cause], "quiet")))


def _section(title: str, nodes: Sequence[Moved], most: int, width: int) -> Iterator[Row]:
    if nodes:
        yield heading(title, *(("first step to last",) if width >= CURVES_FROM and nodes[0].course else ()))
    for each in nodes:
        yield _moved(each, most, width)
        for mover in each.ops:
            said = ", ".join(CAUSES[cause] for cause in mover.causes)
            yield op_row(mover.op, Span(f"   {signed(mover.moved):>{FIGURE}} {said}  ", "quiet"), longest=40)
        if each.more:
            yield row(Span(f"   {'':>{FIGURE}} and {count(each.more, 'more op')}", "quiet"))


def _moved(each: Moved, most: int, width: int) -> Row:
    """`+0.82 ███   src/db.py#load  7.18 → 8.00   ▁▂▅█`."""
    shown = curve(each.course) if width >= CURVES_FROM else []
    first = _signed(each.moved, most, width)
    ends = Span(f"  {reads(each.before)} → {reads(each.after)}", "quiet")
    taken = sum(cell_len(span.text) for span in (*first, *shown, ends)) + 2
    name = Span(clip_path(node_name(each.node), max(width - taken, 8)), "link")
    return Row((*first, name, ends), tuple(shown), Moment(node=each.node))


def _signed(moved: int, most: int, width: int) -> list[Span]:
    """The figure, with its bar where there is room."""
    role = "entered" if moved > 0 else "left"
    spans = [Span(f"{signed(moved):>{FIGURE}} ", role)]
    if width >= BARS_FROM:
        spans.append(Span(set_cell_size(bar(abs(moved), most, BAR), BAR) + " ", role))
    return spans
