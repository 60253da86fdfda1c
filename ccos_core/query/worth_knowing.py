"""`context`: what was remembered and said that matters for a task, within a token budget.

Without a query these are the live statements that were remembered; with one, everything that was said in
this record too, the best first, as `said` finds it. What was said in another project is told only
if its scope is the user, for then it is in the user's own record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.contexts import last_speaker
from ccos_core.query.node_names import known_statements
from ccos_core.query.question import Argument, Question
from ccos_core.query.remembered import (
    FULL_WEIGHT,
    LIVE,
    Assertions,
    Objection,
    assertion_ops,
    assertions_of,
    remembered_until,
)
from ccos_core.query.saying.utterance import USER
from ccos_core.text.retrieval.scores import best_first
from ccos_core.text.retrieval.talk import Talk, Turn
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

BUDGET = 600
IMPACT = {
    "correction": 1_000, "preference": 900, "failed-attempt": 900, "decision": 800, "todo": 800, "rule": 800,
    "anti-pattern": 800, "lesson": 700, "fact": 500, "note": 400, "diary": 200,
}  # fmt: skip
"""Class → how much a statement of it matters by itself, in thousandths."""
OTHER_IMPACT = 300
NOTHING = (
    "Nothing of it was asked to be remembered (`remember` does that). `retold` shows what the agent would be told now "
    "of what its window lost; `statements` lists all that was said."
)
UNCONFIRMED = "by an agent, not confirmed by the user"
KEPT_TALKS = 2
"""Lists of statements, each of other steps, whose words stay known."""


@dataclass(frozen=True, slots=True)
class KnownStatement:
    """One statement that matters."""

    memo: str
    """Its id."""

    text: str
    cls: str
    """Its class; empty if it has none."""

    scope: str
    """Where it holds; empty for what was only said."""

    author: str
    """`user`, or who asked to remember it: `agent` where no person did."""

    step: int
    """Where it was remembered last; 0 if it was only said, or stands in the user's own record."""

    objection: Objection | None = None
    """How others than a person would have a statement of the user stand; None if they didn't say."""


@dataclass(frozen=True, slots=True)
class WorthKnowing:
    """The answer to `context`."""

    schema: ClassVar[str] = "ccos.context/1"
    at: int
    query: str
    """The words it was asked for; empty for all that is remembered."""

    budget: int
    tokens: int
    text: str
    """The statements as lines, each with its class, scope and id."""

    statements: tuple[KnownStatement, ...]
    """Those that fit, the most important first."""

    more: int
    """How many are left out."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each statement."""
        said = f" for “{clean(self.query)}”" if self.query else ""
        head = title(f"{count(len(self.statements), 'statement')}{said}, about {self.tokens:,} tokens")
        nothing = [note(NOTHING)] if not self.statements and not self.more else []
        return [head, *nothing, *(_row(each) for each in self.statements), *and_more(self.more, "statement")]


def _row(each: KnownStatement) -> Row:
    filed = _filed(each)
    leads = Moment(each.step) if each.step else None
    return row(
        Span(f"  [{clean(filed)}] " if filed else "  ", "quiet"),
        clean(each.text),
        right=[clean(each.memo)],
        leads=leads,
    )


def worth_knowing(timeline: Timeline, at: int, user: Timeline | None, query: str, budget: int) -> WorthKnowing:
    """Choose statements for a query within `budget` tokens; a statement that doesn't fit ends the list."""
    ranked = _by_query(timeline, at, user, query) if query.strip() else _by_impact(timeline, at, user)
    lines: list[str] = []
    tokens = 0
    for each in ranked:
        cost = estimate(_line(each) + "\n")
        if tokens + cost > budget:
            break
        lines.append(_line(each))
        tokens += cost
    kept = tuple(ranked[: len(lines)])
    return WorthKnowing(at, query, budget, tokens, "\n".join(lines), kept, len(ranked) - len(kept))


