"""A rule at one step of a conversation: whether the agent's window had it, by what, and what was done about it.

    moment = rule_moment(timeline, at, rule, session=None, context=None)
    moment.stands        # "told and followed", "known, not told", ...

A deed counts if it came after the rule was remembered and before it was taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, note, row
from ccos_core.query.carriers import Carriers
from ccos_core.query.hosted.item_names import carrier_name
from ccos_core.query.hosted.rows import agent_state, whose_words
from ccos_core.query.hosted.whose import Whose, chosen
from ccos_core.query.instructions.bearing import text_of_deed
from ccos_core.query.instructions.deeds import deed_of
from ccos_core.query.instructions.judging import FOLLOWS, VIOLATES
from ccos_core.query.playbook.outcomes import RuleInWindows, SessionWork
from ccos_core.query.question import HOST
from ccos_core.replay.residency.runs import IN, STATES, UNBORN
from ccos_core.text.retrieval.carried import normalised_words

if TYPE_CHECKING:
    from ccos_core.learn.rule import Rule
    from ccos_core.replay.timeline import Timeline

NOT_TOLD, LOST, TOLD = "known, not told", "told, and lost again", "told"
FOLLOWED, BROKEN = "told and followed", "told and not followed"
ROLES = {FOLLOWED: "good", BROKEN: "bad", LOST: "out", NOT_TOLD: "note"}
MOST_DEEDS = 12
"""Deeds that an answer lists, the last ones."""


@dataclass(frozen=True, slots=True)
class RuleDeed:
    """A step that follows a rule or breaks it."""

    step: int
    follows: bool
    """Whether it follows the rule; else it breaks it."""

    in_window: bool
    """Whether the agent's window had the rule just before it."""

    shown: tuple[str, ...]
    """The words of the step that show it."""


@dataclass(frozen=True, slots=True)
class RuleMoment:
    """How a rule stands in the agent's window at a step."""

    whose: Whose
    stands: str
    """`known, not told`, `told`, `told, and lost again`, or `told and followed` and `told and not followed` by the last
    deed that it speaks of while the window had it."""

    state: str
    """How its words stand in the window: `in`, `partial`, `stale`, `uncertain`, `out`, `unborn`."""

    since: int
    """Since which step they do."""

    told: int
    """The first step that brought it word for word; 0 if none did."""

    carriers: tuple[str, ...]
    """What has it word for word in the window at the step, such as `prompt 12`."""

    judged: bool
    """Whether deeds can be judged by its words."""

    followed: int
    """Deeds that follow it while the window had it."""

    broken: int
    """Deeds that break it while the window had it."""

    broken_untold: int
    """Deeds that break it while the window didn't have it."""

    deeds: tuple[RuleDeed, ...]
    """The last of these, in order."""


def rule_moment(
    timeline: Timeline, at: int, rule: Rule, *, session: str | None, context: str | None
) -> RuleMoment | None:
    """Return how a rule stands in the window of a context; None where no window is recorded."""
    try:
        number, whose = chosen(timeline, at, HOST, session, context)
    except NotFound:
        if session is not None or context is not None:
            raise
        return None
    carriers = Carriers(timeline, number)
    every = carriers.of(tuple(normalised_words(rule.content)), at)
    whole = [each for each in every if each.whole]
    held = [each for each in whole if carriers.held(each, at) == IN]
    state, since = carriers.state(every, at) if every else (UNBORN, 0)
    deeds = _deeds(timeline, at, number, rule)
    told = [each for each in deeds or () if each.in_window]
    if told:
        stands = FOLLOWED if told[-1].follows else BROKEN
    else:
        stands = TOLD if held else LOST if whole else NOT_TOLD
    return RuleMoment(
        whose=whose,
        stands=stands,
        state=STATES[state],
        since=since,
        told=min((each.step for each in whole), default=0),
        carriers=tuple(carrier_name(timeline.journal, each.item) for each in held[-MOST_DEEDS:]),
        judged=deeds is not None,
        followed=sum(each.follows for each in told),
        broken=sum(not each.follows for each in told),
        broken_untold=sum(not (each.follows or each.in_window) for each in deeds or ()),
        deeds=tuple(deeds or ())[-MOST_DEEDS:],
    )


def windows_of(timeline: Timeline, at: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Return for each text how the window of the conversation at a step has it: `in`, `out`, `unborn`, ...; empty
    where no window is recorded."""
    try:
        number, _ = chosen(timeline, at, HOST, None, None)
    except NotFound:
        return ("",) * len(texts)
    carriers = Carriers(timeline, number)
    every = (carriers.of(tuple(normalised_words(each)), at) for each in texts)
    return tuple(STATES[carriers.state(each, at)[0]] for each in every)


def _deeds(timeline: Timeline, at: int, number: int, rule: Rule) -> list[RuleDeed] | None:
    """Return what a context did that a rule in force speaks of; None if its words can't be judged."""
    work = SessionWork(timeline, [number], at)
    windows = RuleInWindows(work, rule)
    if not windows.is_judged:
        return None
    first, last = (rule.born, rule.since or at) if not rule.for_user else (0, at)
    found = []
    for step in work.deeds:
        if first < step <= last:
            deed = deed_of(timeline, step)
            verdict = windows.judge(deed, text_of_deed(deed))
            if verdict is not None and verdict.kind in (FOLLOWS, VIOLATES):
                follows = verdict.kind == FOLLOWS
                found.append(RuleDeed(step, follows, windows.is_in_window(deed), verdict.words))
    return found


# ---- its rows ----


def moment_parts(moment: RuleMoment) -> tuple[Part, ...]:
    """Return `; told and followed`, behind whether the rule is in force."""
    return "; ", Span(clean(moment.stands), ROLES.get(moment.stands, ""))


def moment_rows(moment: RuleMoment, view: View) -> Iterator[Row]:
    """Say how the agent's window has the rule, by what, and what was done about it."""
    since = f" since step {moment.since:,}" if moment.told else ""
    yield row(Span(f"  {whose_words(moment.whose)}: ", "quiet"), agent_state(moment.state), since)
    if moment.carriers:
        yield note(f"  held by {clean(', '.join(moment.carriers))}")
    if moment.told and not moment.carriers:
        yield row(f"  first told at step {moment.told:,}", leads=Moment(moment.told))
    if not moment.judged:
        yield note("  its words order nothing that a step could be judged by")
        return
    untold = f"; not told: {moment.broken_untold:,} not followed" if moment.broken_untold else ""
    if moment.deeds:
        yield note(f"  told: {moment.followed:,} followed, {moment.broken:,} not followed{untold}")
    shown, _ = view.some(moment.deeds, MOST_DEEDS, last=True)
    for each in shown:
        sign = Span("followed", "good") if each.follows else Span("not followed", "bad")
        known = "" if each.in_window else " (not told)"
        words = f": {clean(', '.join(each.shown))}" if each.shown else ""
        step = Span(f"{each.step:>7}  ", "quiet", f"step {each.step:,}, ")
        yield row(step, sign, f"{known}{words}", leads=Moment(each.step))
