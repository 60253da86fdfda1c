"""The words of `energy`: which nodes got warmer or lost heat, and by which ops. Figures are in reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured
from ccos_core.serve.words import count

if TYPE_CHECKING:
    from ccos_core.query.energy import Cause, Energy, Moved

CAUSES = {"read": "reads", "edit": "edits", "engaged": "attention", "failure": "failures"}
LONGEST = 50
EIGHTHS = "▁▂▃▄▅▆▇█"
"""How warm a node was in a column, against its own warmest."""


def says(answer: Energy, columns: int | None) -> Iterator[str]:
    """What moved in all, and each node with the op that moved it most."""
    yield f"steps {answer.first:,} → {answer.last:,}  in reads: 1.00 is what a read gives at step {answer.last:,}"
    yield f"  {_total(answer)}"
    rows = [_row(each) for each in answer.nodes]
    yield from parts.table(rows, left={1, 2} if any(each.course for each in answer.nodes) else {1})
    yield from parts.more(answer.moved - len(answer.nodes), "node")


def plain(answer: Energy) -> Iterator[str]:
    yield f"From step {answer.first:,} to step {answer.last:,}, in reads at the later step: {_total(answer)}."
    for each in answer.nodes:
        ends = f"from {reads(each.before)} to {reads(each.after)}"
        yield f"{parts.node(each.node)}: {_aloud(each.moved)}, {ends}. {_by(each)}."
        if each.course:
            yield f"Its score from the first step to the last: {', '.join(map(reads, each.course))}."
    if answer.moved > len(answer.nodes):
        yield f"And {count(answer.moved - len(answer.nodes), 'more node')}."


def reads(hundredths: int) -> str:
    """`1.00`, `12.50`."""
    return f"{hundredths // 100:,}.{hundredths % 100:02}"


def signed(hundredths: int) -> str:
    """`+1.00`, `-12.50`."""
    return ("-" if hundredths < 0 else "+") + reads(abs(hundredths))


def curve(course: Sequence[int]) -> str:
    """`▁▂▇█▅▂ ▁`: the warmest is as high as it goes, and where it was cold there is nothing."""
    most = max(course, default=0)
    return "".join(EIGHTHS[(each * len(EIGHTHS) - 1) // most] if each else " " for each in course)


def _total(answer: Energy) -> str:
    if not answer.moved:
        return "nothing moved"
    fade = f"a read at step {answer.first:,} is worth {reads(answer.fade)} now" if answer.first else ""
    both = [signed(each) for each in (answer.gained, answer.lost) if each]
    said = f"{count(answer.moved, 'node')} moved, {' and '.join(both)}"
    return "; ".join([said, *_causes(answer.totals)] + [fade] * bool(fade))


def _causes(causes: Sequence[Cause]) -> list[str]:
    return [", ".join(f"{CAUSES[each.cause]} {signed(each.moved)}" for each in causes)] if causes else []


def _row(each: Moved) -> tuple[str, ...]:
    moved = coloured(signed(each.moved), "good" if each.moved > 0 else "bad")
    course = (curve(each.course),) if each.course else ()
    return moved, parts.node(each.node, LONGEST), *course, f"{reads(each.before)} → {reads(each.after)}", _by(each)


def _by(each: Moved) -> str:
    """What moved it most the way it went."""
    along = [mover for mover in each.ops if (mover.moved > 0) == (each.moved > 0)] or list(each.ops)
    said = [f"{signed(mover.moved)} by {parts.step_words(mover.op, 40)}" for mover in along[:1]]
    left = len(each.ops) - 1 + each.more
    return "".join(said) + (f", and {count(left, 'more op')}" if left > 0 else "")


def _aloud(moved: int) -> str:
    return f"{'lost' if moved < 0 else 'gained'} {reads(abs(moved))}"