def _filed(each: KnownStatement) -> str:
    """Say what a statement is, where it holds, who made it if no person did, and who would take it back."""
    author = UNCONFIRMED if _is_unconfirmed(each, each.step) else f"by the {each.author}" if each.author != USER else ""
    objection = str(each.objection) if each.objection is not None else ""
    return ", ".join(filter(None, (each.cls, each.scope, author, objection)))


def _line(each: KnownStatement) -> str:
    filed = _filed(each)
    return f"- {f'[{filed}] ' if filed else ''}{' '.join(each.text.split())} ({each.memo})"


def _by_impact(timeline: Timeline, at: int, user: Timeline | None) -> list[KnownStatement]:
    """Return what is remembered and holds here: pinned first, then by class and weight, the last remembered first.
    What no person confirmed in the user's own record comes last."""
    found = _remembered(timeline, at, user)
    found.sort(key=lambda pair: (_is_unconfirmed(*pair), not pair[0].pinned, -_impact(pair[0]), -pair[1], pair[0].node))
    return [
        KnownStatement(each.node, each.text, each.cls, each.scope, each.author, step, each.objection)
        for each, step in found
    ]


def _by_query(timeline: Timeline, at: int, user: Timeline | None, query: str) -> list[KnownStatement]:
    """Return everything that was said here or is remembered and has words of a query, the best first."""
    kept = {each.node: (each, step) for each, step in _remembered(timeline, at, user)}
    said = known_statements(timeline, at, authors=(USER,))
    spoken_of = assertion_ops(timeline, at)
    filed = {memo: assertions_of(timeline, memo, at) for memo in said if memo in spoken_of}
    known = {memo: text for memo, text in said.items() if memo not in filed or _is_live(filed[memo])}
    known.update((memo, each.text) for memo, (each, _) in kept.items())
    memos = list(known)
    kept_talks: dict[tuple[str, ...], Talk] = timeline.journal.once("talk of statements", dict)
    talk = kept_talks.pop(tuple(memos), None)
    if talk is None:
        talk = Talk([Turn("", known[memo], group) for group, memo in enumerate(memos)])
    kept_talks[tuple(memos)] = talk
    while len(kept_talks) > KEPT_TALKS:
        del kept_talks[next(iter(kept_talks))]
    found = []
    for memo in (memos[at] for at in best_first(talk.scores(query))):
        each, step = kept.get(memo, (None, 0))
        cls, scope, author = (each.cls, each.scope, each.author) if each is not None else ("", "", USER)
        each = each or filed.get(memo)
        objection = each.objection if each is not None else None
        found.append(KnownStatement(memo, known[memo], cls, scope, author, step, objection))
    return found


def _remembered(timeline: Timeline, at: int, user: Timeline | None) -> list[tuple[Assertions, int]]:
    """Return what is remembered, live and in scope here, with its step in this record."""
    here = remembered_until(timeline, at)
    found = [(each, each.stated) for each in here.values()]
    if user is not None:
        beside = remembered_until(user, user.head).values()
        found += [(each, 0) for each in beside if each.scope == "user" and each.node not in here]
    spoke = last_speaker(timeline, at)
    return [
        (each, step)
        for each, step in found
        if each.text
        and each.standing == LIVE
        and each.paged != "out"
        and each.session in ("", spoke.session if spoke else "")
    ]


def _is_unconfirmed(each: Assertions | KnownStatement, step: int) -> bool:
    """Whether an agent noted it for every project, and no person said or confirmed it."""
    return not step and each.author != USER and each.scope == USER


def _is_live(found: Assertions) -> bool:
    return found.standing == LIVE and found.paged != "out" and not found.born


def _impact(each: Assertions) -> int:
    return IMPACT.get(each.cls, OTHER_IMPACT) * each.weight // FULL_WEIGHT


QUESTION = Question(
    ask=worth_knowing,
    answers=(WorthKnowing,),
    needs=("user",),
    example="context invoices",
    arguments=(
        Argument("budget", "budget", "tokens the statements may take", default=BUDGET, flag=True),
        Argument("query", "text", "what it is for; without it, all that is remembered", default=""),
    ),
    nothing=lambda answer: not answer.statements,
)
