"""`rules`: the rules that matter for a task, within a token budget; without a task, all of them.

What has most to do with the task comes first, and of what is about as relevant, the rule with the best score at `now`.
Below a floor nothing is told, and the answer says why: a rule that has nothing to do with the task costs tokens and
attention. A retired rule is never told for a task.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.learn.maturity import DEPRECATED, effective_score, maturity
from ccos_core.learn.rule import ANTI_PATTERN, HELPFUL, Rule
from ccos_core.learn.score import counted
from ccos_core.memory.boundaries import time_of
from ccos_core.present.cells import clip, width_of
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import STATES, count
from ccos_core.query.contexts import last_speaker
from ccos_core.query.hosted.rows import signs_explained, state_words
from ccos_core.query.playbook.playbook_rules import Playbook, last_time, read_playbook
from ccos_core.query.playbook.relevance import RuleIndex
from ccos_core.query.playbook.rule_moment import windows_of
from ccos_core.query.question import Argument, Question
from ccos_core.query.viewed import policy_at
from ccos_core.text.delivered import marked
from ccos_core.values.tokens import estimate
from ccos_core.window.linearize import Item, Window

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

BUDGET = 600  # tokens
FLOOR, FLOOR_NAME = 250, "rule_floor"
"""The least relevance, in thousandths, with which a rule is told; the policy may give another."""
BUCKET = 250
"""Rules whose relevance differs by less are about as relevant."""
NO_RULES = "There are no rules yet. `proposals` lists what sessions bear out; `remember TEXT --class rule` makes one."


@dataclass(frozen=True, slots=True)
class ToldRule:
    """One rule as it is told."""

    memo: str
    """Its id."""

    text: str
    kind: str
    """`rule` or `anti-pattern`."""

    category: str
    """One of ten; empty if it was given none."""

    maturity: str
    """`candidate`, `established`, `proven` or `deprecated`, at `now`."""

    score: int
    """Its effective score at `now`, in thousandths."""

    relevance: int
    """How much it has to do with the task, in thousandths; 0 without a task."""

    helpful: int
    """Pieces of feedback that count for it, ..."""

    harmful: int
    """... and against it."""

    scope: str
    """Where it holds: `project`, `user` or `session`."""

    for_user: bool
    """Whether it stands in the user's own record."""

    step: int
    """The step at which it was first remembered, in the record that holds it."""

    since: int
    """The last step that says how it stands or speaks for or against it."""

    state: str = ""
    """How the agent's window has it: `in`, `partial`, `out`, `unborn` (never told); empty if that wasn't asked."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The answer to `rules`."""

    schema: ClassVar[str] = "ccos.rules/1"
    at: int
    now: int
    """The time at which the scores hold, in milliseconds since 1970."""

    task: str
    """What the rules are for; empty for all of them."""

    budget: int
    tokens: int
    text: str
    """What to hand to an agent, between the lines by which it is known as ours; empty if nothing is told."""

    rules: tuple[ToldRule, ...]
    """Those that fit, the most relevant first."""

    more: int
    """How many others are relevant, or known if no task was named, and didn't fit."""

    known: int
    """How many rules are known here, retired ones included."""

    why: str
    """Why nothing is told; empty if something is."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each rule; Enter leads to the step that made it."""
        about = f" for “{clean(self.task)}”" if self.task else ""
        known = f"{len(self.rules):,} of {count(self.known, 'rule')}{about} up to step {self.at:,}"
        if not self.rules:
            return [title(known), note(clean(self.why))]
        head = title(f"{known}, about {self.tokens:,} tokens")
        signs = signs_explained({each.state for each in self.rules})
        explained = [note(f"  the agent's window: {signs}")] if signs else []
        return [head, *(_row(each, view) for each in self.rules), *and_more(self.more, "rule"), *explained]


