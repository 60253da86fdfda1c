"""`find`: all steps at which something holds, one by one or counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, table, title
from ccos_core.present.steps import NARROWEST, PIPED, step_rows
from ccos_core.present.words import count
from ccos_core.query.finding import atoms
from ccos_core.query.finding.groups import groups
from ccos_core.query.finding.hints import hints
from ccos_core.query.finding.masks import Masks
from ccos_core.query.finding.reading import read
from ccos_core.query.finding.tree import Pipe, spelled
from ccos_core.query.remembered import LIVE
from ccos_core.query.telling import Told, told
from ccos_core.replay.codes import KIND_CODES
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.query.finding.contents import Progress
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

LIMIT = 20
"""Steps that are listed by default."""
ROWS, COUNT, GROUPS = "rows", "count", "groups"
OF_WINDOWS = ("present(", "absent(")
UNNAMED = {
    "tool": "no tool", "path": "no path", "context": "no context", "session": "no session", "outcome": "no outcome",
    "hour": "time not known",
}  # fmt: skip
"""What steps are called that have no name of that sort."""


@dataclass(frozen=True, slots=True)
class Group:
    """Steps that have something in common."""

    name: str
    """What that is; nothing where they have none."""

    steps: int
    first: int
    """The first of them."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """One of the conditions that must hold."""

    says: str
    steps: int
    """Steps that were left once it was looked at."""


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A statement that fits the query's conditions about statements."""

    step: int
    memo: str
    """Its id."""

    text: str
    author: str
    """`user`, `agent` or `file`."""

    classes: tuple[str, ...]
    """What it is, such as `preference`; empty where that isn't known."""

    standing: str
    """`live`, `superseded`, `retracted` or `expired`, at the end of the record."""


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to `find`."""

    schema: ClassVar[str] = "ccos.find/1"
    at: int
    """Where the cursor stands."""

    head: int
    """The last step there is."""

    query: str
    """As it was understood."""

    budget: int
    """Of the window that `present` and `absent` ask for, where they name no other."""

    steps: int
    """At how many steps it holds."""

    shape: str
    """What was asked for: `rows`, `count` or `groups`."""

    rows: tuple[Told, ...]
    """The steps, as they come, or the biggest first."""

    groups: tuple[Group, ...]
    by: str
    """What is common to the steps of a group."""

    left_out: int
    """Rows or groups that aren't listed."""

    narrowed: tuple[Narrowed, ...]
    """The conditions, in the order in which they were looked at: what costs least comes first."""

    unread: int
    """Contents that couldn't be searched, because they were forgotten or can't be read."""

    cut: int
    """Contents of which only the start and the end were kept and searched, in vain."""

    hints: tuple[str, ...]
    """Names that were asked for and never came up, with what comes nearest."""

    step: int | None
    """Where the cursor goes: to the one step that was picked."""

    statements: tuple[FoundStatement, ...] = ()
    """For a query about statements: those of the listed steps that fit it."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def find(
    timeline: Timeline,
    at: int,
    *,
    expr: str,
    budget: int,
    limit: int,
    progress: Progress,
    user: Timeline | None = None,
) -> Found:
    """The steps a query fits."""
    query = read(expr)
    masks = Masks(timeline, at, budget, progress, user)
    there = np.nonzero(masks.of(query.tree))[0] + 1
    steps, shape, by = there, ROWS, ""
    for pipe in query.pipes:
        if pipe.word in (atoms.COUNT, atoms.BY):
            shape, by = (COUNT, "") if pipe.word == atoms.COUNT else (GROUPS, pipe.about)
        else:
            steps = _piped(timeline, steps, pipe)
    listed = steps[: limit or None] if shape == ROWS else steps[:0]
    every = [Group(*each) for each in groups(timeline, steps, by)] if shape == GROUPS else []
    shown = every[: limit or None]
    picked = any(pipe.word in (atoms.FIRST, atoms.LAST) for pipe in query.pipes) and len(listed) == 1
    return Found(
        at=at,
        head=timeline.head,
        query=spelled(query),
        budget=budget,
        steps=len(there) if shape == ROWS else len(steps),
        shape=shape,
        rows=tuple(told(timeline, step) for step in listed.tolist()),
        groups=tuple(shown),
        by=by,
        left_out=len(every) - len(shown) if shape == GROUPS else len(steps) - len(listed) if shape == ROWS else 0,
        narrowed=tuple(Narrowed(says, left) for says, left in masks.narrowed),
        unread=len(masks.contents.unread),
        cut=len(masks.contents.cut),
        hints=tuple(hints(timeline, query.tree)),
        step=int(listed[0]) if picked else None,
        statements=tuple(
            FoundStatement(step, memo, said.text, said.author, said.classes, said.standing)
            for (step, memo), said in masks.sayings.fitting.items()
            if step in listed
        ),
    )


def _piped(timeline: Timeline, steps: Numbers, pipe: Pipe) -> Numbers:
    """What a pipe leaves of steps."""
    if pipe.word == atoms.BIGGEST:
        sizes = _brought(timeline, steps)
        return steps[np.argsort(-sizes, kind="stable")][: int(pipe.about) if pipe.about else None]
    many = int(pipe.about or 1)
    if pipe.word == atoms.FIRST:
        return steps[:many]
    return steps[max(len(steps) - many, 0) :]


def _brought(timeline: Timeline, steps: Numbers) -> Numbers:
    """Bytes that each step put before the agent: of a call its result, not what it was asked with, nor the text of a
    file that it made."""
    rows = timeline.journal.steps
    sizes = np.where(rows["kind"][steps - 1] == KIND_CODES["seen"], 0, rows["size"][steps - 1]).astype(np.int64)
    calls = steps[rows["kind"][steps - 1] == KIND_CODES["tool"]]
    timeline.have_ready(calls.tolist())
    results = [timeline.op(step).get("result", {}).get("bytes", 0) for step in calls.tolist()]
    sizes[rows["kind"][steps - 1] == KIND_CODES["tool"]] = results
    return sizes


# ---- its rows ----


def _rows(answer: Found, view: View) -> Iterator[Row]:
    """What was found, and what it was narrowed down from where that is nothing."""
    of_windows = any(word in answer.query for word in OF_WINDOWS)
    yield title(
        Span(f"{answer.steps:,} of {count(answer.head, 'step')}", "good" if answer.steps else "note"),
        f"  {clean(answer.query)}",
        Span(f"  budget {answer.budget:,}" if of_windows else "", "quiet"),
    )
    groups = [
        (Span(f"{each.steps:,}", "number", count(each.steps, "step")), _named(answer.by, each.name), _since(each.first))
        for each in answer.groups
    ]
    yield from table(groups, right=[0], leads=[Moment(each.first) for each in answer.groups])
    for step in step_rows(answer.rows, answer.at, view):
        yield step
        of_step = [each for each in answer.statements if step.leads and each.step == step.leads.step]
        yield from (_said(each, view) for each in of_step)
    if answer.left_out:
        what = count(answer.left_out, "more group" if answer.shape == GROUPS else "more step")
        yield note(f"  … {what}: narrow it down, or ask with --limit 0")
    if not answer.steps and len(answer.narrowed) > 1:
        yield from table([(f"{each.steps:,}", f"left by {clean(each.says)}") for each in answer.narrowed], right=[0])
    for hint in answer.hints:
        yield note(clean(hint), "note")
    if answer.unread:
        yield note(f"not searched: {count(answer.unread, 'content')}, erased or not readable", "note")
    if answer.cut:
        yield note(f"of {count(answer.cut, 'content')} only the start and the end were kept and searched", "note")


def _said(each: FoundStatement, view: View) -> Row:
    standing = [each.standing] if each.standing != LIVE else []
    what = " ".join(["", *map(clean, (*each.classes, *standing)), each.memo])
    room = max((view.columns or PIPED) - len(what) - 12, NARROWEST)
    text = Span(f"         “{clip(clean(each.text), room)}”")
    return row(text, right=[Span(what, "quiet")], leads=Moment(each.step))


def _named(by: str, name: str) -> str:
    return clean(name) if name else UNNAMED.get(by, "none")


def _since(step: int) -> Span:
    return Span(f"first at step {step:,}", "quiet")


__all__ = ["DEFAULT_BUDGET", "Found", "Group", "Narrowed", "find"]
