"""`outcome`: how a session ended, and what that says of the rules that it had in its window and followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.errors import NotFound
from ccos_core.learn.rule import EXPLICIT, IMPORT, INLINE, LIVE, MOST_WEIGHT, OUTCOME
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.query.contexts import contexts_of, meant
from ccos_core.query.playbook.outcomes import (
    FAILURE,
    SUCCESS,
    VERDICTS,
    Ending,
    Followed,
    SessionWork,
    Sign,
    ending_of,
    followed_rules,
)
from ccos_core.query.playbook.playbook_rules import read_playbook
from ccos_core.query.question import Argument, Plan, Question
from ccos_core.query.remembered import AGAINST, FOR

if TYPE_CHECKING:
    from ccos_core.query.contexts import Context
    from ccos_core.replay.timeline import Timeline

SHOW, RECORD = "show", "record"
ROLES = {SUCCESS: "good", FAILURE: "bad"}


@dataclass(frozen=True, slots=True)
class CreditedRule:
    """A rule that the session followed."""

    id: str
    """`memo:` and 16 hex digits."""

    content: str
    """Its words."""

    step: int
    """The first step that follows it."""

    shown: tuple[str, ...]
    """The words of that step that show it."""

    weight: int
    """What the outcome says of it, in thousandths: negative if it harmed, 0 if it says nothing."""

    known: bool
    """Whether feedback of this session on it is recorded already, so that nothing is added."""


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """The answer to `outcome`."""

    schema: ClassVar[str] = "ccos.outcome/1"
    at: int
    host: str
    """Whose session it is: `claude-code`, `codex`, ..."""

    session: str
    """The session that is meant."""

    verdict: str
    """`success`, `failure`, `partial`, `mixed` or `unknown`."""

    said: bool
    """Whether the verdict was given, and not read from the record."""

    way: str
    """`test` if tests show it, else `outcome`."""

    signs: tuple[Sign, ...]
    """What the record shows of the end: tests, commits, the user's words."""

    rules: tuple[CreditedRule, ...]
    """The rules that the session followed while its window had them."""

    changed: bool
    """Whether feedback was recorded."""

    step: int = 0
    """The step of the last feedback recorded now; 0 if none was."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Say how it ended and why, then what that says of each rule."""
        return list(_rows(self))


def outcome(timeline: Timeline, at: int, user: Timeline | None, verdict: str, words: str, session: str | None) -> Plan:
    """Return how a session ended, and plan to record what that says of the rules it followed."""
    who, contexts = _session(timeline, at, session)
    work = SessionWork(timeline, contexts, at)
    is_said = verdict in VERDICTS
    ending = ending_of(work)
    if is_said:
        ending = Ending(verdict, OUTCOME, MOST_WEIGHT[OUTCOME], ending.signs)
    playbook = read_playbook(timeline, at, user)
    followed = followed_rules(work, [each for each in playbook.rules if each.standing == LIVE])
    rules = tuple(_credited(each, ending, who.session, is_said=is_said) for each in followed)
    ops: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for each, credited in zip(followed, rules, strict=True):
        if verdict != SHOW and credited.weight and not credited.known:
            ops[each.rule.for_user].append(_evidence(credited, ending, who, words))
    changed = bool(ops[False] or ops[True])
    answer = SessionOutcome(
        at=at,
        host=who.host,
        session=who.session,
        verdict=ending.verdict,
        said=is_said,
        way=ending.way,
        signs=ending.signs,
        rules=rules,
        changed=changed,
    )
    return Plan(tuple(ops[False]), answer, beside=tuple(ops[True]))


# ---- helpers ----


def _session(timeline: Timeline, at: int, session: str | None) -> tuple[Context, list[int]]:
    """Return the session that is meant, by default the one that spoke last, and the numbers of its contexts."""
    numbers = meant(timeline, session, None) if session is not None else []
    who = contexts_of(timeline)[numbers[0]] if numbers else _last_by_time(timeline, at)
    if who is None:
        raise NotFound("there is no session in this record", place="session")
    every = contexts_of(timeline)
    return who, [number for number, each in every.items() if (each.host, each.session) == (who.host, who.session)]


