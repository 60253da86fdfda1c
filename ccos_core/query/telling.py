"""Ops and residencies as answers hold them: what happened at a step, told in a few plain values.

An op's contents are asked for only where they say what happened; one that was erased says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ccos_core.errors import CcosError, Erased
from ccos_core.present.words import FALL_CAUSES
from ccos_core.replay.codes import how_of
from ccos_core.state.conversation import leaves_out

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.falls import Fall
    from ccos_core.replay.timeline import Timeline

Content: TypeAlias = Callable[[str], bytes]
"""The content of a hash; raises where there is none."""

LONGEST = 240
"""Characters of what an op says; more is a content, and can be asked for by its hash."""
TELLING_ARGUMENTS = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "prompt")
"""Which argument of a call says most, the best first."""
SMALL = 1 << 14
"""Bytes of a content that is read with others."""
SAYING = ("arguments", "said", "words", "note", "summary")
"""In which fields of an op lie the contents that are told."""
STATES = ("unborn", "in", "partial", "stale", "uncertain", "out", "gone", "not looked at")
"""What can be said of a node and a window: not there yet; in whole or in part; shown as it isn't any more; unknown;
out; not there any more; the window of that step was not made."""


@dataclass(frozen=True, slots=True)
class Told:
    """One op."""

    step: int
    kind: str
    """Its kind; of a sighting, how the file was seen."""

    at: int | None
    """When, in milliseconds since 1970."""

    says: str
    """What it says, on one line."""

    outcome: str
    """How a call ended: `ok`, `error`, `interrupted`, `unknown`; of other ops nothing."""

    bytes: int
    """Of the texts it brought."""

    notes: tuple[str, ...]
    """What is to be noticed: content withheld, secrets masked, a context that fell."""


@dataclass(frozen=True, slots=True)
class Run:
    """Steps in which a node's state was the same."""

    first: int
    last: int
    state: str
    """One of `STATES`."""


@dataclass(frozen=True, slots=True)
class Looked:
    """How much of a session was looked at, of windows that are made one by one."""

    moments: int
    """Windows that were made, ..."""

    of: int
    """... and moments at which the window may have become another. What was skipped is `not looked at`."""


def told_runs(stretches: Iterable[tuple[int, int, int]]) -> tuple[Run, ...]:
    """Runs as answers hold them, of (first step, last step, place of the state)."""
    return tuple(Run(first, last, STATES[state]) for first, last, state in stretches)


def shares(stretches: Iterable[tuple[int, int, int]]) -> list[tuple[str, int]]:
    """(state, steps in it) of the same, as far as it ever was that."""
    steps = [0] * len(STATES)
    for first, last, state in stretches:
        steps[state] += last - first + 1
    return [(state, count) for state, count in zip(STATES, steps, strict=True) if count]


def told(timeline: Timeline, step: int) -> Told:
    """The op that made a step; of a usage, whether it fell."""
    return _told(timeline, step, timeline.op(step), timeline.content)


def told_all(timeline: Timeline, steps: Sequence[int]) -> dict[int, Told]:
    """The ops that made many steps; what they say lies in contents, which are read in one sweep like them, but for
    large ones: little is told of any."""
    timeline.have_ready(steps)
    ops = {step: timeline.op(step) for step in steps}
    said = [op[field] for op in ops.values() for field in SAYING if isinstance(op.get(field), dict)]
    known: dict[str, bytes] = {}
    with suppress(CcosError):  # a question for that one tells the user
        known = timeline.contents([each["blob"] for each in said if each["bytes"] <= SMALL])

    def content(blob: str) -> bytes:
        return known[blob] if blob in known else timeline.content(blob)

    return {step: _told(timeline, step, op, content) for step, op in ops.items()}


def _told(timeline: Timeline, step: int, op: Plain, content: Content) -> Told:
    from ccos_core.query.falls import fell_at

    said = told_op(step, op, content)
    return with_fall(timeline, said, fell_at(timeline.journal, step)) if op["kind"] == "usage" else said


def with_fall(timeline: Timeline, said: Told, fall: Fall | None) -> Told:
    """The same, which says of a usage that it fell; what the op itself says knows nothing of the one before."""
    from ccos_core.query.falls import cause_of

    if fall is None:
        return said
    why = FALL_CAUSES[cause_of(timeline, fall)]
    return replace(said, notes=(*said.notes, f"context fell by {fall.before - fall.after:,} tokens, {why}"))


def told_op(step: int, op: Plain, content: Content) -> Told:
    """The same where the op is at hand."""
    return Told(
        step,
        how_of(op) or str(op["kind"]),
        op.get("at"),
        one_line(op_words(op, content)),
        str(op.get("outcome", "")),
        sum(value["bytes"] for value in op.values() if isinstance(value, dict) and "blob" in value),
        tuple(op_notes(op)),
    )


def op_words(op: Plain, content: Content) -> str:
    """What the op says, without its kind."""
    tell = _WORDS.get(op["kind"])
    return tell(op, content) if tell else ""


