"""The rules that a record knows up to a step, with their feedback; and those of the user's own record.

    playbook = read_playbook(timeline, at, user)
    playbook.rules       # all of them
    playbook.in_force    # the live ones; of two on the same subject the project's

Every step knows what was recorded until then. Of the user's own record that is what was recorded there by that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.learn.rule import KINDS, LIVE, Feedback, Rule
from ccos_core.learn.score import Thresholds, thresholds_of
from ccos_core.query.op_text import text_of
from ccos_core.query.playbook.feedback_marks import mark_feedback, marks_until, rule_named
from ccos_core.query.remembered import (
    AGAINST,
    EXPIRED,
    FOR,
    FULL_WEIGHT,
    RETRACTED,
    SUPERSEDED,
    assertion_ops,
    is_confirmed,
    remembered_until,
    revives,
    ruling_ops,
)
from ccos_core.query.saying.utterance import USER
from ccos_core.query.viewed import policy_at
from ccos_core.replay.codes import NO_TIME

if TYPE_CHECKING:
    from ccos_core.query.node_ops import Ops
    from ccos_core.query.remembered import Assertions
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

SameSubject = Callable[[Rule, Rule], bool]


def is_same_rule(one: Rule, other: Rule) -> bool:
    """Tell whether two rules say the same words."""
    return one.id == other.id


@dataclass(frozen=True, slots=True)
class Playbook:
    """All rules of a project and its user at a step."""

    rules: tuple[Rule, ...]
    """Those of the project, then those of the user's own record, each in the order in which they were remembered."""

    thresholds: Thresholds
    """By which they are scored."""

    def in_force(self, same_subject: SameSubject = is_same_rule) -> tuple[Rule, ...]:
        """Return the rules that stand; of the user's those about which the project has none on the same subject."""
        live = [each for each in self.rules if each.standing == LIVE]
        here = [each for each in live if not each.for_user]
        beside = (each for each in live if each.for_user)
        return (*here, *(each for each in beside if not any(same_subject(own, each) for own in here)))

    def rule(self, memo: str) -> Rule | None:
        """Return the rule with this id, the project's first; None if there is none."""
        return next((each for each in self.rules if each.id == memo), None)


def read_playbook(timeline: Timeline, at: int, user: Timeline | None = None) -> Playbook:
    """Return the rules that are known at a step."""
    kept: dict[tuple[int, Timeline | None, int], Playbook] = timeline.journal.once("playbook", dict)
    key = at, user, user.head if user is not None else 0
    if key not in kept:
        kept.clear()
        rules = [*_rules(timeline, at, for_user=False)]
        if user is not None:
            rules += _rules(user, _step_at(user, last_time(timeline, at)), for_user=True)
        thresholds = thresholds_of(policy_at(timeline, at).thresholds)
        kept[key] = Playbook(tuple(_marked(timeline, at, rules)), thresholds)
    return kept[key]


def last_time(timeline: Timeline, at: int) -> int:
    """Return when a step was recorded, or the last one before it of which that is known; 0 if none is."""
    times: Numbers = timeline.journal.once("last times", lambda: _last_times(timeline.journal.steps["at"]))
    return int(times[at - 1]) if at else 0


# ---- helpers ----


def _last_times(known: Numbers) -> Numbers:
    """Return for each step the last time that was known then; 0 where none was."""
    rows = np.maximum.accumulate(np.where(known != NO_TIME, np.arange(len(known)), -1))
    return np.where(rows >= 0, known[rows], 0)


def _step_at(user: Timeline, time: int) -> int:
    """Return the last step of the user's own record that was recorded by a time; the last of all if none is known."""
    known = user.journal.steps["at"][: user.head]
    later = np.flatnonzero((known != NO_TIME) & (known > time))
    return int(later[0]) if time and len(later) else user.head


def _rules(timeline: Timeline, at: int, *, for_user: bool) -> Iterator[Rule]:
    every = remembered_until(timeline, at)
    replaced: dict[str, list[str]] = {}
    for node, known in every.items():
        if known.standing == SUPERSEDED:
            replaced.setdefault(known.by, []).append(node)
    for known in every.values():
        if known.cls in KINDS and (known.scope == USER or not for_user):
            chain = (known.node, *_chain(known.node, replaced))
            sources = [source for node in chain for source in _sources(timeline, node, at)]
            yield replace(
                _rule(timeline, known, at, for_user=for_user),
                replaces=tuple(replaced.get(known.node, ())),
                source_sessions=tuple(dict.fromkeys(session for session, _ in sources if session)),
                source_agents=tuple(dict.fromkeys(host for _, host in sources if host)),
            )


