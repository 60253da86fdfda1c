"""What was believed of a claim, step by step: what spoke for it and against it, and what that came to.

With s and c, the sums of what speaks for and against in thousandths, belief is (s − c) / (s + c + 1) and tension
2·√(s·c) / (s + c + 1), both told in thousandths. Each step knows what was said until then and nothing later, so the
past isn't judged by what came after. A retraction takes back all that was said; a superseded claim has another in its
place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from typing import TypeAlias

    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

    Spoken: TypeAlias = dict[str, list[tuple[int, Plain]]]

FOR, AGAINST, RETRACTED, SUPERSEDED = "supported", "contradicted", "retracted", "superseded"
KINDS = (FOR, AGAINST, RETRACTED, SUPERSEDED)
ONE = 1_000
"""Full authority, and certainty."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something was said of a claim, and what is believed since."""

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

    trajectory: tuple[Said, ...]
    """Between two of these steps nothing changes."""

    smoothed: bool
    """Whether what came later was taken back into the past. It never is yet."""


def belief(timeline: Timeline, at: int, claim: str) -> Belief | None:
    """What was believed of a claim up to a step; None where nobody ever said anything of it."""
    said = tuple(_trajectory(timeline, at, claim))
    if not said:
        return None
    last = said[-1]
    standing = last.kind if last.kind in (RETRACTED, SUPERSEDED) else "asserted"
    return Belief(claim, at, last.belief, last.tension, standing, said, smoothed=False)


def claims(timeline: Timeline, at: int) -> list[str]:
    """All claims of which anybody said anything up to a step, in the order in which they came up."""
    return [claim for claim, said in _spoken(timeline, at).items() if said[0][0] <= at]


def _trajectory(timeline: Timeline, at: int, claim: str) -> Iterator[Said]:
    weights = {FOR: 0, AGAINST: 0}
    for step, op in takewhile(lambda said: said[0] <= at, _spoken(timeline, at).get(claim, ())):
        kind, weight = op["kind"], max(0, int(op.get("weight", 0)))
        if kind in weights:
            weights[kind] += weight
        else:
            weights = dict.fromkeys(weights, 0)
        by = op.get("by", ())
        yield Said(step, kind, (by,) if isinstance(by, str) else tuple(by), weight, *_weighed(*weights.values()))


def _weighed(speaks_for: int, against: int) -> tuple[int, int]:
    """(belief, tension)."""
    whole = speaks_for + against + ONE
    difference = speaks_for - against
    share = abs(difference) * ONE // whole
    return share if difference >= 0 else -share, 2 * isqrt(speaks_for * against) * ONE // whole


def _spoken(timeline: Timeline, at: int) -> Spoken:
    """Claim → what was said of it up to a step, and of some until later, in the order in which they came up; each op is
    read once, whoever asks how often."""
    known: _Spoken = timeline.journal.growing("claims", _Spoken)
    known.go_on(timeline, at)
    return known.said


class _Spoken:
    """What was said of claims, as far as it was read."""

    def __init__(self) -> None:
        self.upto = 0
        self.said: Spoken = {}

    def go_on(self, timeline: Timeline, at: int) -> None:
        """Read what is new up to a step: who asks about an early one isn't kept from it by later damage."""
        codes = [KIND_CODES[kind] for kind in KINDS]
        for row in np.nonzero(np.isin(timeline.journal.steps["kind"][self.upto : at], codes))[0] + self.upto:
            op = timeline.op(int(row) + 1)
            self.said.setdefault(str(op["claim"]), []).append((int(row) + 1, op))
            self.upto = int(row) + 1
        self.upto = max(self.upto, min(at, timeline.journal.head))

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Later steps are read anew."""
        self.upto = min(self.upto, sizes["steps"])
        kept = {claim: [each for each in said if each[0] <= self.upto] for claim, said in self.said.items()}
        self.said = {claim: said for claim, said in kept.items() if said}
