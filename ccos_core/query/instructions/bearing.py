"""The instructions of one conversation, asked what they say of what a step did.

    Instructions(timeline, session, upto).on(deed)

An instruction counts from the step at which it was said. One that the user allowed to be broken since, or replaced by
another, accuses no step.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.instructions.concepts import is_known
from ccos_core.query.instructions.deeds import Deed, deed_of
from ccos_core.query.instructions.judging import FOLLOWS, TOUCHES, VIOLATES, Verdict, judge
from ccos_core.query.instructions.phrases import is_noise
from ccos_core.query.instructions.replacing import Replaced, demanded, replaces
from ccos_core.query.instructions.rule import INSTEAD, NAMED, NEEDS, NEVER, ONLY, ORDER, PLACED, VALUE, Rule
from ccos_core.query.instructions.rules import LONGEST_RULE, in_plain_words, rules_of
from ccos_core.query.instructions.terms import FLAG, NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ADDING,
    CHANGING,
    GENERIC,
    IN_COMMANDS,
    INSTALLING,
    LANGUAGE_ENDS,
    ON_FILES,
    PACKAGES,
    PLACES,
    REMOVING,
    RIVALS,
    RUNNING,
    USING,
    VERBS,
    stem,
    stems,
)
from ccos_core.query.remembered import LIVE
from ccos_core.query.said import Said, said_until
from ccos_core.replay.codes import HOW_CODES, KIND_CODES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MOST_DONE = 400
"""Earlier deeds that are looked through for what had to be done first."""
MOST_NEAR = 24
"""Instructions on one subject, said next before or after one, that may have replaced it or been replaced by it."""
_AGAIN = re.compile(
    r"\b(?:i (?:already |just |clearly )?(?:said|told|asked|mentioned)|as i said|like i said|again|already told"
    r"|how (?:often|many times)|remember)\b",
    re.IGNORECASE,
)


class Instruction(NamedTuple):
    """A statement that can be judged by."""

    said: Said
    rules: tuple[Rule, ...]
    steps: tuple[int, ...]
    """Where it was said, in order."""

    @property
    def first(self) -> int:
        """The step at which it was said first."""
        return self.steps[0]

    def last(self, before: int) -> int:
        """The last step before another at which it was said; 0 if it wasn't yet."""
        at = bisect_left(self.steps, before)
        return self.steps[at - 1] if at else 0


class Judged(NamedTuple):
    """An instruction and what it says of a deed."""

    instruction: Instruction
    verdict: Verdict
    old: Instruction | None = None
    """The replaced wording that the deed follows, if it does."""
    by: Instruction | None = None
    """The instruction that replaced this one before the deed."""


