"""Marks of agents as feedback on rules: those in their messages, and those in comments that their edits brought in.

`// [cass: harmful b-1f0c]` names a rule by the start of its id, or by what another playbook calls it (tag `id:b-xyz`).
In an edit a mark counts only as a comment of its own in a file of code, for a document may only tell about marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ccos_core.learn.rule import FOREIGN_ID_TAG, HARMFUL, HELPFUL, Feedback, Rule
from ccos_core.query.inline_marks import INLINE, INLINE_WEIGHT, MARK, UNRESOLVED, inline_marks, marks_of_line
from ccos_core.query.instructions.deeds import deed_of
from ccos_core.query.instructions.matching import fresh, is_prose
from ccos_core.query.node_ops import NodeOps
from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import FOR, MEMO

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

    Marks: TypeAlias = dict[str, list[tuple[int, Plain]]]

SHORT_ID = "b-"
FEWEST_DIGITS = 4  # of an id's start
MARKED_CALLS = "calls with marks"
_COMMENT = re.compile(r"\s*(?://|#|--|;|%|/\*|\*|<!--)\s*(?=\[(?:ccos|cass): )")


def marks_until(timeline: Timeline, at: int) -> Marks:
    """Return the name in each mark → (step, what it says as an op would) up to a step, in order."""
    found: Marks = {}
    for name, said in inline_marks(timeline, at).items():
        found.setdefault(name, []).extend(each for each in said if each[0] <= at)
    for step, name, op in _edited(timeline, at):
        found.setdefault(name, []).append((step, op))
    return {name: sorted(said, key=lambda each: each[0]) for name, said in found.items() if said}


def rule_named(name: str, rules: Iterable[Rule]) -> str:
    """Return the id of the rule that a mark names; empty if it is none, or could be several."""
    if not name.startswith(UNRESOLVED):
        return name
    name = name.removeprefix(UNRESOLVED)
    rules = tuple(rules)
    tagged = {each.id for each in rules if FOREIGN_ID_TAG + name in each.tags}
    digits = name.removeprefix(SHORT_ID).removeprefix(MEMO)
    begun = {each.id for each in rules if each.id.startswith(MEMO + digits)} if len(digits) >= FEWEST_DIGITS else set()
    found = tagged or begun
    return min(found) if len(found) == 1 else ""


def mark_feedback(marks: Sequence[tuple[int, Plain]], times: Sequence[int]) -> tuple[Feedback, ...]:
    """Return marks as feedback; `times` is when each was made."""
    return tuple(
        Feedback(
            step=step,
            at=at,
            sign=HELPFUL if op["kind"] == FOR else HARMFUL,
            weight=INLINE_WEIGHT,
            way=INLINE,
            session=str(op.get("session", "")),
            actor="agent",
        )
        for (step, op), at in zip(marks, times, strict=True)
    )


# ---- helpers ----


def _edited(timeline: Timeline, at: int) -> Iterator[tuple[int, str, Plain]]:
    """Yield (step, name, what it says) of each mark that an edit brought in."""
    calls: NodeOps = timeline.journal.growing(MARKED_CALLS, lambda: NodeOps(["tool"], _marked))
    for step, op in calls.until(timeline, at).get(MARKED_CALLS, ()):
        if step <= at:
            where: Plain = {key: op[key] for key in ("host", "session", "context") if key in op}
            edits = (each for each in deed_of(timeline, step).edits if not is_prose(each.path))
            lines = (line for each in edits for line in fresh(each) if _COMMENT.match(line))
            for kind, name in dict.fromkeys(mark for line in lines for mark in marks_of_line(line)):
                yield step, name, {"kind": kind, **where}


def _marked(timeline: Timeline, call: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield a call whose arguments have a mark."""
    if MARK.search(text_of(timeline, call.get("arguments"))):
        yield MARKED_CALLS, call