def one_line(text: str, longest: int = LONGEST) -> str:
    """A text without its line ends, and no longer than that."""
    line = " ".join(text[: 8 * longest].split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


_WITHHELD = {"uncertain": "may have changed", "mixed": "among others"}


def op_notes(op: Plain) -> list[str]:
    """Return what is to be noticed of an op: what was withheld, inferred, masked, or spelled out."""
    why = op.get("withheld")
    notes = [_WITHHELD.get(why, f"withheld: {why}")] if why is not None else []
    if op.get("inferred"):
        notes.append("inferred")
    found = op.get("findings", ())
    masked = sum(count for _, kind, count, _ in found if kind.startswith("secret:"))
    shown = sum(count for _, kind, count, _ in found if not kind.startswith("secret:"))
    if masked:
        notes.append(f"{masked:,} secret{'s' * (masked != 1)} masked")
    if shown:
        notes.append(f"{shown:,} hidden char{'s' * (shown != 1)} shown")
    return notes


def _seen(op: Plain, _: Content) -> str:
    lines = " lines {}–{}".format(*op["slice"]) if "slice" in op else ""
    return f"{op['path']}{lines}"


def _tool(op: Plain, content: Content) -> str:
    return f"{op['name']} {_telling_argument(op, content)}"


def _telling_argument(op: Plain, content: Content) -> str:
    if "arguments" not in op:
        return ""
    try:
        given = json.loads(content(op["arguments"]["blob"]))
    except (CcosError, ValueError, RecursionError):
        return ""
    said: list[Any] = [given.get(name) for name in TELLING_ARGUMENTS] if isinstance(given, dict) else []
    return next((one_line(each) for each in said if isinstance(each, str)), "")


def _passed(op: Plain, _: Content) -> str:
    named = op.get("tests") or op.get("paths") or op.get("nodes") or []
    return f"{op['runner']}  {op['scope']}  {' '.join(named[:3])}"


def _failed(op: Plain, _: Content) -> str:
    sites = " ".join(f"{path}:{line}" for path, line in op.get("sites", [])[:3])
    return f"{op['runner']}  {op.get('test', '')}  {sites or ' '.join(op.get('nodes', [])[:3])}"


def _text(op: Plain, field: str, content: Content) -> str:
    """The start of a content, or why it can't be shown."""
    if field not in op:
        return ""
    try:
        return content(op[field]["blob"]).decode("utf-8", "replace")[: 8 * LONGEST]
    except Erased:
        return "(content erased)"
    except CcosError:
        return "(content can't be read)"


def _said(op: Plain, content: Content) -> str:
    return _text(op, "said", content) or str(op.get("model", ""))


def _claim(op: Plain, content: Content) -> str:
    by = op.get("by", ())
    named = by if isinstance(by, str) else " ".join(by[:3])
    return f"{op['claim']}{' by ' + named if named else ''} {_text(op, 'words', content)}"


def _compaction(op: Plain, content: Content) -> str:
    if leaves_out(op):
        return f"old results left out, {len(op.get('kept', ())):,} kept"
    tokens = [f"{op[name]:,}" for name in ("before", "after") if name in op]
    summary = _text(op, "summary", content)
    return f"{op['trigger']} {' → '.join(tokens)}{' tokens' if tokens else ''}{': ' if summary else ''}{summary}"


def _recall(op: Plain, _: Content) -> str:
    items = len(op["items"])
    return f"{op['lens']}  budget {op['budget']:,}  {items:,} item{'s' * (items != 1)}"


_WORDS: dict[str, Callable[[Plain, Content], str]] = {
    "epoch": lambda op, _: f"format {op['format']}, vocabulary {op['vocabulary']}",
    "seen": _seen,
    "gone": lambda op, _: str(op["path"]),
    "renamed": lambda op, _: f"{op['path']} → {op['to']}",
    "tool": _tool,
    "failed": _failed,
    "passed": _passed,
    "recall": _recall,
    "paged_in": lambda op, _: " ".join(op["nodes"][:3]),
    "paged_out": lambda op, _: " ".join(op["nodes"][:3]),
    "attention": lambda op, _: " ".join(op["nodes"][:3]),
    "annotation": lambda op, content: f"{op.get('node', '')} {_text(op, 'note', content)}",
    "supported": _claim,
    "contradicted": _claim,
    "retracted": _claim,
    "superseded": _claim,
    "turn": _said,
    "prompt": _said,
    "usage": lambda op, _: f"{op['window']:,} tokens in the window",
    "compaction": _compaction,
    "cleared": lambda op, _: str(op.get("reason", "")),
    "retune": lambda op, _: str(op.get("reason", "")),
    "thought": lambda op, content: _text(op, "said", content) or ("sealed by the host" if op.get("sealed") else ""),
    "remembered": lambda op, content: f"{op['class']}: {_text(op, 'words', content)}",
    "labelled": lambda op, _: " ".join(op["nodes"][:3]),
    "weighed": lambda op, _: f"{op['weight']:,} thousandths: {' '.join(op['nodes'][:3])}",
    "expired": lambda op, _: " ".join(op["nodes"][:3]),
    "governed": lambda op, _: str(op["name"]),
    "distilled": lambda op, content: f"{op['what']} by {op['maker']}: {_text(op, 'result', content)}",
}
