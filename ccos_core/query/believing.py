"""What was believed of a claim, step by step: what spoke for it and against it, and what that came to.

With s and c, the sums of what speaks for and against in thousandths, belief is (s − c) / (s + c + 1) and tension
2·√(s·c) / (s + c + 1), both told in thousandths. Each step knows what was said until then and nothing later, so the
past isn't judged by what came after. A retraction takes back all that was said; a superseded claim has another in its
place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.query.inline_marks import inline_marks
from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import (
    AGAINST,
    CLAIM,
    EXPLICIT,
    FOR,
    LIVE,
    MEMO,
    RETRACTED,
    SUPERSEDED,
    assertion_ops,
    ops_about,
    ruling_ops,
    standing_after,
)

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.node_ops import Ops
    from ccos_core.replay.timeline import Timeline

KINDS = (FOR, AGAINST, RETRACTED, SUPERSEDED)
ONE = 1_000
"""Full authority, and certainty."""


@dataclass(frozen=True, slots=True)
class BeliefStep:
    """An op that spoke of a claim, and what is believed since."""

    step: int
    kind: str
    """`supported`, `contradicted`, `retracted` or `superseded`."""

    by: tuple[str, ...]
    """What speaks so; or the claim that takes its place."""

    weight: int
    belief: int
    """From -1000 to 1000."""

    tension: int
    """How much speaks on both sides, up to 1000."""

    way: str
    """How evidence came up: `explicit`, `inline`, `test`, `outcome`, `import`; empty for other ops."""

    words: str
    """The reason that was given."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A claim over time."""

    schema: ClassVar[str] = "ccos.belief/1"
    claim: str
    at: int
    belief: int
    tension: int
    standing: str
    """`asserted`, `retracted` or `superseded`."""

    trajectory: tuple[BeliefStep, ...]
    """Between two of these steps nothing changes."""

    smoothed: bool
    """Whether what came later was taken back into the past. It never is yet."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show what is believed now, then each op that spoke of it with what was believed since."""
        head = title(f"{clean(self.claim)}: {clean(self.standing)}, belief {self.belief:+,}, tension {self.tension:,}")
        return [head, *map(_said_row, self.trajectory)]


def _said_row(said: BeliefStep) -> Row:
    roles = {FOR: "good", AGAINST: "bad"}
    what = Span(f"{clean(said.kind):<13}", roles.get(said.kind, "note"))
    by = f" by {clean(' '.join(said.by))}" if said.by else ""
    way = f" ({clean(said.way)})" if said.way not in ("", EXPLICIT) else ""
    words = f" “{clean(said.words)}”" if said.words else ""
    numbers = f"belief {said.belief:+,}, tension {said.tension:,}"
    step = Span(f"{said.step:>7} ", "quiet", f"step {said.step:,}, ")
    return row(step, what, f"{numbers}{by}{way}{words}", leads=Moment(said.step))


def belief(timeline: Timeline, at: int, claim: str) -> Belief | None:
    """Return what was believed of a claim up to a step; None if it was never spoken of."""
    said = tuple(_trajectory(timeline, at, claim))
    if not said:
        return None
    last = said[-1]
    standing = standing_after(claim, ruling_ops(timeline, claim, at))[0].replace(LIVE, "asserted")
    return Belief(claim, at, last.belief, last.tension, standing, said, smoothed=False)


def claims(timeline: Timeline, at: int) -> list[str]:
    """Return all claims that were spoken of up to a step, in the order in which they came up."""
    return [node for node in believed(timeline, at) if node.startswith(CLAIM)]


def believed(timeline: Timeline, at: int) -> list[str]:
    """Return all nodes for or against which anything was said up to a step, in the order in which they came up."""
    marked = [node for node in inline_marks(timeline, at) if node.startswith(MEMO)]
    nodes = [*assertion_ops(timeline, at), *marked]
    first = {node: next((step for step, _ in spoken_of(timeline, node, at)), at + 1) for node in nodes}
    return [node for node in sorted(first, key=first.__getitem__) if first[node] <= at]


def spoken_of(timeline: Timeline, node: str, at: int) -> list[tuple[int, Plain]]:
    """Return (step, op) of all evidence for or against a node and all that takes it back, up to a step. What agents
    mark in their own text counts for statements."""
    ruling = ruling_ops(timeline, node, at)
    ops = [each for each in ops_about(timeline, node, at) if each[1]["kind"] in (FOR, AGAINST)]
    ops += [each for each in ruling if each[1]["kind"] in (RETRACTED, SUPERSEDED)]
    marks = inline_marks(timeline, at).get(node, ()) if node.startswith(MEMO) else ()
    return sorted([*ops, *(each for each in marks if each[0] <= at)], key=lambda each: each[0])


def _trajectory(timeline: Timeline, at: int, claim: str) -> Iterator[BeliefStep]:
    for step, op, pro, contra in _weighed(spoken_of(timeline, claim, at)):
        kind, by = op["kind"], op.get("by", ())
        rests_on = (by,) if isinstance(by, str) else tuple(by)
        way = op.get("way", EXPLICIT) if kind in (FOR, AGAINST) else ""
        words = text_of(timeline, op.get("words"))
        yield BeliefStep(step, kind, rests_on, _weight(op), *weigh(pro, contra), way, words)


def sums(timeline: Timeline | None, at: int, node: str, then: Ops = ()) -> tuple[int, int]:
    """Return what speaks for a node and what against it up to a step, in thousandths, since it was last taken back; if
    these ops followed `then`."""
    every = [*_weighed([*(spoken_of(timeline, node, at) if timeline is not None else ()), *then])]
    return every[-1][2:] if every else (0, 0)


def _weighed(ops: Ops) -> Iterator[tuple[int, Plain, int, int]]:
    """Yield (step, op, what speaks for a node since, what against it) of what was said of it."""
    pro, contra = 0, 0
    for step, op in ops:
        if op["kind"] in (RETRACTED, SUPERSEDED):
            pro, contra = 0, 0
        pro += _weight(op) if op["kind"] == FOR else 0
        contra += _weight(op) if op["kind"] == AGAINST else 0
        yield step, op, pro, contra


def _weight(op: Plain) -> int:
    return max(0, int(op.get("weight", 0)))


def weigh(speaks_for: int, against: int) -> tuple[int, int]:
    """Return (belief, tension), in thousandths."""
    whole = speaks_for + against + ONE
    difference = speaks_for - against
    share = abs(difference) * ONE // whole
    return share if difference >= 0 else -share, 2 * isqrt(speaks_for * against) * ONE // whole