def rules(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    task: str,
    budget: int,
    now: str | None,
    retired: bool,
    told: bool = False,
) -> Rules:
    """Choose rules for a task within `budget` tokens; one that doesn't fit ends the list. `told` looks up each in the
    agent's window."""
    time = time_of(now) if now is not None else last_time(timeline, at)
    playbook = read_playbook(timeline, at, user)
    task = task.strip()
    ranked, why = _ranked(timeline, at, playbook, task, time, retired=retired and not task)
    found = _fitting(Rules(at, time, task, budget, 0, "", tuple(ranked), 0, len(playbook.rules), why))
    if not told:
        return found
    windows = windows_of(timeline, at, [each.text for each in found.rules])
    return replace(found, rules=tuple(map(_in_window, found.rules, windows)))


def rules_window(timeline: Timeline, at: int, user: Timeline | None, task: str, budget: int) -> Window:
    """Return the rules for a task as a window: that of the lens `rules:TASK`."""
    return as_window(rules(timeline, at, user, task, budget, None, retired=False))


def without(found: Rules, told: Collection[str], budget: int) -> Rules:
    """Return what fits of an answer that listed more, without the rules that were told before (by `told_name`)."""
    left = tuple(each for each in found.rules if told_name(each) not in told)
    why = found.why or f"All {count(len(found.rules), 'rule')} for it were told to this conversation before."
    return _fitting(replace(found, rules=left, budget=budget, why=why))


def told_name(each: ToldRule) -> str:
    """Return by what it is known that a rule was told; another one once its maturity is another."""
    return f"{each.memo} {each.maturity}"


def as_window(found: Rules) -> Window:
    """Return an answer as a window."""
    items = tuple(
        Item(each.memo, "", each.kind, estimate(line_of(each)), reason_of(each), line_of(each)) for each in found.rules
    )
    text = _text(found.rules) + "\n" if found.rules else ""
    return Window(f"rules:{found.task}", found.budget, estimate(text) if text else 0, text, items)


def line_of(each: ToldRule) -> str:
    """Return a rule as an agent reads it."""
    filed = ", ".join(filter(None, (each.maturity, each.category)))
    avoid = "AVOID: " if each.kind == ANTI_PATTERN and not each.text.upper().startswith("AVOID") else ""
    return f"- [{filed}] {avoid}{' '.join(each.text.split())} ({each.memo})"


def reason_of(each: ToldRule) -> str:
    """Return why a rule is told, in a line."""
    said = f"relevance {each.relevance:,} of 1,000, " if each.relevance else ""
    return f"{said}score {each.score / 1_000:+.3f} from {each.helpful:,} helpful and {each.harmful:,} harmful"


# ---- helpers ----


def _fitting(found: Rules) -> Rules:
    """Return as many of an answer's rules as fit in its budget, with their text."""
    kept: list[ToldRule] = []
    why = found.why
    for each in found.rules:
        if estimate(marked(_text([*kept, each]))) > found.budget:
            why = f"The first rule takes more than {found.budget:,} tokens."
            break
        kept.append(each)
    text = marked(_text(kept)) if kept else ""
    more = found.more + len(found.rules) - len(kept)
    tokens, why = estimate(text) if kept else 0, "" if kept else why
    return replace(found, rules=tuple(kept), tokens=tokens, text=text, more=more, why=why)


def _in_window(each: ToldRule, state: str) -> ToldRule:
    return replace(each, state=state)


def _text(found: Sequence[ToldRule]) -> str:
    return "\n".join(map(line_of, found))