class Instructions:
    """All of one conversation (host, session), up to a step."""

    def __init__(self, timeline: Timeline, session: tuple[str, str], upto: int) -> None:
        self.timeline = timeline
        self.said = [each for each in said_until(timeline, upto, session) if not each.pasted]
        self.every = list(self._read())
        self._allowing = lru_cache(maxsize=None)(self._first_allowed)
        self.replaced = lru_cache(maxsize=None)(self._find_replaced)
        self._replaced_by = lru_cache(maxsize=None)(self._find_replacing)

    def _read(self) -> Iterator[Instruction]:
        for each in self.said:
            if len(each.text) <= LONGEST_RULE:
                rules = rules_of(each.text)
                if rules or demanded(each.text):
                    yield Instruction(each, rules, tuple(sorted({place.step for place in each.places})))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Memo → its place among all."""
        return {each.said.memo: number for number, each in enumerate(self.every)}

    @cached_property
    def _on_subject(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, each in enumerate(self.every):
            for subject in _subjects(each):
                found.setdefault(subject, []).append(number)
        return found

    def _near(self, instruction: Instruction) -> list[Instruction]:
        """Those on a subject of an instruction that were said next before and after it."""
        at = self._numbers[instruction.said.memo]
        found: set[int] = set()
        for subject in _subjects(instruction):
            numbers = self._on_subject[subject]
            here = bisect_left(numbers, at)
            found.update(numbers[max(here - MOST_NEAR, 0) : here + MOST_NEAR + 1])
        return [self.every[number] for number in sorted(found - {at})]

    def _find_replaced(self, memo: str) -> list[tuple[Instruction, Replaced]]:
        """Return the instructions that say the subject of another otherwise, later, and what they forbid of it."""
        earlier = self.every[self._numbers[memo]]
        found = []
        for later in self._near(earlier):
            if later.steps[-1] > earlier.first:
                said = replaces(later.said.text, earlier.said.text)
                if said is not None:
                    found.append((later, said))
        if earlier.said.standing != LIVE and earlier.said.by in self._numbers:
            found.append((self.every[self._numbers[earlier.said.by]], Replaced(())))
        return found

    def _find_replacing(self, memo: str) -> list[tuple[Instruction, Replaced]]:
        """Return the instructions that one replaces, and what it forbids of each."""
        later = self.every[self._numbers[memo]]
        return [
            (earlier, said)
            for earlier in self._near(later)
            if earlier.first < later.steps[-1]
            for other, said in self.replaced(earlier.said.memo)
            if other.said.memo == memo and said.rules
        ]

    def replacing(self, instruction: Instruction, step: int) -> tuple[Instruction, Replaced] | None:
        """Return what replaced an instruction before a step, unless it was said again since."""
        last = instruction.last(step)
        later = [each for each in self.replaced(instruction.said.memo) if each[0].last(step) > last]
        return max(later, key=lambda each: each[0].last(step), default=None)

    def on(self, deed: Deed) -> list[Judged]:
        """Return what the instructions said before a deed say of it, violated ones first."""
        found = []
        text = text_of_deed(deed)
        for each in self.every:
            last = each.last(deed.step)
            if not last:
                continue
            verdict = self._verdict(each, deed, text, last)
            if verdict is None or verdict.kind != VIOLATES:
                verdict = self._derived(each, deed) or verdict
            if verdict is None:
                continue
            by = self.replacing(each, deed.step)
            if by is None and verdict.kind == VIOLATES:
                later = self._said_otherwise(each, deed, last)
                by = (later, Replaced(())) if later is not None else None
            if by is not None:
                found.append(Judged(each, Verdict(TOUCHES, verdict.words), by=by[0]))
            else:
                found.append(Judged(each, verdict, self._followed(each, deed) if verdict.kind == VIOLATES else None))
        return sorted(found, key=lambda judged: (_RANKS[judged.verdict.kind], -judged.instruction.last(deed.step)))

    def _verdict(self, each: Instruction, deed: Deed, text: str, last: int) -> Verdict | None:
        best: Verdict | None = None
        for rule in each.rules:
            if not may_concern(rule, deed, text):
                continue
            verdict = judge(rule, deed, self._done(deed) if rule.sense == ORDER else ())
            if verdict is None:
                continue
            if verdict.kind == VIOLATES and (
                (rule.briefly and self._is_over(last, deed.step)) or self._is_allowed(each, rule, deed, last)
            ):
                verdict = Verdict(TOUCHES, verdict.words)
            if best is None or _RANKS[verdict.kind] < _RANKS[best.kind]:
                best = verdict
        return best

    def _said_otherwise(self, each: Instruction, deed: Deed, last: int) -> Instruction | None:
        """The last instruction on the same subject that the user gave since, if the deed doesn't break that."""
        since = [other for other in self.every if other.said.memo != each.said.memo and other.last(deed.step) > last]
        for other in sorted(since, key=lambda one: -one.last(deed.step)):
            if _telling(each.said.text) & _telling(other.said.text) or _senses(each) & _senses(other) & {NAMED}:
                verdicts = [judge(rule, deed) for rule in other.rules]
                return None if any(one is not None and one.kind == VIOLATES for one in verdicts) else other
        return None

    def _derived(self, each: Instruction, deed: Deed) -> Verdict | None:
        """What a later wording forbids of those it replaced."""
        for earlier, said in self._replaced_by(each.said.memo):
            if earlier.last(deed.step) and earlier.last(deed.step) < each.last(deed.step):
                for rule in said.rules:
                    verdict = judge(rule, deed)
                    if verdict is not None and verdict.kind == VIOLATES:
                        return verdict
        return None

    def _followed(self, each: Instruction, deed: Deed) -> Instruction | None:
        """The last wording that an instruction replaced, if the deed does what that demanded or allowed."""
        now = each.last(deed.step)
        found: list[tuple[int, Instruction]] = []
        for said in self.said:
            steps = tuple(sorted({place.step for place in said.places if place.step < now}))
            if (
                not steps
                or said.memo == each.said.memo
                or any(place.step >= now for place in said.places if place.step < deed.step)
            ):
                continue
            known = said.memo in self._numbers
            replaced = known and any(later.said.memo == each.said.memo for later, _ in self.replaced(said.memo))
            if replaced or any(allows(rule, said.text) for rule in each.rules) or _obeys(deed, said.text, each):
                verdicts = [judge(rule, deed) for rule in rules_of(said.text)]
                if not any(verdict is not None and verdict.kind == VIOLATES for verdict in verdicts):
                    found.append((steps[-1], Instruction(said, (), steps)))
        return max(found, key=lambda one: one[0])[1] if found else None

    def _done(self, deed: Deed) -> Iterator[Deed]:
        """What was done before a deed in any context of its conversation, the last first."""
        for step in reversed(deed_steps(self.timeline, deed.step - 1)[-MOST_DONE:]):
            found = deed_of(self.timeline, step)
            if found and found.step < deed.step:
                yield found

    # -- what the user allowed ----------------------------------------------------------------------------------------

    def _is_over(self, last: int, step: int) -> bool:
        """Whether the user said anything since an instruction for the moment."""
        return any(last < place.step < step for each in self.said for place in each.places)

    def _is_allowed(self, each: Instruction, rule: Rule, deed: Deed, last: int) -> bool:
        first = self._allowing(each.said.memo, rule, last)
        return bool(first) and first < deed.step

    def _first_allowed(self, memo: str, rule: Rule, last: int) -> int:
        """The first step after an instruction at which the user asks for what it forbids; 0 if that never comes."""
        if rule.sense not in (NEVER, ONLY, INSTEAD):
            return 0
        steps = []
        for other in self.said:
            if other.memo == memo or not any(place.step > last for place in other.places):
                continue
            if any(rule.sense == each.sense for each in rules_of(other.text)) or _AGAIN.search(other.text):
                continue
            if asks_for(rule, other.text):
                steps += [place.step for place in other.places if place.step > last]
        return min(steps, default=0)