def _marked(timeline: Timeline, at: int, rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the rules with what agents marked in this project while they stood."""
    marks: dict[str, list[Feedback]] = {}
    for name, said in marks_until(timeline, at).items():
        memo = rule_named(name, rules)
        if memo:
            marks.setdefault(memo, []).extend(mark_feedback(said, [last_time(timeline, step) for step, _ in said]))
    for rule in rules:
        given = [each for each in marks.get(rule.id, ()) if _stood(timeline, rule, each, at)]
        feedback = sorted([*rule.feedback, *given], key=lambda each: (each.at, each.for_user, each.step))
        yield replace(rule, feedback=tuple(feedback)) if given else rule


def _stood(timeline: Timeline, rule: Rule, mark: Feedback, at: int) -> bool:
    """Tell whether a rule stood when it was marked. What the user's own record says is compared by time."""
    if rule.for_user:
        return rule.created_at <= mark.at and (rule.standing == LIVE or mark.at <= rule.since_at)
    first, last = lifetime(ruling_ops(timeline, rule.id, at), at)
    return max(first, rule.born) <= mark.step <= last


def _rule(timeline: Timeline, known: Assertions, at: int, *, for_user: bool) -> Rule:
    ruling = ruling_ops(timeline, known.node, at)
    withdrawn = timeline.op(known.since) if known.standing != LIVE else {}
    ops = assertion_ops(timeline, at)[known.node]
    confirmed = [step for step, op in ops if step <= at and is_confirmed(op)]
    pinned = [step for step, op in ops if step <= at and op.get("pinned")]
    return Rule(
        id=known.node,
        content=known.text,
        kind=known.cls,
        for_user=for_user,
        scope=known.scope or "project",
        session=known.session,
        tags=known.tags,
        author=known.author,
        inferred=known.inferred,
        reasoning=known.reason,
        pinned=known.pinned,
        pinned_reason=next((each.text for each in known.notes if known.pinned and each.step > pinned[-1]), ""),
        standing=known.standing,
        since=known.since,
        since_at=last_time(timeline, known.since),
        replaced_by=known.by if known.standing == SUPERSEDED else "",
        how=known.how,
        withdrawn_because=text_of(timeline, withdrawn.get("words")) or str(withdrawn.get("policy", "")),
        born=known.born,
        created_at=last_time(timeline, known.born),
        confirmed_at=last_time(timeline, confirmed[-1]) if confirmed else 0,
        feedback=tuple(_feedback(timeline, ops, ruling, at, for_user=for_user)),
    )


def _feedback(timeline: Timeline, ops: Ops, ruling: Ops, at: int, *, for_user: bool) -> Iterator[Feedback]:
    """Yield what speaks for and against a rule, as far as it was said while the rule stood: since it last came back, or
    until it was taken back."""
    first, last = lifetime(ruling, at)
    for step, op in ops:
        if op["kind"] in (FOR, AGAINST) and first <= step <= last:
            yield Feedback(
                step=step,
                at=last_time(timeline, step),
                sign=1 if op["kind"] == FOR else -1,
                weight=int(op.get("weight", FULL_WEIGHT)),
                way=op.get("way", "explicit"),
                session=str(op.get("for_session", op.get("session", ""))),
                actor=op.get("actor", ""),
                cause=" ".join(op.get("by", ())),
                for_user=for_user,
                words=text_of(timeline, op.get("words")),
            )


def lifetime(ruling: Ops, at: int) -> tuple[int, int]:
    """Return the first and the last step of the time in which a statement stood last, by the ops that decide that."""
    first, last, is_live = 1, at, True
    for step, op in ruling:
        if op["kind"] in (SUPERSEDED, RETRACTED, EXPIRED):
            last, is_live = (step, False) if is_live else (last, False)
        elif not is_live and revives("", op):
            first, last, is_live = step, at, True
    return first, last


def _chain(memo: str, replaced: dict[str, list[str]]) -> tuple[str, ...]:
    """Return all that a rule replaced, and what that had replaced."""
    found: dict[str, None] = {}
    left = [*replaced.get(memo, ())]
    while left:
        each = left.pop(0)
        if each not in found and each != memo:
            found[each] = None
            left += replaced.get(each, ())
    return tuple(found)


def _sources(timeline: Timeline, memo: str, at: int) -> list[tuple[str, str]]:
    """Return (session, host) of all that remembered a statement, and of the sessions that its evidence speaks of."""
    found = []
    for step, op in assertion_ops(timeline, at).get(memo, ()):
        if step <= at and op["kind"] in ("remembered", FOR):
            found.append((str(op.get("for_session", op.get("session", ""))), str(op.get("host", ""))))
    return found
