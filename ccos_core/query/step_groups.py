"""Steps a person can read: a call with its effects and the usage told with it, as one group.

`groups` describes some groups of an outline (`step_outline.py`), reading only their ops.

    [(group.step, group.says) for group in groups(timeline, 1, timeline.head)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError
from ccos_core.query.step_outline import UNTOLD, Outline, how_bit, outline_of
from ccos_core.query.step_words import describe
from ccos_core.query.telling import SAYING, SMALL, Content, op_notes
from ccos_core.replay.codes import HOW_CODES, HOWS, KIND_NAMES, NO_TIME, OUTCOMES

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

DEEDS = ("write", "edit", "read")
FAILED, PASSED = "failed", "passed"
"""Outcomes besides those of a call: failures were reported; tests passed."""
INFERRED = "inferred"
"""A note of effects that the call implies; a row of the call need not say it."""
OPS_READ = 64
"""Ops of a group that are read; a scan of a project has thousands, and their count says enough."""


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive steps that are one row."""

    step: int
    """The step it is about: the call, the prompt, the text."""

    steps: tuple[int, ...]
    """All of its steps, ascending."""

    done: int
    """The last of them but for the usage: all that the group did has happened."""

    kind: str
    """The kind of `step`: of an op, or how a file was seen, or which kind of prompt it is."""

    says: str
    """What happened, on one line: `Bash go test ./…`, `Read app.py 1–120`, the first words of a prompt."""

    result: str
    """What came of it: `2 fail`, `+12 −3`, an error's words; empty if the outcome says it all."""

    outcome: str
    """`ok`, `error`, `interrupted`, `unknown`, `failed` (failures reported), `passed`; empty for what has none."""

    tokens: int
    """Estimated tokens of its texts."""

    grew: int | None
    """Tokens by which the context's window grew with it; None if the host did not say."""

    window: int | None
    """Tokens in the context's window after it; None if the host did not say."""

    at: int | None
    """When, in milliseconds since 1970."""

    context: str
    """The subagent's name; empty for the main thread."""

    tool: str
    """The tool that was called; empty if none was. `says` begins with it."""

    notes: tuple[str, ...]
    """What is to be noticed: content withheld, secrets masked."""

    path: str
    """The file it is about, if its steps name one only; else empty."""

    did: str
    """What it did to files: `write`, `edit` or `read`, the first of these; empty for nothing."""

    turn: int
    """The step of the user's prompt that it belongs to; 0 before the first one."""


def groups(timeline: Timeline, first: int, last: int) -> tuple[Group, ...]:
    """Describe all groups that hold a step from `first` to `last`, in the order of their first steps."""
    outline = outline_of(timeline)
    if not len(outline) or first > last:
        return ()
    return described(timeline, outline, range(outline.group_of(first), outline.group_of(last) + 1))


def described(timeline: Timeline, outline: Outline, places: Sequence[int]) -> tuple[Group, ...]:
    """Describe the groups at some places of an outline, reading their ops in one sweep."""
    wanted = [step for place in places for step in steps_read(outline, place)]
    timeline.have_ready(wanted)
    ops = {step: timeline.op(step) for step in wanted}
    content = _content(timeline, ops.values())
    return tuple(
        group_at(outline, place, {step: ops[step] for step in steps_read(outline, place)}, content) for place in places
    )


def steps_read(outline: Outline, place: int) -> list[int]:
    """Return the steps whose ops describe a group: the first ones, and the one it is about."""
    return sorted({*outline.steps_of(place)[:OPS_READ], int(outline.step[place])})


def group_at(outline: Outline, place: int, ops: dict[int, Plain], content: Content) -> Group:
    """Describe one group by the ops that `steps_read` names."""
    step, steps = int(outline.step[place]), outline.steps_of(place)
    grew, window, at = int(outline.grew[place]), int(outline.window[place]), int(outline.at[place])
    fails = int(outline.fails[place])
    if outline.is_look[place] and len(steps) > 1:
        says, result = f"{len(steps):,} files of the project", ""
    else:
        says, result = describe(ops, step, content, fails)
    return Group(
        step=step,
        steps=tuple(steps),
        done=int(outline.done[place]),
        kind=HOWS[int(outline.how[place])] or KIND_NAMES[int(outline.kind[place])],
        says=says,
        result=result,
        outcome=FAILED if fails else _outcome(outline, place, ops),
        tokens=int(outline.tokens[place]),
        grew=grew if grew != UNTOLD else None,
        window=window or None,
        at=at if at != NO_TIME else None,
        context=outline.contexts[int(outline.context[place])],
        tool=outline.names[int(outline.tool[place])] if int(outline.tool[place]) >= 0 else "",
        notes=tuple(dict.fromkeys(note for op in ops.values() for note in op_notes(op) if note != INFERRED)),
        path=_path(ops),
        did=next((how for how in DEEDS if int(outline.kinds[place]) & how_bit(HOW_CODES[how])), ""),
        turn=int(outline.turn[place]),
    )


def _path(ops: dict[int, Plain]) -> str:
    paths = dict.fromkeys(str(op.get("to", op["path"])) for op in ops.values() if "path" in op)
    return next(iter(paths)) if len(paths) == 1 else ""


def _outcome(outline: Outline, place: int, ops: dict[int, Plain]) -> str:
    passed = any(op["kind"] == "passed" for op in ops.values())
    return PASSED if passed else OUTCOMES[int(outline.outcome[place])]


def _content(timeline: Timeline, ops: Iterable[Plain]) -> Content:
    """Return what reads contents: those that rows need are read in one sweep, but for large ones."""
    said = [op[field] for op in ops for field in SAYING if isinstance(op.get(field), dict)]
    known: dict[str, bytes] = {}
    with suppress(CcosError):  # asked for one by one, it says what is wrong
        known = timeline.contents([each["blob"] for each in said if each["bytes"] <= SMALL])
    return lambda blob: known[blob] if blob in known else timeline.content(blob)
