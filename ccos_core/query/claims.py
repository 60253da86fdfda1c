"""`claims`, `tension`: what is claimed, how much speaks for and against it over time; `support` and `contradict` it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import Usage
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count
from ccos_core.query.believing import Belief, belief, believed
from ccos_core.query.believing import claims as claims_until
from ccos_core.query.node_names import claim_named, claim_node, known_statements, statement_named
from ccos_core.query.question import Argument, Plan, Question
from ccos_core.query.recorded import home_of, writing
from ccos_core.query.remembered import AGAINST, CLAIM, FOR, FULL_WEIGHT, MEMO
from ccos_core.query.remembering import bounded_text, speak

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 40
MOST_WEIGHT = 1_000  # thousandths
NUMBER_COLUMNS, STANDING_COLUMNS, NARROWEST = 22, 11, 20


@dataclass(frozen=True, slots=True)
class BeliefAt:
    """What is believed from a step on."""

    step: int
    belief: int
    tension: int


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim or statement."""

    node: str
    text: str
    belief: int
    """From -1000 to 1000."""

    tension: int
    """How much speaks on both sides, up to 1000."""

    standing: str
    """`asserted`, `superseded`, `retracted` or `expired`."""

    supports: int
    """Ops that speak for it, ever."""

    contradicts: int
    """Ops that speak against it, ever."""

    course: tuple[BeliefAt, ...]
    """Every step at which anything was said of it."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The answer to `claims` and `tension`."""

    schema: ClassVar[str] = "ccos.claims/1"
    at: int
    contested: bool
    """Whether only those are listed on which evidence speaks on both sides, statements among them."""

    found: int
    """How many there are, listed or not."""

    claims: tuple[ClaimRow, ...]
    """Those listed: the last spoken of first, or the most contested first."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; Enter leads to where it was spoken of last."""
        what = "contested claim" if self.contested else "claim"
        room = max((view.columns or 120) - NUMBER_COLUMNS - STANDING_COLUMNS - 2, NARROWEST)
        rows = [_row(each, room) for each in self.claims]
        head = title(f"{count(self.found, what)} up to step {self.at:,}")
        return [head, *rows, *and_more(self.found - len(self.claims), "claim")]


def _row(each: ClaimRow, room: int) -> Row:
    numbers = Span(f"{each.belief:>+6,} tension {each.tension:>4,}  ", "", f"belief {each.belief:,}, ")
    stands = clean(each.standing)
    standing = Span(f"{stands:<{STANDING_COLUMNS}}", "quiet", f"{stands}, ")
    sides = f" {each.supports:,} for, {each.contradicts:,} against"
    leads = Moment(each.course[-1].step) if each.course else None
    return row(numbers, standing, clip(clean(each.text), room), right=[sides], leads=leads)


def claims(timeline: Timeline, at: int, claim: str | None, limit: int) -> Claims | Belief:
    """List the claims up to a step; or tell one claim over time."""
    if claim is not None:
        node = statement_named(timeline, claim, at) if claim.startswith(MEMO) else claim_named(timeline, claim, at)
        found = belief(timeline, at, node)
        return found if found is not None else Belief(node, at, 0, 0, "asserted", (), smoothed=False)
    rows = [_claim(timeline, at, node, node.removeprefix(CLAIM)) for node in claims_until(timeline, at)]
    rows.sort(key=lambda each: each.course[-1].step, reverse=True)
    return Claims(at, False, len(rows), tuple(rows[: limit or None]))


def tension(timeline: Timeline, at: int, limit: int) -> Claims:
    """List the claims and statements on which evidence speaks on both sides, the most contested first."""
    nodes = [node for node in believed(timeline, at) if node.startswith((CLAIM, MEMO))]
    texts = known_statements(timeline, at) if any(node.startswith(MEMO) for node in nodes) else {}
    texts.update((node, node.removeprefix(CLAIM)) for node in nodes if node.startswith(CLAIM))
    rows = [_claim(timeline, at, node, texts[node]) for node in nodes if node in texts]
    rows = sorted((each for each in rows if each.tension), key=lambda each: (-each.tension, each.node))
    return Claims(at, True, len(rows), tuple(rows[: limit or None]))


def _claim(timeline: Timeline, at: int, node: str, text: str) -> ClaimRow:
    found = belief(timeline, at, node)
    assert found is not None  # it was spoken of
    course = tuple(BeliefAt(each.step, each.belief, each.tension) for each in found.trajectory)
    sides = [sum(each.kind == kind for each in found.trajectory) for kind in (FOR, AGAINST)]
    return ClaimRow(node, text, found.belief, found.tension, found.standing, sides[0], sides[1], course)


def speak_of(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    actor: str,
    claim: str,
    by: tuple[str, ...],
    weight: int,
    words: str | None,
    *,
    kind: str,
) -> Plan:
    """Plan evidence for or against a claim, which it makes if there is none, or a statement."""
    if weight > MOST_WEIGHT:
        raise Usage(f"is more than {MOST_WEIGHT:,}", place=f"{weight:,}", hint="1000 is full authority.")
    is_memo = claim.startswith(MEMO)
    node = statement_named(timeline, claim, at, user) if is_memo else claim_node(bounded_text(claim))
    return speak(home_of(timeline, user, node), actor, node, kind, words or "", by, weight)


SPEAKING = (
    Argument("by", "things", "the evidence", default=(), flag=True),
    Argument("weight", "count", "authority of the evidence, up to 1000", default=FULL_WEIGHT, flag=True),
    Argument("words", "name", "why", flag=True),
    Argument("claim", "text", "the claim, worded the same each time, or the memo:ID of a statement", required=True),
)
QUESTIONS = {
    "claims": Question(
        ask=claims,
        answers=(Claims, Belief),
        example="claims",
        arguments=(
            Argument("limit", "count", "claims to list; 0 lists all", default=LIMIT, flag=True),
            Argument("claim", "text", "one claim, to see its evidence by step"),
        ),
        about="Belief is (s - c) / (s + c + 1) for the sums s of what supports a claim and c of what contradicts it, "
        "tension 2·√(s·c) / (s + c + 1), both in thousandths.",
        nothing=lambda answer: isinstance(answer, Claims) and not answer.claims,
    ),
    "tension": Question(
        ask=tension,
        answers=(Claims,),
        example="tension",
        arguments=(Argument("limit", "count", "claims to list; 0 lists all", default=LIMIT, flag=True),),
        nothing=lambda answer: not answer.claims,
    ),
    "support": writing(
        partial(speak_of, kind=FOR),
        "support rates are floats --by src/db.py",
        SPEAKING,
    ),
    "contradict": writing(
        partial(speak_of, kind=AGAINST),
        "contradict rates are floats --by src/db.py",
        SPEAKING,
    ),
}
