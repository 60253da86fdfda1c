"""`rule`: one rule with all that is known of it: what was said of it, its feedback, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.learn.maturity import DEPRECATED, STATES, deprecation, effective_score, maturity, promoted
from ccos_core.learn.rule import HELPFUL, LIVE, USER
from ccos_core.learn.score import DAY, ONE, counted, sums
from ccos_core.memory.boundaries import time_of
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.query.hosted.whose import WHOSE
from ccos_core.query.node_names import statement_named
from ccos_core.query.playbook.playbook_rules import last_time, read_playbook
from ccos_core.query.playbook.rule_moment import RuleMoment, moment_parts, moment_rows, rule_moment
from ccos_core.query.question import Argument, Question
from ccos_core.query.recorded import SCOPE_WORDS

if TYPE_CHECKING:
    from ccos_core.learn.rule import Feedback, Rule
    from ccos_core.learn.score import Thresholds
    from ccos_core.query.playbook.playbook_rules import Playbook
    from ccos_core.replay.timeline import Timeline

PROJECT = "project"
SHOWN_FEEDBACK = 12
ROLES = {"proven": "good", "established": "good", "candidate": "note", DEPRECATED: "bad"}
SIGNS = {True: ("helpful", "good"), False: ("harmful", "bad")}


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """One thing that speaks for or against a rule."""

    step: int
    """Of this record; of the user's own record if `for_user`."""

    at: int
    """When, in milliseconds; 0 if that isn't known."""

    helpful: bool
    """Whether it speaks for the rule; else against it."""

    weight: int
    """In thousandths, when it was given."""

    decayed_value: int
    """What is left of that, in thousandths; 0 if it doesn't count."""

    counts: bool
    """Whether it counts. The same session counts once for each cause."""

    way: str
    """`explicit`, `inline`, `test`, `outcome` or `import`."""

    session: str
    """The session it speaks of; empty if none was named."""

    actor: str
    """`user`, `agent`, `host` or `tool`; empty if the record doesn't say."""

    words: str
    """The reason that was given."""

    for_user: bool
    """Whether its step is one of the user's own record."""


@dataclass(frozen=True, slots=True)
class RuleLink:
    """Another rule of the same chain: each put aside by the next, by replacing, merging or inverting it."""

    id: str
    """`memo:` and 16 hex digits."""

    content: str
    """Its words."""

    how: str
    """How it was put aside: `replace`, `merge`, `invert` or `refine`; empty if it stands, or the record doesn't say."""

    put_aside: int
    """The step at which that happened; 0 if it stands."""

    later: bool
    """Whether it came after the rule that was asked about; else before."""


@dataclass(frozen=True, slots=True)
class RuleShown:
    """The answer to `rule`."""

    schema: ClassVar[str] = "ccos.rule/1"
    at: int
    now: int
    """The time for which score and maturity are computed, in milliseconds."""

    id: str
    """`memo:` and 16 hex digits."""

    content: str
    """Its words."""

    category: str
    """Such as `testing` or `git`; empty if it has none."""

    scope: str
    """`session`, `project` or `user`."""

    scope_key: str
    """The session it holds in, if its scope is one."""

    workspace: str
    """Whose record holds it: `project` or `user`."""

    kind: str
    """`rule` or `anti-pattern`."""

    is_negative: bool
    """Whether it says what to avoid."""

    state: str
    """`draft`, `active` or `retired`, by its maturity."""

    maturity: str
    """`candidate`, `established`, `proven` or `deprecated`."""

    effective_score: int
    """(helpful - 4 * harmful) * multiplier of its maturity, in thousandths; a negative sum is halved instead."""

    helpful: int
    """What speaks for it, decayed, in thousandths."""

    harmful: int
    """What speaks against it, decayed, in thousandths."""

    helpful_count: int
    """How often feedback that counts was helpful."""

    harmful_count: int
    """How often feedback that counts was harmful."""

    feedback_events: tuple[FeedbackEvent, ...]
    """In the order of time."""

    confidence_decay_half_life_days: int
    """Days in which feedback loses half of its weight; 0 if it keeps it."""

    created_at: int
    """When it was first remembered, in milliseconds; 0 if that isn't known."""

    promoted_at: int | None
    """When feedback raised it to its maturity, in milliseconds; null if none did."""

    last_validated_at: int | None
    """When it last helped, or a person last confirmed it, in milliseconds; null if never."""

    source_sessions: tuple[str, ...]
    """The sessions it comes from, those of the rules that it replaced included."""

    source_agents: tuple[str, ...]
    """The hosts of these sessions."""

    author: str
    """`user` if a person remembered it, else who did."""

    inferred: bool
    """Whether it was concluded from sessions and asserted by no person and no agent."""

    reasoning: str
    """Why it is worth remembering."""

    tags: tuple[str, ...]
    """Its labels; `category:git` gives its category."""

    embedding: None
    """Never kept in a record."""

    pinned: bool
    """Whether feedback doesn't deprecate it."""

    pinned_reason: str
    """The first note on it since it was pinned."""

    deprecated: bool
    """Whether it was taken back, superseded or expired, or deprecated by its feedback."""

    deprecation_reason: str
    """The words with which it was taken back, or how its feedback deprecated it."""

    deprecated_at_step: int
    """The step of that; 0 if it isn't deprecated."""

    replaced_by: str
    """The statement that superseded it; empty if none did."""

    replaces: tuple[str, ...]
    """The rules that it took the place of."""

    chain: tuple[RuleLink, ...] = ()
    """What it replaced, and what that had replaced, the nearest first; then what replaced it."""

    in_force: bool = False
    """Whether it holds at the step: neither taken back nor deprecated by its feedback."""

    moment: RuleMoment | None = None
    """How it stands in the agent's window; null if the record has no such window."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show what it is and how far it is trusted, then its feedback; Enter leads to the step of each."""
        return list(_rows(self, view))


