"""`candidates`: what the agent's window holds that could be dropped, in the order of the policy in force.

It reads the agent's window as it really is. Nothing is dropped by asking; the agent or its program decides. Requests of
the user, summaries, the plan and the last error are never candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.hosted.item_names import BLANK, read_ops, step_of
from ccos_core.query.hosted.rows import whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.hosted.window import HeldItem, held_items
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.remembered import FULL_WEIGHT, assertion_ops, assertions_of
from ccos_core.replay.codes import KIND_CODES, OUTCOME_CODES
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 20
LRU, SIZE_FIRST, KEEP_RELATIONAL, KEEP_TECHNICAL = POLICIES = ("lru", "size_first", "keep_relational", "keep_technical")
CLASS_WEIGHTS: Mapping[str, Mapping[str, int]] = {
    LRU: {"evict.relational": 1_000, "evict.technical": 1_000},
    SIZE_FIRST: {"evict.relational": 1_000, "evict.technical": 1_000},
    KEEP_RELATIONAL: {"evict.relational": 2_000, "evict.technical": 1_000},
    KEEP_TECHNICAL: {"evict.relational": 1_000, "evict.technical": 2_000},
}
"""Policy → what each class of things is worth to it, in thousandths, as the op that names it records it."""
EVICTABLE = frozenset({"read", "search", "command", "edit", "result", "text"})
PLANNING = re.compile(r"todo|plan", re.IGNORECASE)
"""Tools whose results are the plan."""
RELATIONAL = re.compile(
    r"(?:^|/)(?:SOUL|USER|IMPRESSIONS|MEMORY|AGENTS|CLAUDE)(?:\.\w+)?\.md$|(?:^|/)memory/[^/]+\.md$", re.IGNORECASE
)
"""Paths that are about people and agreements; all else is technical."""
FAILING = (OUTCOME_CODES["error"], OUTCOME_CODES["interrupted"])
OUTDATED = ("stale", "gone")
PAGED_OUT, SUPERSEDED = "paged out", "superseded"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something in the window that could be dropped."""

    item: str
    """Its id, as in `recall --lens host`."""

    says: str
    kind: str
    """`read`, `search`, `command`, `edit`, `result` or `text`."""

    frees: int
    """Tokens that dropping it would free, as the agent's window counts it."""

    weight: int
    """Its attention, in thousandths; 1000 is usual."""

    last: int
    """The step at which the window got it last."""

    why: str
    """`paged out`, `superseded` by a later read or edit; else empty."""

    by: int
    """The step of that."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The answer to `candidates`."""

    schema: ClassVar[str] = "ccos.candidates/1"
    at: int
    whose: Whose
    policy: str
    """By which they are ordered."""

    candidates: tuple[Candidate, ...]
    """The first to be dropped first."""

    more: int
    """How many are left out."""

    frees: int
    """What all of them take together, listed or not."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; Enter leads to where it came."""
        number = count(len(self.candidates) + self.more, "candidate")
        policy = clean(self.policy)
        head = title(f"{number} for eviction at step {self.at:,} ({policy}), {self.frees:,} tokens")
        rows = [candidate_row(each, view) for each in self.candidates]
        return [head, note(whose_words(self.whose)), *rows, *and_more(self.more, "candidate")]


def candidate_row(each: Candidate, view: View) -> Row:
    """One candidate: why it could go, what it is, and what that frees."""
    why = f"{clean(each.why)} (step {each.by:,})" if each.by else clean(each.why)
    weight = f"attention {each.weight:,}" if each.weight != FULL_WEIGHT else ""
    said = ", ".join(filter(None, (why, weight)))
    tail = Span(f"  {said}" if said else "", "note")
    return row(
        "  ", clean(each.says), tail, right=(Span(f"{each.frees:,}", "number"),), leads=Moment(each.last, each.item)
    )


def candidates(
    timeline: Timeline, at: int, policy: str | None, limit: int, session: str | None, context: str | None
) -> Candidates:
    """List what could be dropped from a context's window at a step."""
    number, whose = chosen(timeline, at, HOST, session, context)
    found, policy = ordered_candidates(timeline, at, number, policy)
    shown = found[: limit or None]
    return Candidates(at, whose, policy, tuple(shown), len(found) - len(shown), sum(each.frees for each in found))


