"""How a session ended, and which rules it had in its window and followed: what its outcome says of these.

Tests come first: a run that passed after the last edit, or failures that live on. Then commits, then the user's last
words. A rule is credited only if a window held it at a step that follows it, for a session may succeed for any reason;
it is blamed only for failures that began after that. An outcome that points both ways says nothing of any rule.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.learn.rule import OUTCOME, TEST
from ccos_core.query.autopsy.findings.phrases import asks_to_undo, says_not_working, says_still, says_wrong
from ccos_core.query.carriers import Carriers
from ccos_core.query.commits import commits
from ccos_core.query.failing import changes
from ccos_core.query.instructions.bearing import deed_steps, may_concern, text_of_deed
from ccos_core.query.instructions.deeds import deed_of
from ccos_core.query.instructions.judging import FOLLOWS, VIOLATES, judge
from ccos_core.query.instructions.rule import ORDER
from ccos_core.query.instructions.rules import rules_of
from ccos_core.query.saying.user import user_utterances
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.past import failure_told, outages
from ccos_core.replay.residency.runs import IN
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.outcome import ARROWED

if TYPE_CHECKING:
    from ccos_core.learn.rule import Rule
    from ccos_core.query.carriers import Carrying
    from ccos_core.query.instructions.deeds import Deed
    from ccos_core.query.instructions.judging import Verdict
    from ccos_core.replay.past import Outage
    from ccos_core.replay.timeline import Timeline

SUCCESS, FAILURE, PARTIAL, MIXED, UNKNOWN = "success", "failure", "partial", "mixed", "unknown"
VERDICTS = (SUCCESS, FAILURE, PARTIAL, MIXED)
TESTS, COMMIT, WORDS = "tests", "commit", "words"
WEIGHTS = {TESTS: 200, COMMIT: 50, WORDS: 50}  # thousandths
REPEATED_WEIGHT = 50
"""Added to a failure if two or more tests fail, or one failed again and again."""
REPEATED = 2
TEST_RUNNERS = ("pytest", "unittest", "go", "cargo", "rustdoc", *ARROWED)
"""Runners of tests; others report what a program, a build or a linter says."""
RUNS = ("tool", "passed", "failed")
"""Kinds of ops that may tell of a test run."""
RUNS_BACK = 60
"""Calls at the end of a session among which the last test run is looked for."""
LAST_WORDS = 3
"""Statements of the user at the end of a session that are looked at."""
MOST_DONE = 400
"""Deeds before one among which it is looked for what should have come first."""
_PRAISE = re.compile(
    r"\b(?:thanks|thank you|perfect|great|awesome|excellent|lgtm|well done|works(?: now)?|looks good|nice)\b", re.I
)
_DOUBT = re.compile(r"\b(?:but|not|n[’']t|however|still|almost|except)\b|\?", re.I)


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that shows how a session ended."""

    step: int
    """The step that shows it."""

    kind: str
    """`tests`, `commit` or `words`."""

    good: bool
    """Whether it speaks for a success; else for a failure."""

    says: str
    """What it is, in a phrase or in the user's words."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended."""

    verdict: str
    """`success`, `failure`, `partial`, `mixed` or `unknown`."""

    way: str
    """`test` if tests show it, else `outcome`."""

    weight: int
    """How much it says of a rule, in thousandths: up to 300."""

    signs: tuple[Sign, ...]
    failing_since: int = 0
    """The last step at which a failure began that lives on; 0 if none does."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A rule that a session had in its window and followed."""

    rule: Rule
    step: int
    """The first step that follows it."""

    shown: tuple[str, ...]
    """The words of the step that show it."""


class SessionWork:
    """What the contexts of one session did up to a step."""

    def __init__(self, timeline: Timeline, contexts: Collection[int], at: int) -> None:
        self.timeline = timeline
        self.contexts = frozenset(contexts)
        steps = timeline.journal.steps["context"][:at]
        self.steps = np.flatnonzero(np.isin(steps, sorted(self.contexts))) + 1
        self.last = int(self.steps[-1]) if len(self.steps) else 0

    @cached_property
    def done(self) -> frozenset[int]:
        """All of its steps."""
        return frozenset(self.steps.tolist())

    @cached_property
    def deeds(self) -> list[int]:
        """The steps that did something."""
        return [each for each in deed_steps(self.timeline, self.last) if each in self.done]

    @cached_property
    def last_change(self) -> int:
        """The last step that changed a file; 0 if none did."""
        found = np.intersect1d(changes(self.timeline), self.steps)
        return int(found[-1]) if len(found) else 0

    @cached_property
    def outages(self) -> list[Outage]:
        """The failing tests that began to fail in the session."""
        known = outages(self.timeline.journal, self.last)
        mine = [each for each in known if each.since in self.done]
        return [each for each in mine if _is_of_tests(failure_told(self.timeline.journal, each.row)[0][0])]


def ending_of(work: SessionWork) -> Ending:
    """Return how a session ended, by tests, commits and words."""
    signs = [*_tests(work), *_commits(work), *_words(work)]
    live = [each for each in work.outages if not each.ended]
    good = {each.kind for each in signs if each.good}
    bad = {each.kind for each in signs if not each.good}
    tested = TESTS in good | bad
    if not signs:
        verdict = UNKNOWN
    elif good and bad:
        verdict = MIXED
    elif bad and any(each.ended for each in work.outages):
        verdict = PARTIAL
    else:
        verdict = SUCCESS if good else FAILURE
    weight = sum(WEIGHTS[each] for each in good | bad)
    weight += REPEATED_WEIGHT if len(live) >= REPEATED or any(each.renewed >= REPEATED for each in live) else 0
    since = max((each.since for each in live), default=0)
    return Ending(verdict, TEST if tested else OUTCOME, weight, tuple(signs), since)