def rule_shown(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    node: str,
    now: str | None,
    session: str | None = None,
    context: str | None = None,
) -> RuleShown:
    """Return one rule as of a step, in the window of a context; its score at a time, by default that of the step."""
    playbook = read_playbook(timeline, at, user)
    memo = statement_named(timeline, node, at, user)
    found = playbook.rule(memo)
    if found is None:
        raise NotFound("isn't a rule", place=memo, hint="`remember --class rule` makes one.")
    time = time_of(now) if now is not None else last_time(timeline, at)
    shown = _shown(found, at, time, playbook.thresholds)
    moment = rule_moment(timeline, at, found, session=session, context=context)
    in_force = found.standing == LIVE and not shown.deprecated
    return replace(shown, in_force=in_force, moment=moment, chain=tuple(_chain(playbook, found)))


# ---- helpers ----


def _chain(playbook: Playbook, rule: Rule) -> Iterator[RuleLink]:
    """Yield the rules that this one took the place of, then those that took its place."""
    seen = {rule.id}
    for is_later in (False, True):
        names = [rule.replaced_by] if is_later else [*rule.replaces]
        while names:
            found = playbook.rule(names.pop(0))
            if found is not None and found.id not in seen:
                seen.add(found.id)
                yield RuleLink(found.id, found.content, found.how, found.since, is_later)
                names += [found.replaced_by] if is_later else found.replaces


def _shown(rule: Rule, at: int, now: int, thresholds: Thresholds) -> RuleShown:
    counting, trust, fatal = counted(rule), maturity(rule, now, thresholds), deprecation(rule, thresholds)
    found, raised = sums(counting, now, thresholds), promoted(rule, now, thresholds)
    validated = max([rule.confirmed_at, *(each.at for each in counting if each.sign == HELPFUL)])
    withdrawn = rule.withdrawn_because or rule.standing
    return RuleShown(
        at=at,
        now=now,
        id=rule.id,
        content=rule.content,
        category=rule.category,
        scope=rule.scope,
        scope_key=rule.session,
        workspace=USER if rule.for_user else PROJECT,
        kind=rule.kind,
        is_negative=rule.is_negative,
        state=STATES[trust],
        maturity=trust,
        effective_score=effective_score(rule, now, thresholds),
        helpful=found.helpful,
        harmful=found.harmful,
        helpful_count=sum(each.sign == HELPFUL for each in counting),
        harmful_count=sum(each.sign != HELPFUL for each in counting),
        feedback_events=tuple(_event(each, each in counting, now, thresholds) for each in rule.feedback),
        confidence_decay_half_life_days=thresholds.half_life // DAY,
        created_at=rule.created_at,
        promoted_at=raised.at if raised is not None else None,
        last_validated_at=validated or None,
        source_sessions=rule.source_sessions,
        source_agents=rule.source_agents,
        author=rule.author,
        inferred=rule.inferred,
        reasoning=rule.reasoning,
        tags=rule.tags,
        embedding=None,
        pinned=rule.pinned,
        pinned_reason=rule.pinned_reason,
        deprecated=trust == DEPRECATED,
        deprecation_reason=withdrawn if rule.since else str(fatal) if fatal is not None else "",
        deprecated_at_step=rule.since or (fatal.feedback.step if fatal is not None else 0),
        replaced_by=rule.replaced_by,
        replaces=rule.replaces,
    )


def _event(each: Feedback, counts: bool, now: int, thresholds: Thresholds) -> FeedbackEvent:
    left = sums([each], now, thresholds)
    return FeedbackEvent(
        step=each.step,
        at=each.at,
        helpful=each.sign == HELPFUL,
        weight=each.weight,
        decayed_value=left.helpful + left.harmful if counts else 0,
        counts=counts,
        way=each.way,
        session=each.session,
        actor=each.actor,
        words=each.words,
        for_user=each.for_user,
    )