def _last_by_time(timeline: Timeline, at: int) -> Context | None:
    """Return the context that spoke last by the clock, whatever the order of imports; of equal times the last step."""
    named = {number: each for number, each in contexts_of(timeline).items() if each.session}
    contexts, times = (timeline.journal.steps[name][:at] for name in ("context", "at"))
    rows = np.flatnonzero(np.isin(contexts, list(named)))
    if not len(rows):
        return None
    last = rows[np.flatnonzero(times[rows] == times[rows].max())[-1]]
    return named[int(contexts[last])]


def _credited(each: Followed, ending: Ending, session: str, *, is_said: bool) -> CreditedRule:
    is_blamed = ending.verdict == FAILURE and (not ending.failing_since or ending.failing_since > each.step)
    weight = ending.weight if ending.verdict == SUCCESS else -ending.weight if is_blamed else 0
    given = [one for one in each.rule.feedback if one.session == session and one.way != IMPORT]
    known = any(one.way in (EXPLICIT, INLINE) for one in given)
    known = known or bool(given and (not is_said or (given[-1].way, given[-1].sign * weight > 0) == (OUTCOME, True)))
    return CreditedRule(each.rule.id, each.rule.content, each.step, each.shown, weight, known)


def _evidence(rule: CreditedRule, ending: Ending, who: Context, words: str) -> dict[str, Any]:
    why = words or "; ".join(f"{each.says} (step {each.step})" for each in ending.signs)
    return {
        "kind": FOR if rule.weight > 0 else AGAINST,
        "claim": rule.id,
        "weight": abs(rule.weight),
        "way": ending.way,
        "words": f"{ending.verdict}: {why}; followed at step {rule.step}",
        "for_session": who.session,
    }


# ---- its rows ----


def _rows(answer: SessionOutcome) -> Iterator[Row]:
    said = ", as was said" if answer.said else ""
    yield title(f"session {clean(answer.session)} up to step {answer.at:,}: {clean(answer.verdict)}{said}")
    for sign in answer.signs:
        word, role = ("+", "good") if sign.good else ("-", "bad")
        step = Span(f"{sign.step:>7}  ", "quiet", f"step {sign.step:,}, ")
        mark = Span(word, role, "good: " if sign.good else "bad: ")
        yield row(step, mark, f" {clean(sign.kind)}: {clean(sign.says)}", leads=Moment(sign.step))
    if not answer.rules:
        yield note("  it followed no rule that its window had")
    if answer.said and not answer.changed:
        yield note("  nothing was recorded: a verdict is kept only as feedback on rules that the session followed")
    for each in answer.rules:
        role = "good" if each.weight > 0 else "bad" if each.weight < 0 else "quiet"
        value = f"{'-' if each.weight < 0 else '+'}0.{abs(each.weight):03}" if each.weight else "nothing"
        known = ", already counted" if each.known else ""
        shown = f" ({clean(', '.join(each.shown))})" if each.shown else ""
        yield row(Span(f"  {value:>8}", role), f"  “{clean(each.content)}”{known}", leads=Moment(each.step))
        yield note(f"            followed at step {each.step:,}{shown}")


QUESTION = Question(
    ask=outcome,
    answers=(SessionOutcome,),
    needs=("user",),
    writes=True,
    timeless=True,
    example="outcome record",
    arguments=(
        Argument(
            "verdict",
            "word",
            "show or record what the record shows, or say how it ended",
            default=SHOW,
            words=(SHOW, RECORD, *VERDICTS),
        ),
        Argument("session", "name", "the session; by default the one that spoke last", flag=True),
        Argument("words", "text", "why", default=""),
    ),
    about=(
        "Tests come first: a run that passed after the last edit, or failures that live on; then commits, then the "
        "user's last words. Only rules that a window held word for word when a step followed them are credited, with "
        "at most 0.3 of an explicit mark, once for each session, and not if they were rated or marked there. A failure "
        "counts against those after which it began. What points both ways counts for none."
    ),
)