class RuleInWindows:
    """A rule as the windows of a session had it; never `is_told` if its words order nothing that can be judged."""

    def __init__(self, work: SessionWork, rule: Rule) -> None:
        self.rule = rule
        self._work = work
        self._rules = rules_of(rule.content)
        self._words = tuple(normalised_words(rule.content))
        self.is_judged = bool(self._rules)
        self._carriers = {each: Carriers(work.timeline, each) for each in work.contexts} if self._rules else {}
        self._carrying: dict[int, Sequence[Carrying]] = {
            context: [one for one in each.of(self._words, work.last) if one.whole]
            for context, each in self._carriers.items()
        }
        self.is_told = any(self._carrying.values())

    def is_in_window(self, deed: Deed) -> bool:
        """Tell whether the window of a deed's context had the rule word for word just before it."""
        carriers = self._carriers[deed.context]
        return carriers.state(self._carrying[deed.context], deed.step - 1)[0] == IN

    def judge(self, deed: Deed, text: str) -> Verdict | None:
        """Return what the rule says of a deed, what it breaks first."""
        verdicts = [
            verdict
            for each in self._rules
            if may_concern(each, deed, text)
            and (verdict := judge(each, deed, self._done(deed) if each.sense == ORDER else ()))
        ]
        kinds = (VIOLATES, FOLLOWS)
        return min(verdicts, key=lambda one: kinds.index(one.kind) if one.kind in kinds else len(kinds), default=None)

    def _done(self, deed: Deed) -> Iterator[Deed]:
        """Yield what the session did before a deed, the last first."""
        before = self._work.deeds[: bisect_left(self._work.deeds, deed.step)]
        for step in reversed(before[-MOST_DONE:]):
            yield deed_of(self._work.timeline, step)


def followed_rules(work: SessionWork, rules: Iterable[Rule]) -> tuple[Followed, ...]:
    """Return the rules that stood in a window when a step of the session followed them, and that no step broke."""
    told = [known for rule in rules if (known := RuleInWindows(work, rule)).is_told]
    broken: set[str] = set()
    found: dict[str, Followed] = {}
    for step in work.deeds if told else ():
        deed = deed_of(work.timeline, step)
        text = text_of_deed(deed)
        for each in told:
            verdict = each.judge(deed, text)
            if verdict is None or not each.is_in_window(deed):
                continue
            if verdict.kind == VIOLATES:
                broken.add(each.rule.id)
            elif verdict.kind == FOLLOWS:
                found.setdefault(each.rule.id, Followed(each.rule, deed.step, verdict.words))
    return tuple(each for each in found.values() if each.rule.id not in broken)


# ---- helpers ----


def _tests(work: SessionWork) -> Iterator[Sign]:
    """Yield what the last run shows, if nothing was changed after it; and what still fails."""
    live = [each for each in work.outages if not each.ended]
    if live:
        last = max(each.last for each in live)
        yield Sign(last, TESTS, good=False, says=f"{len(live):,} failing at the end")
        return
    kinds = np.isin(work.timeline.journal.steps["kind"][work.steps - 1], [KIND_CODES[each] for each in RUNS])
    for step in reversed(work.steps[kinds][-RUNS_BACK:].tolist()):
        is_green = _passes(work.timeline, step)
        if is_green is not None:
            if is_green and step > work.last_change:
                yield Sign(step, TESTS, good=True, says="tests passed after the last edit")
            return


def _passes(timeline: Timeline, step: int) -> bool | None:
    """Return whether a run passed; None if it is none."""
    op = timeline.op(step)
    if op["kind"] != "tool":
        return bool(op["kind"] == "passed")
    timeline.facts.under(timeline.sources.pins(step))
    report = timeline.facts.report(op)
    if report is None:
        return None
    failed = any(_is_of_tests(each.runner) for each in report.failures)
    return not failed if failed or any(_is_of_tests(each.runner) for each in report.passes) else None


def _is_of_tests(runner: str) -> bool:
    return runner.partition(":")[0] in TEST_RUNNERS


def _commits(work: SessionWork) -> Iterator[Sign]:
    """Yield the last commit, if nothing was changed after it."""
    known = commits(work.timeline, work.last, sha="", progress=lambda done, total: None).commits
    mine = [each for each in known if each.outcome == "done" and each.step in work.done]
    last = mine[-1] if mine else None
    if last is not None and last.step > work.last_change:
        yield Sign(last.step, COMMIT, good=last.kind != "revert", says=f"{last.kind} {last.subject}".strip())


def _words(work: SessionWork) -> Iterator[Sign]:
    """Yield what the user's last words after the last change, or after the first deed, say."""
    spoken = [each for each in user_utterances(work.timeline) if each.context in work.contexts]
    began = work.last_change or min(work.deeds, default=work.last)
    later = [each for each in spoken if began < each.step <= work.last]
    said = [(each.step, one.text) for each in later for one in each.statements if not one.pasted][-LAST_WORDS:]
    for step, text in reversed(said):
        is_bad = any(says(text) for says in (says_still, says_not_working, says_wrong, asks_to_undo))
        if is_bad or (_PRAISE.search(text) and not _DOUBT.search(text)):
            yield Sign(step, WORDS, good=not is_bad, says=text)
            return
