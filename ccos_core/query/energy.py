"""`energy A B`: the heat that moved between two steps, node by node and by its cause, with the ops that moved it.

All of it is counted in reads: 1.00 is what a fresh read gives at the later step, other causes by their weight. Nothing
cools by itself in this figure, for it is taken as of one step: heat given before A is worth the same at both ends, only
less than it was at A (`fade` tells how much less). So what isn't touched in between hasn't moved, and heat falls only
where a failure ends, or is told anew of another place. What was renamed in between keeps its heat, and hasn't moved
either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip_path, width_of
from ccos_core.present.parts import CAUSES as CAUSE_WORDS
from ccos_core.present.parts import and_more, bar, curve, node_name, op_row, reads, signed
from ccos_core.present.rows import Moment, Row, Span, View, heading, note, title
from ccos_core.present.words import count
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.measure import hundredths, impulse_at
from ccos_core.replay.movement import Movement, Push, warmth
from ccos_core.state.rules import CAUSES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 12
"""Nodes that are listed by default."""
OPS = 3
"""Ops that are told of each."""
CURVES_FROM = 64
"""Columns from which on rows have room for curves, ..."""
BARS_FROM = 44
"""... and for bars."""
BAR = 6
"""Cells of a bar."""
FIGURE = 8
"""Columns of a figure."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Heat of one cause, in hundredths of a read."""

    cause: str
    """`read`, `edit`, `engaged`, or `failure`: the pressure of what fails."""

    moved: int
    """What came, less what went."""


@dataclass(frozen=True, slots=True)
class Mover:
    """An op, and what it moved of a node."""

    moved: int
    """In hundredths of a read."""

    causes: tuple[str, ...]
    op: Told


@dataclass(frozen=True, slots=True)
class Moved:
    """A node whose heat is another."""

    node: str
    """Its name at the later step."""

    before: int
    """Its heat at the first step, in hundredths of a read at the later one, ..."""

    after: int
    """... and at the later one."""

    moved: int
    causes: tuple[Cause, ...]
    """By cause; their sum is what moved."""

    ops: tuple[Mover, ...]
    """What moved it most, the most first; of equals what came last."""

    more: int
    """Ops that moved it besides."""

    course: tuple[int, ...]
    """How warm it was through the whole record, in as many columns as were asked for: the most of each. Its score in
    hundredths of a fresh read of a plain function at that very step, as `overview` tells the hottest of all."""