# ---- its rows ----


def thousandths(number: int) -> str:
    """Spell a number of thousandths: `+1.250`."""
    sign = "-" if number < 0 else "+"
    return f"{sign}{abs(number) // ONE}.{abs(number) % ONE:03}"


def _rows(answer: RuleShown, view: View) -> Iterator[Row]:
    yield title(f"“{clean(answer.content)}”")
    where = SCOPE_WORDS.get(answer.scope, clean(answer.scope))
    kind = " ".join(filter(None, (clean(answer.category), clean(answer.kind), where)))
    trust = Span(clean(answer.maturity), ROLES.get(answer.maturity, "note"))
    yield row(f"  {kind}, ", trust, f", score {thousandths(answer.effective_score)}")
    when = f" at {datetime.fromtimestamp(answer.now / ONE, UTC):%Y-%m-%d %H:%M UTC}" if answer.now else ""
    against = f"{thousandths(answer.helpful)} helpful and {thousandths(answer.harmful)} harmful"
    half_life = f"half-life {answer.confidence_decay_half_life_days:,} days"
    yield note(f"  {against}{when}, {half_life}")
    if answer.deprecated:
        leads = Moment(answer.deprecated_at_step) if answer.workspace == PROJECT else None
        by = f"; replaced by {clean(answer.replaced_by)}" if answer.replaced_by else ""
        reason = clean(answer.deprecation_reason)
        yield row(Span("  deprecated", "bad"), f" at step {answer.deprecated_at_step:,}: {reason}{by}", leads=leads)
    if answer.pinned:
        yield note(f"  pinned{f': {clean(answer.pinned_reason)}' if answer.pinned_reason else ''}")
    force = Span("in force", "good") if answer.in_force else Span("not in force", "bad")
    yield row(f"  step {answer.at:,}: ", force, *(moment_parts(answer.moment) if answer.moment is not None else ()))
    if answer.moment is not None:
        yield from moment_rows(answer.moment, view)
    if answer.reasoning:
        yield note(f"  because {clean(answer.reasoning)}")
    for each in answer.chain:
        how = f" ({clean(each.how)} at step {each.put_aside:,})" if each.how else ""
        link = f"  {'then' if each.later else 'replaces'} {clean(each.id)} “{clean(each.content)}”{how}"
        leads = Moment(each.put_aside) if each.put_aside and answer.workspace == PROJECT else None
        yield row(Span(link, "quiet"), leads=leads)
    if answer.source_sessions:
        shown, more = view.some(answer.source_sessions, SHOWN_FEEDBACK)
        yield note(f"  from {clean(', '.join(shown))}{f' and {more:,} more' if more else ''}")
    events, earlier = view.some(answer.feedback_events, SHOWN_FEEDBACK, last=True)
    yield from and_more(earlier, "earlier event")
    yield from map(_event_row, events)


def _event_row(each: FeedbackEvent) -> Row:
    word, role = SIGNS[each.helpful]
    step = Span(f"{each.step:>7}  ", "quiet", f"step {each.step:,}, ")
    value = thousandths(each.decayed_value) if each.counts else "doesn't count"
    of = f" of {clean(each.session)}" if each.session else ""
    own = " in your own record" if each.for_user else ""
    words = f" “{clean(each.words)}”" if each.words else ""
    leads = None if each.for_user else Moment(each.step)
    actor = f" by {clean(each.actor)}" if each.actor else ""
    return row(step, Span(word, role), f" {value} ({clean(each.way)}{actor}{of}{own}){words}", leads=leads)


QUESTION = Question(
    ask=rule_shown,
    answers=(RuleShown,),
    needs=("user",),
    example="rule memo:ae13bce2194772e7",
    arguments=(
        Argument("node", "name", "the rule's memo:ID, or its start", required=True),
        Argument("now", "name", "the time to score it at; by default that of the step", flag=True),
        *WHOSE,
    ),
    about=(
        "A rule is a statement of class `rule` or `anti-pattern`. Its feedback loses half of its weight in 90 days, "
        "harmful feedback counts four times, and the maturity follows from both. The policy (`govern`) sets these "
        "figures as thresholds: `rule_half_life`, `rule_harmful_factor`, `rule_established`, `rule_proven`, "
        "`rule_proven_ratio`, `rule_deprecated_ratio`, `rule_deprecated_harmful`, `rule_deprecated_score`. A rule that "
        "feedback or a person deprecated stays so until a person remembers it again. `rule ID @40` says how it stood "
        "at step 40: whether it was in force, whether the agent's window had it, and which steps followed it or not."
    ),
)
