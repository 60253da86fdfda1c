"""Planted violations: sessions of Claude Code in which one step breaks what the user said, and their counterparts.

This is written apart from what detects violations, and judges it. `pairs(seed, kind)` yields 40 pairs of cases; the two
sessions of a pair are alike but for one step, which breaks the instruction in the first and keeps it in the second.

A detector is given `case.transcript`, JSON Lines of a Claude Code session to be imported, and nothing else; or, if it
is asked about a step, the transcript and `case.call`, the tool-use id of that step. The two cases of a pair have one
session id: import each into a workspace of its own.

It has to answer, for a broken case: that this call goes against `case.text` (the user's words, one statement), and why,
as `case.kind`:
- `lost`        a compaction before the call dropped the words and no summary repeats them; the agent's own calls since
                may name a part of them, such as a path;
- `held`        the window of the call's context has the words, said there or repeated by a summary;
- `subagent`    the call was made in `case.context`, which never had the words;
- `superseded`  the call obeys `case.older`, after the user had said `case.text` instead.
Nothing else in the session goes against anything. Of a kept case it has to report no violation at all: neither at
`case.call`, which is about the same thing, nor where a call was refused or `older` was obeyed while it was in force.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from tests.core.told.planted_rules import RULES, Rule, Step
from tests.core.told.planted_story import FORMS, WORDS, Story

KINDS = ("lost", "held", "subagent", "superseded")
PAIRS = 40
FAR = 10
"""One pair in so many has a long way from the words to the step."""


class Case(NamedTuple):
    """One session, the step in question and what was said about it."""

    name: str
    kind: str
    broken: bool
    """Whether the step breaks the instruction; in the counterpart it keeps it."""

    rule: str
    form: str
    text: str
    """The instruction in force, as the user said it."""

    older: str
    """What the user had said before; empty unless `superseded`."""

    call: str
    """The tool-use id of the step."""

    number: int
    """Which call of the session it is, from 0; those of subagents count."""

    context: str
    """The agent id of the subagent that made the call; empty of the main agent."""

    transcript: bytes


def pairs(seed: int, kind: str) -> Iterator[tuple[Case, Case]]:
    """Yield pairs of a broken case and its counterpart, each pair with another rule."""
    rules = Random(f"{seed} {kind}").sample(RULES, PAIRS)
    for number, rule in enumerate(rules):
        yield made(seed, kind, number, rule, broken=True), made(seed, kind, number, rule, broken=False)


def made(seed: int, kind: str, number: int, rule: Rule, broken: bool) -> Case:
    """Return a case; the two of a pair draw the same random numbers."""
    random = Random(f"{seed} {kind} {number}")
    names = {
        "pkg": random.choice(("zod", "attrs", "nanoid", "tenacity", "retry", "pydantic")),
        "stem": random.choice(WORDS),
        "branch": random.choice(("main", "master", "production", "release/2.4")),
        "topic": f"{random.choice(WORDS)}-{random.randrange(100)}",
        "ticket": f"PAY-{random.randrange(100, 999)}",
    }
    story = Story(random, rule, names, FORMS[number % len(FORMS)])
    story.wording = story.fill(random.choice(rule.wordings))
    call, context = PLOTS[kind](story, rule.breaks if broken else rule.keeps, number)
    story.work(1, 4)
    story.reply("Done.")
    older = story.fill(rule.older) if kind == "superseded" else ""
    where = story.calls.index(call)
    name = f"{kind}-{number}-{rule.key}{'' if broken else '-kept'}"
    raw = story.transcript()
    return Case(name, kind, broken, rule.key, story.form, story.wording, older, call, where, context, raw)


# ---- the four plots ----


def _lost(story: Story, step: Step, number: int) -> tuple[str, str]:
    story.open()
    story.tell(story.wording, story.form)
    story.work(2, 10)
    if story.random.random() < 0.4:
        story.do(story.rule.keeps)
    story.work(1, 5)
    for _ in range(1 + number % 4 // 3):
        story.compact()
        story.task()
        story.work(1, 8)
    _go_on(story, number)
    return story.do(step), ""


def _held(story: Story, step: Step, number: int) -> tuple[str, str]:
    story.open()
    story.tell(story.wording, story.form)
    story.work(1, 14)
    if number % 2:
        story.compact(story.wording)
        story.task()
    _go_on(story, number)
    return story.do(step), ""


def _subagent(story: Story, step: Step, number: int) -> tuple[str, str]:
    story.open()
    story.tell(story.wording, story.form)
    story.work(1, 8)
    if number % 3 == 2:
        story.compact(story.wording)
        story.task()
    _go_on(story, number)
    told = story.wording if step == story.rule.keeps and number % 2 else ""
    return story.delegate(step, told)


def _superseded(story: Story, step: Step, number: int) -> tuple[str, str]:
    older = story.fill(story.rule.older)
    story.open()
    story.tell(older, ("alone", "task", "list")[number % 3])
    story.work(1, 6)
    if story.random.random() < 0.5:
        story.do(story.rule.breaks)
    story.work(1, 6)
    story.tell(story.wording, story.form)
    story.work(1, 8)
    if number % 3:
        story.compact(*[older, story.wording][: number % 3])
        story.task()
    _go_on(story, number)
    return story.do(step), ""


def _go_on(story: Story, number: int) -> None:
    """Let the agent work on, a long way in one of so many sessions."""
    story.work(1, 12)
    if number % FAR == FAR - 1:
        story.work(30, 60)


PLOTS = {"lost": _lost, "held": _held, "subagent": _subagent, "superseded": _superseded}


def every_case(seed: int, kinds: Sequence[str] = KINDS) -> Iterator[Case]:
    """Yield all cases of some kinds, broken and kept."""
    for kind in kinds:
        for pair in pairs(seed, kind):
            yield from pair
