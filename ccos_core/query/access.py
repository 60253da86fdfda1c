"""`access`: what an agent was handed, paged, weighed and noted through the toolset `context`, one row for each.

The rows follow from the ops; nothing is stored for them. A row has the keys of the COS specification's access log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count
from ccos_core.query.access_use import TURNS, AccessLabels, CoUses, co_uses, labelled
from ccos_core.query.candidates import POLICIES
from ccos_core.query.contexts import Context, contexts_of, last_speaker
from ccos_core.query.documents import roles_at
from ccos_core.query.paging_out import held_tokens
from ccos_core.query.pressure import LEVELS, in_force, levels, samples
from ccos_core.query.question import Argument, Question
from ccos_core.query.saying.utterance import AGENT
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SCHEME, REFUSED, UNKNOWN = "cos://", "refused:", "?"
UPDATE = "update"
LIMIT = 50
ACTIONS = {"paged_in": "page_in", "paged_out": "page_out", "weighed": "set_attention", "annotation": "annotate",
           "retune": "set_priority", "remembered": "log_impression"}  # fmt: skip
"""Kind of op → what the specification calls it. A `recall` is `get_context`, an edit of a document `update`."""
DELIVERING = ("recall", "paged_in", "paged_out")
KINDS = ("recall", *ACTIONS, "seen")


@dataclass(frozen=True, slots=True)
class Access:
    """One access."""

    step: int
    ts: int | None
    """Milliseconds since 1970, UTC; None if the record doesn't say."""

    resource: str
    """What it was about: `cos://memory`, a node, several nodes."""

    action: str
    """`get_context`, `page_in`, `page_out`, `set_attention`, `annotate`, `set_priority`, `log_impression`, `update`, or
    `refused`."""

    query: str
    """The words that were looked for; of `set_priority` the policy."""

    session: str
    """The session that spoke last; empty if none has a name."""

    pressure_before: str
    """`low`, `medium`, `high`, `critical`, or `?` as long as no program counted."""

    pressure_after: str
    """The same after it."""

    tokens_delta: int
    """Tokens that were handed out; negative for what paging out freed."""


@dataclass(frozen=True, slots=True)
class Accesses:
    """The answer to `access`."""

    schema: ClassVar[str] = "ccos.access/1"
    at: int
    accesses: tuple[Access, ...]
    """The last ones, in order."""

    more: int
    """Earlier ones that aren't listed."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; Enter leads to its step."""
        head = title(f"{count(len(self.accesses) + self.more, 'access', 'accesses')} up to step {self.at:,}")
        return [
            head,
            *(_row(each) for each in self.accesses),
            *and_more(self.more, "earlier access", "earlier accesses"),
        ]


def _row(each: Access) -> Row:
    asked = f" “{clean(each.query)}”" if each.query else ""
    right = (Span(f"{each.tokens_delta:+,}", "number"),) if each.tokens_delta else ()
    said = f"{clean(each.action):<14}{clean(each.resource)}{asked}"
    return row(Span(f"{each.step:>7}  ", "quiet"), said, right=right, leads=Moment(each.step))


def access(
    timeline: Timeline, at: int, limit: int, jsonl: bool, together: bool, turns: int
) -> Accesses | AccessLabels | CoUses:
    """List the accesses up to a step; a `limit` of 0 lists them all."""
    if jsonl or together:
        labels = labelled(timeline, at, rows_of(timeline, at, _deliveries(timeline, at)), turns)
        return (
            CoUses(at, turns, *co_uses(timeline, at, labels, limit))
            if together
            else AccessLabels(at, turns, tuple(labels))
        )
    steps = _steps(timeline, at)
    shown = steps[-limit:] if limit else steps
    return Accesses(at, tuple(rows_of(timeline, at, shown)), len(steps) - len(shown))


def rows_of(timeline: Timeline, at: int, steps: Sequence[int] | None = None) -> Iterator[Access]:
    """Yield the accesses at some steps, or at all up to a step."""
    course: dict[int, tuple[list[int], list[int]]] = {}
    numbers = {each: number for number, each in contexts_of(timeline).items()}
    for step in steps if steps is not None else _steps(timeline, at):
        op: dict[str, Any] = timeline.op(step)
        speaker = last_speaker(timeline, step)
        number = numbers.get(speaker, -1) if speaker is not None else -1
        if number not in course:
            found = samples(timeline, number, at) if number >= 0 else []
            course[number] = [each.step for each in found], levels(found, in_force(timeline, at)[0])
        before, after = (_level(course[number], each) for each in (step - 1, step))
        yield _access(timeline, step, op, speaker, before, after)


