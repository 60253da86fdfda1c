"""The pure steps of a reflection: which sessions are new, what they change in the playbook, and what bears that.

A reflector is any function that returns deltas; the limits hold whatever it does.

    chosen, left = find_unprocessed(sources, cursors, now=now, limit=20)
    deltas = reflect([reflector_of(proposals, known)])      # at most 3 rounds, at most 50 deltas
    verdicts = [validate(each, known) for each in deltas]
    ops = [op for each in verdicts for op in curate(each)]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ccos_core.learn.rule import CATEGORIES, CATEGORY_TAG, IMPORT, KINDS, LIVE, OUTCOME
from ccos_core.learn.similar import likeness_of, takes_up

if TYPE_CHECKING:
    from ccos_core.learn.proposing import Proposal

DAY_MILLIS = 86_400_000
LOOKBACK_DAYS, MOST_SESSIONS, MOST_ROUNDS, MOST_DELTAS = 7, 50, 3, 50
OLDER = "older than "
"""How the reason begins for which an old session is left out."""
LONGEST_RULE = 600  # characters
ADD, HELPFUL, HARMFUL, REPLACE, DEPRECATE, MERGE = KINDS_OF_DELTAS = (
    "add", "helpful", "harmful", "replace", "deprecate", "merge"
)  # fmt: skip
ACCEPT, ACCEPT_WITH_CAUTION, REJECT = "ACCEPT", "ACCEPT_WITH_CAUTION", "REJECT"
SURE_SESSIONS = 3
"""Sessions from which a rule is accepted without caution."""
FULL_WEIGHT, CAUTIOUS_WEIGHT = 1_000, 500
CAUTION_TAG = "caution"


@dataclass(frozen=True, slots=True)
class Source:
    """One session that could be reflected on."""

    host: str
    session: str
    path: str
    """Where it is read from."""

    last: int
    """Its last step there: it has grown if this is behind where it was read to."""

    ended: int | None
    """When its last step with a time was, in milliseconds."""

    is_own: bool = False
    """Whether the record that keeps the playbook holds it."""

    @property
    def key(self) -> tuple[str, str]:
        return self.host, self.session


@dataclass(frozen=True, slots=True)
class Delta:
    """One change of the playbook."""

    kind: str
    """One of `KINDS_OF_DELTAS`."""

    memo: str
    """The rule it is about; of `add`, `replace` and `merge` the new one."""

    words: str = ""
    """What the new rule says."""

    cls: str = "rule"
    category: str = "workflow"
    reason: str = ""
    targets: tuple[str, ...] = ()
    """The rules that `replace` and `merge` put aside."""

    sessions: tuple[str, ...] = ()
    """The sessions that bear it."""

    steps: int = 0
    """How many steps of these show it."""

    established: bool = False
    """Whether an instruction file of the project says it."""

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for deltas that do the same."""
        if self.kind == MERGE:
            return MERGE, *sorted(self.targets)
        if self.kind == REPLACE:
            return REPLACE, *self.targets, self.memo
        return (self.kind, self.memo, *self.sessions) if self.kind in (HELPFUL, HARMFUL) else (self.kind, self.memo)


@dataclass(frozen=True, slots=True)
class KnownRule:
    """How a rule stands in the playbook."""

    standing: str
    sessions: frozenset[str]
    """The sessions that are named as its evidence."""

    words: str = ""
    """What it says; empty for what isn't a rule."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the validator says of a delta."""

    delta: Delta
    verdict: str
    """`ACCEPT`, `ACCEPT_WITH_CAUTION` or `REJECT`."""

    reason: str


Reflector = Callable[[Sequence[Delta]], Iterable[Delta]]
"""Given the deltas so far, it returns more."""


def find_unprocessed(
    sources: Iterable[Source],
    cursors: Mapping[tuple[str, str], int],
    now: int,
    days: int = LOOKBACK_DAYS,
    limit: int = MOST_SESSIONS,
    agents: Collection[str] = (),
) -> tuple[tuple[Source, ...], tuple[tuple[Source, str], ...]]:
    """Return the sessions to read, the newest first, and (session, reason) of those left out.

    A session that has grown is read again from where it ended; `agents` allows these hosts only, empty allows all."""
    chosen: list[Source] = []
    left: list[tuple[Source, str]] = []
    for each in sorted(sources, key=lambda each: (-(each.ended or 0), each.host, each.session, each.path)):
        if agents and each.host not in agents:
            left.append((each, "its agent isn't allowed"))
        elif each.last <= cursors.get(each.key, 0):
            left.append((each, "read before"))
        elif each.ended is not None and each.ended < now - days * DAY_MILLIS:
            left.append((each, f"{OLDER}{days:,} days"))
        elif any(other.key == each.key for other in chosen):
            left.append((each, "the same session again"))
        elif len(chosen) >= limit:
            left.append((each, f"beyond the first {limit:,}"))
        else:
            chosen.append(each)
    return tuple(chosen), tuple(left)