def ordered_candidates(
    timeline: Timeline, at: int, context: int, policy: str | None = None
) -> tuple[list[Candidate], str]:
    """Return what could be dropped, by attention, then what is superseded, the largest first, then by the policy."""
    policy = policy or policy_at(timeline, at)
    kept = _kept(timeline, at, context)
    items = [each for each in held_items(timeline, context, at) if each.kind in EVICTABLE and each.node not in kept]
    by = _superseded(timeline, items)
    found = [_candidate(timeline, at, each, by) for each in items if each.tokens and each.says != BLANK]
    key = KEYS[policy]
    found.sort(key=lambda each: (each.weight, not each.why, (-each.frees, 0) if each.why else key(each), each.item))
    return found, policy


def policy_at(timeline: Timeline, at: int) -> str:
    """Return the eviction policy in force at a step."""
    retuned = np.flatnonzero(timeline.journal.steps["kind"][:at] == KIND_CODES["retune"])[::-1]
    reasons = (timeline.op(int(row) + 1).get("reason", "") for row in retuned)
    return next((reason for reason in reasons if reason in POLICIES), LRU)


# ---- helpers ----


def _is_relational(each: Candidate) -> bool:
    path = path_of(each.item)
    return path is not None and RELATIONAL.search(path) is not None


KEYS: Mapping[str, Callable[[Candidate], tuple[int, int]]] = {
    LRU: lambda each: (each.last, -each.frees),
    SIZE_FIRST: lambda each: (-each.frees, each.last),
    KEEP_RELATIONAL: lambda each: (_is_relational(each), each.last),
    KEEP_TECHNICAL: lambda each: (not _is_relational(each), each.last),
}


def _candidate(timeline: Timeline, at: int, item: HeldItem, by: Mapping[str, int]) -> Candidate:
    weight, why, since = FULL_WEIGHT, "", by.get(item.node, 0)
    if item.node in assertion_ops(timeline, at):
        known = assertions_of(timeline, item.node, at)
        weight, why = known.weight, PAGED_OUT if known.paged == "out" else ""
    why = why or (SUPERSEDED if since else "")
    return Candidate(item.node, item.says, item.kind, item.tokens, weight, item.step, why, since)


def _superseded(timeline: Timeline, items: Sequence[HeldItem]) -> dict[str, int]:
    """Item → the step that superseded it: a file that changed since, the output of a call that was made again."""
    found = {each.node: each.step for each in items if each.state in OUTDATED}
    steps = {step: each.node for each in items if each.node.startswith("result:") and (step := step_of(each.node))}
    last: dict[tuple[str, str], int] = {}
    for step, op in sorted(read_ops(timeline, sorted(steps)).items()):
        call = str(op.get("name", "")), str(op.get("arguments", {}).get("blob", ""))
        if call in last:
            found[steps[last[call]]] = step
        last[call] = step
    return found


def _kept(timeline: Timeline, at: int, context: int) -> set[str]:
    """Results that are never dropped: the last error, and the plan."""
    steps = timeline.journal.steps
    rows = np.flatnonzero((steps["kind"][:at] == KIND_CODES["tool"]) & (steps["context"][:at] == context))
    names = {number: timeline.journal.name(number) for number in np.unique(steps["name"][rows]).tolist() if number >= 0}
    planning = [number for number, name in names.items() if PLANNING.search(name)]
    errors = rows[np.isin(steps["outcome"][rows], FAILING)]
    plans = rows[np.isin(steps["name"][rows], planning)]
    return {f"result:{int(at) + 1}" for some in (errors, plans) for at in some[-1:]}


QUESTION = Question(
    ask=candidates,
    answers=(Candidates,),
    example="candidates --policy size_first",
    arguments=(
        Argument("policy", "word", "the order; else the one in force", flag=True, words=POLICIES),
        Argument("limit", "count", "candidates to list; 0 lists all", default=LIMIT, flag=True),
        *WHOSE,
    ),
    nothing=lambda answer: not answer.candidates,
    about="The order is: attention, then what was paged out or superseded, the largest first, then the policy.",
)