_RANKS = {VIOLATES: 0, FOLLOWS: 1, TOUCHES: 2}
_REFUSING = re.compile(
    r"\b(?:never|not|don't|dont|didn't|doesn't|shouldn't|why|no|stop|instead of|wrong|without)\b"
    r"|\?\s*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_000)
def _in_plain_words(text: str) -> str:
    return in_plain_words(text)


@lru_cache(maxsize=4_000)
def _words_of(text: str) -> frozenset[str]:
    """The words of a statement: as written, their stems, and those in quotes each by itself."""
    said = terms_of(text.replace("’", "'"))
    there = {term.stem for term in said} | {term.text.lower().strip("/") for term in said}
    return frozenset(there | {word for term in said if term.quoted for word in term.text.lower().split()})


def asks_for(rule: Rule, text: str) -> bool:
    """Tell whether the user asks for what a rule forbids, by its verb and its object."""
    if rule.sense == ONLY or _REFUSING.search(text.replace("’", "'")):
        return False
    there = _words_of(text)
    for terms in rule.objects:
        names = [term for term in terms if term.is_name] or list(terms)
        by_verb = rule.sense == INSTEAD or rule.verbs & there or _asks_by_verb(rule, there, terms)
        if names and by_verb and all(_is_said(term, there) for term in names):
            return True
    return False


def _senses(each: Instruction) -> frozenset[str]:
    return frozenset(rule.sense for rule in each.rules)


@lru_cache(maxsize=4_000)
def _telling(text: str) -> frozenset[str]:
    """What a statement is about, to be compared with that of another."""
    terms = content_of(terms_of(in_plain_words(text)))
    return frozenset(
        stem(term.text.strip("`()=:-/").lower())
        for term in terms
        if term.is_name
        or (term.stem not in (VERBS | {"mak"}) - IN_CODE_TOO and not is_noise(term) and len(term.text) > 2)
    )


IN_CODE_TOO = stems("commit push amend rebase merge squash stash tag deploy publish release migrate mock skip")
"""Verbs that name what an instruction is about."""


def _obeys(deed: Deed, earlier: str, now: Instruction) -> bool:
    """Tell whether a deed that breaks an instruction does what was said of the same subject before."""
    if len(earlier) > LONGEST_RULE or earlier.rstrip().endswith("?"):
        return False
    shared = _telling(earlier) & _telling(now.said.text)
    demanded_words = {
        stem(term.text.strip("`()=:-/").lower()) for rule in now.rules if rule.sense != NEVER for term in rule.better
    }
    there = deed.words | {stem(word.strip("'\"").lower()) for word in deed.command.split()}
    texts = (deed.command.lower(), *(path.lower() for path in deed.paths))
    return any(word in there or word in demanded_words or any(word in text for text in texts) for word in shared)


def allows(rule: Rule, text: str) -> bool:
    """Tell whether an earlier statement allows what a rule forbids, or leaves out what it demands."""
    if len(text) > LONGEST_RULE or text.rstrip().endswith("?"):
        return False
    text = _in_plain_words(text)
    there = _words_of(text)
    if rule.sense in (NEEDS, NAMED):
        return bool(_LEAVING_OUT.search(text)) and any(_is_said(term, there) for term in rule.better)
    if rule.sense == VALUE:
        other = [term for term in terms_of(text) if term.kind == NUMBER and term.text != rule.better[0].text]
        return bool(other) and all(_is_said(term, there) for term in rule.objects[0])
    if _NEGATING.search(text) or rule.sense not in (NEVER, INSTEAD):
        return False
    for terms in rule.objects:
        meant = [*terms, *(Term(WORD, verb) for verb in rule.verbs - GENERIC - REMOVING)]
        if meant and all(_is_said(term, there) for term in meant):
            return True
    return False


_NEGATING = re.compile(r"\b(?:no(?! longer)|not|never|without|don't|instead of|rather than|avoid)\b", re.IGNORECASE)
_LEAVING_OUT = re.compile(r"\b(?:no|not|never|without|drop|leave .{1,40} out|omit|skip|don't)\b", re.IGNORECASE)


def _asks_by_verb(rule: Rule, there: frozenset[str], terms: tuple[Term, ...]) -> bool:
    if not rule.verbs:
        doing = USING | ADDING | RUNNING | INSTALLING
        return bool(there & doing) or any(term.stem in VERBS & there for term in terms)
    if rule.verbs & CHANGING:
        return bool(there & (ON_FILES - REMOVING) | there & REMOVING)
    return bool(rule.verbs & ADDING and there & ADDING)


def _is_said(term: Term, there: frozenset[str]) -> bool:
    if term.kind == PATH:
        name = term.text.lower().strip("/")
        return any(name == each or each.startswith(name + "/") or each.endswith("/" + name) for each in there)
    return (
        term.stem in there or term.text.lower() in there or (term.kind == FLAG and stem(term.text.lstrip("-")) in there)
    )


def _subjects(each: Instruction) -> frozenset[str]:
    """What two instructions on one subject share at least one of."""
    terms = content_of(terms_of(each.said.text))
    names = {term.text.lower().removesuffix("()") for term in terms} | {term.stem for term in terms}
    groups = {f"group {at}" for at, group in enumerate(RIVALS) if names & group}
    return frozenset(names | groups)


def repeats(later: Instruction, earlier: Instruction) -> bool:
    """Tell whether one instruction says what another said before: the same, or the same object forbidden again."""
    if later.said.memo == earlier.said.memo:
        return True
    for one in later.rules:
        for other in earlier.rules:
            if {one.sense, other.sense} <= {NEVER, INSTEAD, ONLY} and one.sense == other.sense:
                ours, theirs = ({_key(term) for part in rule.objects for term in part} for rule in (one, other))
                if (
                    ours
                    and theirs
                    and (ours <= theirs or theirs <= ours)
                    and (one.verbs & other.verbs or not one.verbs)
                ):
                    return True
    return False


def _key(term: Term) -> str:
    return term.text.lower().strip("/") if term.is_name else term.stem


# ---- which deeds there are, and which rules may be about them ----


def deed_steps(timeline: Timeline, upto: int) -> list[int]:
    """Return the steps up to one that did something: calls, and changes of files that have no call."""
    known: list[int] = timeline.journal.once("deed steps", lambda: _deed_steps(timeline))
    return known[: bisect_left(known, upto + 1)]


def _deed_steps(timeline: Timeline) -> list[int]:
    steps = timeline.journal.steps
    kinds, hows = steps["kind"], steps["how"]
    calls = kinds == KIND_CODES["tool"]
    changes = (hows == HOW_CODES["edit"]) | (hows == HOW_CODES["write"]) | (kinds == KIND_CODES["gone"])
    found: list[int] = ((calls | changes).nonzero()[0] + 1).tolist()
    return found


def text_of_deed(deed: Deed) -> str:
    """All words of a deed in lower case, to look quickly whether a rule may be about it."""
    lines = [deed.command, *deed.paths, *deed.reads, *(branch for _, branch, _ in deed.history)]
    lines += [line for edit in deed.edits for line in (*edit.added, *edit.removed)]
    return "\n".join(lines).lower()


@lru_cache(maxsize=4_000)
def _hints(rule: Rule) -> tuple[str, ...]:
    """Beginnings of words of which a deed must have one, or a rule can't be about it; none where that can't be said."""
    if rule.sense not in (NEVER, INSTEAD):
        return ()
    found = []
    for terms in (*rule.objects, rule.better) if rule.sense == INSTEAD else rule.objects:
        told = [
            term
            for term in terms
            if (term.is_name and term.kind != FLAG)
            or not (term.kind == FLAG or is_noise(term) or is_known(term.text) or _is_special(term))
        ]
        if not told:
            return ()
        found.append(_beginning(told[0]))
    return tuple(found)


def _is_special(term: Term) -> bool:
    return (
        term.text.lower() in LANGUAGE_ENDS
        or term.stem in IN_COMMANDS
        or term.stem in PACKAGES | PLACES | VERBS | {"pip"}
    )


def _beginning(term: Term) -> str:
    if term.kind == PATH:
        return term.text.lower().strip("/").rpartition("/")[2].strip("*").removesuffix(".js")
    if term.kind != WORD:
        return term.text.lower().removesuffix("()").split()[0].lstrip("-")[:6]
    return term.stem[:5].lower()


def may_concern(rule: Rule, deed: Deed, text: str) -> bool:
    """Tell quickly whether a rule may be about a deed."""
    if rule.sense == ORDER and not deed.command:
        return False
    if rule.sense == PLACED and not deed.edits:
        return False
    hints = _hints(rule)
    return not hints or any(hint in text for hint in hints)