def reflect(reflector: Reflector, rounds: int = MOST_ROUNDS, most: int = MOST_DELTAS) -> tuple[Delta, ...]:
    """Ask a reflector until it has nothing new: at most `rounds` times, for at most `most` deltas in all.

    It is cut off in the middle of a round, so one that never stops ends all the same."""
    found: dict[tuple[str, ...], Delta] = {}
    for _ in range(rounds):
        before = len(found)
        for looked, delta in enumerate(reflector(tuple(found.values()))):
            found.setdefault(delta.key, delta)
            if len(found) >= most or looked >= 2 * most:  # one that repeats itself forever is cut off, too
                break
        if len(found) == before or len(found) >= most:
            break
    return tuple(found.values())


def reflector_of(proposals: Sequence[tuple[str, Proposal]], known: Mapping[str, KnownRule]) -> Reflector:
    """Return the reflector that needs no model: (memo, proposal) become new rules, or evidence from new sessions."""

    def proposed(_: Sequence[Delta]) -> Iterator[Delta]:
        for memo, each in proposals:
            delta = Delta(
                ADD, memo, each.words, each.cls, each.category, each.reason, (), each.sessions,
                sum(len(shown.steps) for shown in each.observations), each.established,
            )  # fmt: skip
            rule = known.get(memo)
            if rule is None:
                yield delta
            elif new := tuple(session for session in each.sessions if session and session not in rule.sessions):
                yield replace(delta, kind=HELPFUL, sessions=new)

    return proposed


def validate(delta: Delta, known: Mapping[str, KnownRule]) -> Verdict:
    """Accept what the evidence bears, with a reason either way."""
    if reason := _objection(delta, known) or _said_before(delta, known):
        return Verdict(delta, REJECT, reason)
    if delta.established:
        return Verdict(delta, ACCEPT, "the project's own instructions say it")
    if delta.kind in (ADD, REPLACE, MERGE) and len(set(delta.sessions)) < SURE_SESSIONS:
        return Verdict(delta, ACCEPT_WITH_CAUTION, f"shown by {len(set(delta.sessions))} sessions only")
    return Verdict(delta, ACCEPT, f"shown by {len(set(delta.sessions))} sessions")


def _objection(delta: Delta, known: Mapping[str, KnownRule]) -> str:
    """Return why a delta is rejected; empty if it isn't."""
    if delta.kind not in KINDS_OF_DELTAS:
        return "no such change is known"
    for target in delta.targets or ((delta.memo,) if delta.kind in (HELPFUL, HARMFUL, DEPRECATE) else ()):
        if target not in known:
            return "there is no such rule"
        if known[target].standing != LIVE and delta.kind == HELPFUL:
            return "the rule was taken back, and evidence doesn't bring it back"
    if delta.kind in (ADD, REPLACE, MERGE):
        if delta.memo in known:
            return "the rule is known, or was taken back"
        if not delta.words.strip() or len(delta.words) > LONGEST_RULE:
            return "a rule has one sentence"
        if delta.cls not in KINDS or delta.category not in CATEGORIES:
            return "its class or category isn't known"
        if delta.kind != ADD and not delta.targets:
            return "it names no rule to put aside"
    if not delta.established and not delta.steps:
        return "no step shows it"
    if delta.kind in (ADD, REPLACE, MERGE) and not delta.established and len(set(delta.sessions)) < 2:
        return "one session alone shows it"
    return ""


def _said_before(delta: Delta, known: Mapping[str, KnownRule]) -> str:
    """Name the rule that a new one says again; empty if there is none."""
    for memo, rule in known.items():
        if delta.kind not in (ADD, REPLACE, MERGE) or not rule.words or memo in delta.targets:
            continue
        if rule.standing != LIVE and takes_up(delta.words, rule.words):
            return f"{memo} says nearly the same and was {rule.standing}"
        if rule.standing == LIVE and likeness_of(delta.words, rule.words):
            return f"{memo} says nearly the same"
    return ""


def curate(verdict: Verdict) -> Iterator[dict[str, Any]]:
    """Yield the ops of an accepted delta: nothing that the seed calls a delta is an op of its own."""
    delta = verdict.delta
    if verdict.verdict == REJECT:
        return
    is_sure = verdict.verdict == ACCEPT
    if delta.kind in (ADD, REPLACE, MERGE):
        yield {
            "kind": "remembered",
            "memo": delta.memo,
            "class": delta.cls,
            "words": delta.words,
            "scope": "project",
            "tags": [CATEGORY_TAG + delta.category, *([] if is_sure else [CAUTION_TAG])],
            "reason": delta.reason or verdict.reason,
            "inferred": True,
        }
    how = "merge" if delta.kind == MERGE else "replace"
    yield from ({"kind": "superseded", "claim": each, "by": delta.memo, "how": how} for each in delta.targets)
    if delta.kind == DEPRECATE:
        yield {"kind": "retracted", "claim": delta.memo, "words": delta.reason or verdict.reason}
        return
    sign = "contradicted" if delta.kind == HARMFUL else "supported"
    if delta.established and delta.kind == ADD:
        yield {"kind": sign, "claim": delta.memo, "weight": FULL_WEIGHT if is_sure else CAUTIOUS_WEIGHT, "way": IMPORT}
    # that a session shows a rule says where it comes from, not that following it helped
    for session in dict.fromkeys(delta.sessions):
        if session:
            yield {"kind": sign, "claim": delta.memo, "weight": 0, "way": OUTCOME, "for_session": session}
