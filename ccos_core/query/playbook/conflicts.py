"""`conflicts`: pairs of rules that can't both be followed, side by side, of the project and the user's own record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.learn.conflict import SCOPE, VALUE, conflicts_among
from ccos_core.learn.inversion import meaning
from ccos_core.learn.maturity import effective_score, maturity
from ccos_core.learn.rule import LIVE
from ccos_core.memory.boundaries import time_of
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.playbook.playbook_rules import last_time, read_playbook
from ccos_core.query.playbook.rule import thousandths
from ccos_core.query.question import Argument, Question

if TYPE_CHECKING:
    from ccos_core.learn.rule import Rule
    from ccos_core.learn.score import Thresholds
    from ccos_core.replay.timeline import Timeline

LIMIT = 40
NARROWEST = 24


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One of two rules that contradict each other."""

    id: str
    """`memo:` and 16 hex digits."""

    content: str
    """Its words."""

    kind: str
    """`rule` or `anti-pattern`."""

    for_user: bool
    """Whether the user's own record holds it; else the project's."""

    born: int
    """The step at which it was first remembered, in its record."""

    maturity: str
    """`candidate`, `established`, `proven` or `deprecated`."""

    effective_score: int
    """In thousandths."""


@dataclass(frozen=True, slots=True)
class RuleConflict:
    """Two rules that can't both be followed."""

    kind: str
    """`value`: each chooses another value for one subject. `negation`: one forbids what the other says. `opposite`:
    one demands what the other forbids. `scope`: one holds always, the other names an exception."""

    subject: str
    """What both decide about, such as `database`; empty where their words tell."""

    values: tuple[str, ...]
    """What each chooses, or the words they share."""

    sides: tuple[ConflictSide, ...]
    """The two rules, the one with the higher score first."""


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The answer to `conflicts`."""

    schema: ClassVar[str] = "ccos.conflicts/1"
    at: int
    now: int
    """The time for which scores are computed, in milliseconds."""

    rules: int
    """How many live rules were compared."""

    found: int
    """How many pairs contradict each other, listed or not."""

    conflicts: tuple[RuleConflict, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def conflicts(timeline: Timeline, at: int, user: Timeline | None, now: str | None, limit: int) -> Conflicts:
    """List the pairs of live rules that contradict each other; a `limit` of 0 lists them all."""
    playbook = read_playbook(timeline, at, user)
    live = [each for each in playbook.rules if each.standing == LIVE]
    time = time_of(now) if now is not None else last_time(timeline, at)
    found = []
    for first, second, conflict in conflicts_among([meaning(each) for each in live]):
        if live[first].id != live[second].id:
            sides = [_side(live[place], time, playbook.thresholds) for place in (first, second)]
            sides.sort(key=lambda each: (-each.effective_score, each.id))
            values = conflict.values
            if conflict.kind == VALUE and sides[0].id != live[first].id:
                values = values[::-1]
            found.append(RuleConflict(conflict.kind, conflict.subject, values, tuple(sides)))
    return Conflicts(at, time, len(live), len(found), tuple(found[: limit or None]))


def _side(rule: Rule, now: int, thresholds: Thresholds) -> ConflictSide:
    return ConflictSide(
        rule.id, rule.content, rule.kind, rule.for_user, rule.born,
        maturity(rule, now, thresholds), effective_score(rule, now, thresholds),
    )  # fmt: skip


# ---- its rows ----


def _rows(answer: Conflicts, view: View) -> Iterator[Row]:
    compared = f"among {count(answer.rules, 'live rule')} up to step {answer.at:,}"
    if not answer.found:
        yield title(f"no conflict {compared}")
        return
    yield title(f"{count(answer.found, 'conflict')} {compared}")
    room = max((view.columns or 120) - 32, NARROWEST)
    for each in answer.conflicts:
        yield row(Span("✗ ", "bad", "conflict: "), Span(_said(each), "strong"))
        for side in each.sides:
            where = " yours" if side.for_user else ""
            trust = f" {clean(side.maturity)} {thousandths(side.effective_score)}{where}"
            leads = None if side.for_user else Moment(side.born)
            yield row("    ", clip(clean(side.content), room), right=[Span(trust, "quiet")], leads=leads)
            yield note(f"      {clean(side.id)}")
    yield from and_more(answer.found - len(answer.conflicts), "conflict")


def _said(each: RuleConflict) -> str:
    """Say in a line how two rules contradict each other."""
    values = clean(", ".join(each.values))
    if each.kind == VALUE:
        return f"{clean(each.subject)}: {clean(' or '.join(each.values))}"
    if each.kind == SCOPE:
        return f"one holds always, the other has an exception: {values}"
    return f"one forbids what the other says: {values}"


QUESTION = Question(
    ask=conflicts,
    answers=(Conflicts,),
    needs=("user",),
    example="conflicts",
    arguments=(
        Argument("now", "name", "the time to score rules at; by default that of the step", flag=True),
        Argument("limit", "count", "pairs to list; 0 lists all", default=LIMIT, flag=True),
    ),
    about="Rules contradict each other by words that they share, or by the value they choose for one subject: "
    "`Prefer PostgreSQL` and `Use SQLite` share no word. Rules for different places don't. `supersede` settles one.",
    nothing=lambda answer: not answer.found,
)