# ---- helpers ----


def _steps(timeline: Timeline, at: int) -> list[int]:
    kinds = timeline.journal.steps["kind"][:at]
    found = (np.flatnonzero(np.isin(kinds, [KIND_CODES[kind] for kind in KINDS])) + 1).tolist()
    roles = roles_at(timeline, at)
    documents = {*roles.memory, *roles.impressions}
    edits = np.isin(timeline.journal.steps["how"][:at], [HOW_CODES["edit"]])
    return [
        step
        for step in found
        if (timeline.journal.steps["kind"][step - 1] != KIND_CODES["seen"] or edits[step - 1])
        and _is_access(timeline.op(step), documents)
    ]


def _deliveries(timeline: Timeline, at: int) -> list[int]:
    """Every step at which nodes were handed out or paged, windows of code included."""
    kinds = [KIND_CODES[kind] for kind in DELIVERING]
    found: list[int] = (np.flatnonzero(np.isin(timeline.journal.steps["kind"][:at], kinds)) + 1).tolist()
    return found


def _is_access(op: dict[str, Any], documents: set[str]) -> bool:
    if op["kind"] == "seen":
        return str(op["path"]) in documents and op.get("actor") == AGENT
    if op["kind"] == "recall":
        return str(op["lens"]).removeprefix(REFUSED).startswith(SCHEME)
    if op["kind"] == "retune":
        return op.get("reason") in POLICIES
    return bool(op["kind"] != "remembered" or op["class"] == "impression")


def _access(
    timeline: Timeline, step: int, op: dict[str, Any], speaker: Context | None, before: str, after: str
) -> Access:
    query, delta = "", 0
    if op["kind"] == "recall":
        lens, _, query = str(op["lens"]).partition("?q=")
        resource = lens.removeprefix(REFUSED)
        action = "refused" if lens.startswith(REFUSED) else "get_context"
        delta = sum(tokens for _, _, tokens in op["items"])
    elif op["kind"] == "seen":
        resource, action = str(op["path"]), UPDATE
    else:
        resource, action = _resource(op), ACTIONS[op["kind"]]
        query = str(op.get("reason", "")) if op["kind"] == "retune" else ""
    if op["kind"] == "paged_out":
        held = sum(held_tokens(timeline, step - 1, node) for node in op["nodes"])
        delta = -max(held - _summary_tokens(timeline, op), 0)
    session = speaker.session if speaker is not None else ""
    return Access(step, op.get("at"), resource, action, query, session, before, after, delta)


def _resource(op: dict[str, Any]) -> str:
    return " ".join(op["nodes"]) if "nodes" in op else str(op.get("node") or op.get("memo") or "")


def _summary_tokens(timeline: Timeline, op: dict[str, Any]) -> int:
    from ccos_core.query.step_text import read_blob

    summary = read_blob(timeline, op.get("summary"))[0]
    return estimate(summary) if summary else 0


def _level(course: tuple[list[int], list[int]], step: int) -> str:
    """The level of pressure at a step."""
    at = bisect_right(course[0], step)
    return LEVELS[course[1][at - 1]] if at else UNKNOWN


def _is_empty(answer: Accesses | AccessLabels | CoUses) -> bool:
    if isinstance(answer, Accesses):
        return not answer.accesses and not answer.more
    return not (answer.labels if isinstance(answer, AccessLabels) else answer.nodes)


QUESTION = Question(
    ask=access,
    answers=(Accesses, AccessLabels, CoUses),
    example="access --limit 20",
    arguments=(
        Argument("limit", "count", "accesses or nodes to list; 0 lists all", default=LIMIT, flag=True),
        Argument(
            "jsonl",
            "switch",
            "print each node that was given to the agent as a line of JSON, with whether it was used",
            default=False,
            flag=True,
        ),
        Argument("together", "switch", "list what was used after the same deliveries", default=False, flag=True),
        Argument("turns", "count", "turns within which a use counts", default=TURNS, flag=True),
    ),
    nothing=_is_empty,
    about="With `--jsonl` and `--together` every window that was given to it counts, also of code. What was paged out "
    "is labelled as used if it was needed again.",
)