def _ranked(
    timeline: Timeline, at: int, playbook: Playbook, task: str, now: int, *, retired: bool
) -> tuple[list[ToldRule], str]:
    """Return the rules that may be told, the best first, and why there are none."""
    if not playbook.rules:
        return [], NO_RULES
    speaker = last_speaker(timeline, at)
    here = ("", speaker.session if speaker is not None else "")
    every = playbook.rules if retired else playbook.in_force()
    standing = [each for each in every if each.session in here]
    if not task:
        told = [_told(each, playbook, now, 0) for each in standing]
        told = [each for each in told if retired or each.maturity != DEPRECATED]
        told.sort(key=lambda each: (each.maturity == DEPRECATED, -each.score, each.memo))
        return told, f"All {len(playbook.rules):,} rules are retired; --retired lists them."
    relevance = _index(timeline, standing).relevance(task).tolist()
    floor = policy_at(timeline, at).thresholds.get(FLOOR_NAME, FLOOR)
    near = [(each, found) for each, found in zip(standing, relevance, strict=True) if found >= max(floor, 1)]
    told = [_told(each, playbook, now, found) for each, found in near]
    told = [each for each in told if each.maturity != DEPRECATED]
    told.sort(key=lambda each: (-(each.relevance // BUCKET), -each.score, -each.relevance, each.memo))
    best = max(relevance, default=0)
    return told, (
        f"No rule in force has enough to do with the task: of {len(standing):,} the nearest reaches {best:,} of 1,000, "
        f"and {max(floor, 1):,} are needed."
    )


def _index(timeline: Timeline, standing: Sequence[Rule]) -> RuleIndex:
    """Return the rules by their words, kept with the journal until other rules stand."""
    kept: dict[tuple[str, ...], RuleIndex] = timeline.journal.once("rules by their words", dict)
    texts = tuple(f"{each.content} {each.category}" for each in standing)
    if texts not in kept:
        kept.clear()
        kept[texts] = RuleIndex(texts)
    return kept[texts]


def _told(rule: Rule, playbook: Playbook, now: int, relevance: int) -> ToldRule:
    feedback = counted(rule)
    helpful = sum(each.sign == HELPFUL for each in feedback)
    return ToldRule(
        memo=rule.id,
        text=rule.content,
        kind=rule.kind,
        category=rule.category,
        maturity=maturity(rule, now, playbook.thresholds),
        score=effective_score(rule, now, playbook.thresholds),
        relevance=relevance,
        helpful=helpful,
        harmful=len(feedback) - helpful,
        scope=rule.scope,
        for_user=rule.for_user,
        step=rule.born,
        since=max([rule.born, rule.since, *(each.step for each in feedback if each.for_user == rule.for_user)]),
    )


# ---- its rows ----

_ROLES = {"proven": "good", "established": "strong", "candidate": "quiet", DEPRECATED: "gone"}
SCORE_COLUMNS, MATURITY_COLUMNS = 9, 13


def _row(each: ToldRule, view: View) -> Row:
    said = "" if each.text.upper().startswith("AVOID") else "avoid: "
    sign = Span("✗ ", "bad", said) if each.kind == ANTI_PATTERN else Span("  ", "", "")
    category = clean(f"  {each.category}" if each.category else "")
    counted = f"+{each.helpful:,} -{each.harmful:,}{category}"
    left = SCORE_COLUMNS + MATURITY_COLUMNS + 2 * (2 if each.state else 1)
    room = max(view.width - left - width_of(counted) - 2, 16)
    spoken = f"{each.helpful:,} helpful, {each.harmful:,} harmful{category and ', '}{category.strip()}"
    told = f"the agent's window: {state_words(each.state)}, " if each.state else ""
    return row(
        Span(f"{STATES[each.state][0]} " if told else "", each.state, told),
        Span(f"{each.score / 1_000:>+{SCORE_COLUMNS - 2}.3f}  ", "", f"score {each.score / 1_000:+.3f}, "),
        Span(f"{clean(each.maturity):<{MATURITY_COLUMNS}}", _ROLES.get(each.maturity, "")),
        sign,
        clip(clean(each.text), room),
        right=[Span(counted, "quiet", spoken)],
        leads=None if each.for_user else Moment(each.step),
    )


QUESTION = Question(
    ask=rules,
    answers=(Rules,),
    needs=("user",),
    example="rules commit the fix",
    arguments=(
        Argument("budget", "budget", "tokens the rules may take", default=BUDGET, flag=True),
        Argument("now", "name", "the time at which scores hold; by default that of the step", flag=True),
        Argument("retired", "switch", "without a task, list retired rules, too", default=False, flag=True),
        Argument("told", "switch", "say which of them the agent's window has", default=False, flag=True),
        Argument("task", "text", "what they are for; without it, all that are in force", default=""),
    ),
    nothing=lambda answer: not answer.rules,
    about="Relevance decides first, then the score. If no rule has enough to do with the task, none is "
    "listed, and the answer says why.",
)