@dataclass(frozen=True, slots=True)
class Energy:
    """The answer to `energy`."""

    schema: ClassVar[str] = "ccos.energy/1"
    first: int
    last: int
    fade: int
    """What an impulse given at the first step is worth at the later one, in hundredths."""

    gained: int
    """The sum of what nodes gained, in hundredths of a read, ..."""

    lost: int
    """... and of what others lost."""

    totals: tuple[Cause, ...]
    """All that moved, by cause."""

    moved: int
    """How many nodes moved."""

    nodes: tuple[Moved, ...]
    """The first of them: what moved most, by name where it is the same."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return _rows(self, view)


def energy(timeline: Timeline, at: int, *, span: tuple[int, int], limit: int, columns: int) -> Energy:
    """What moved between two steps, whichever was said first."""
    first, last = min(span), max(span)
    begin, end, journal = timeline.at(first).last, timeline.at(last).last, timeline.journal
    movement = Movement(timeline, begin, end)
    by = movement.after - movement.before
    moved = by.sum(axis=1)
    nodes = [(node, warmth(timeline, node, end, columns) if columns else ()) for node in movement.most(limit)]
    return Energy(
        first=first,
        last=last,
        fade=hundredths(impulse_at(journal, begin), impulse_at(journal, end)),
        gained=int(moved[moved > 0].sum()),
        lost=int(moved[moved < 0].sum()),
        totals=_causes(by.sum(axis=0).tolist()),
        moved=int(np.count_nonzero(np.any(by != 0, axis=1))),
        nodes=tuple(_told(movement, node, course, Telling(timeline)) for node, course in nodes),
    )


def _told(movement: Movement, node: str, course: tuple[int, ...], telling: Telling) -> Moved:
    before, after = movement.ends(node)
    pushes = sorted(movement.pushes(node), key=lambda push: (-abs(sum(push.moved)), -push.step))
    return Moved(
        node=node,
        before=sum(before),
        after=sum(after),
        moved=sum(after) - sum(before),
        causes=_causes([now - was for was, now in zip(before, after, strict=True)]),
        ops=tuple(_mover(push, node, telling) for push in pushes[:OPS]),
        more=max(0, len(pushes) - OPS),
        course=course,
    )


def _mover(push: Push, node: str, telling: Telling) -> Mover:
    causes = tuple(cause for cause, moved in zip(CAUSES, push.moved, strict=True) if moved)
    return Mover(sum(push.moved), causes, telling.of(push.step, node))


def _causes(moved: Sequence[int]) -> tuple[Cause, ...]:
    return tuple(Cause(cause, each) for cause, each in zip(CAUSES, moved, strict=True) if each)


# ---- its rows ----


def _rows(answer: Energy, view: View) -> list[Row]:
    """The sum, then the nodes: hotter ones first, those that moved most first."""
    head = title(f"steps {answer.first:,} → {answer.last:,}")
    if not answer.moved:
        return [head, note("Nothing got hotter or colder: no read, no edit, and no failure that is new.")]
    most = max((abs(each.moved) for each in answer.nodes), default=0) or 1
    sections = (
        ("hotter", [each for each in answer.nodes if each.moved > 0]),
        ("colder", [each for each in answer.nodes if each.moved < 0]),
        ("as hot as before, by other causes", [each for each in answer.nodes if not each.moved]),
    )
    return [
        head,
        _summary(answer),
        *_totals(answer.totals, view.width),
        *(row for name, nodes in sections for row in _section(name, nodes, most, view.width)),
        *and_more(answer.moved - len(answer.nodes), "node"),
    ]


def _summary(answer: Energy) -> Row:
    spans = [Span(f"{count(answer.moved, 'node')} moved", "strong")]
    if answer.gained:
        spans.append(Span(f"  {signed(answer.gained)} hotter", "entered"))
    if answer.lost:
        spans.append(Span(f"  {signed(answer.lost)} colder", "left"))
    if answer.first:
        spans.append(Span(f"  a read at step {answer.first:,} is worth {reads(answer.fade)} now", "quiet"))
    return Row(tuple(spans), (Span(f"in reads of step {answer.last:,}", "quiet"),))


def _totals(totals: Sequence[Cause], width: int) -> Iterator[Row]:
    """All that moved, by cause."""
    most = max((abs(each.moved) for each in totals), default=1)
    for each in totals:
        yield Row((*_figure(each.moved, most, width), Span(CAUSE_WORDS[each.cause], "quiet")))


def _section(name: str, nodes: Sequence[Moved], most: int, width: int) -> Iterator[Row]:
    if nodes:
        with_curve = width >= CURVES_FROM and nodes[0].course
        yield heading(name, *((Span("first step to last", "", ""),) if with_curve else ()))
    for each in nodes:
        yield _node(each, most, width)
        for mover in each.ops:
            said = ", ".join(CAUSE_WORDS[cause] for cause in mover.causes)
            yield op_row(mover.op, Span(f"   {signed(mover.moved):>{FIGURE}} {said}  ", "quiet"), longest=40)
        if each.more:
            yield note(f"   {'':>{FIGURE}} and {count(each.more, 'more op')}")


def _node(each: Moved, most: int, width: int) -> Row:
    """`+0.82 ███   src/db.py#load  7.18 → 8.00   ▁▂▅█`."""
    shown = curve(each.course) if width >= CURVES_FROM else []
    first = _figure(each.moved, most, width)
    ends = Span(f"  {reads(each.before)} → {reads(each.after)}", "quiet")
    taken = sum(width_of(span.text) for span in (*first, *shown, ends)) + 2
    name = Span(clip_path(node_name(each.node), max(width - taken, 8)), "link")
    return Row((*first, name, ends), tuple(shown), Moment(node=each.node))


def _figure(moved: int, most: int, width: int) -> list[Span]:
    """The figure, with its bar where there is room."""
    role = "entered" if moved > 0 else "left"
    spans = [Span(f"{signed(moved):>{FIGURE}} ", role)]
    if width >= BARS_FROM:
        spans.append(Span(f"{bar(abs(moved), most, BAR)} ", role, ""))
    return spans


QUESTION = Question(
    ask=energy,
    answers=(Energy,),
    example="energy 4 9",
    arguments=(
        Argument("span", "span", "first and last step", required=True),
        Argument("limit", "count", "nodes to list; 0 lists all", default=LIMIT, flag=True),
        Argument(
            "columns",
            "count",
            "columns of each node's heat curve, from the first step to the last; 0 omits it",
            default=0,
            flag=True,
        ),
    ),
    nothing=lambda answer: not answer.nodes,
    about="The unit is one fresh read: 1.00 is what reading a node would add at the later step. Nodes that no "
    "step touched are left out.",
)
