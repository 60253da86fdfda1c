"""The whole text of a step, in parts: what was said, what a call was asked and gave back, what it did to files.

    step_parts(timeline, 22)  →  (Part("edit", "src/db.py", "--- a/src/db.py\\n...", "diff", ...), Part("output", ...))

The effects of a call (the files that its result showed or changed) belong to the call. Texts are as recorded: secrets
are masked, and hidden characters are spelled out. A text that was erased, withheld or cut says so in `missing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError
from ccos_core.present.words import count
from ccos_core.replay.codes import how_of
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

ROLES = (
    "prompt", "thinking", "text", "command", "arguments", "output", "edit", "write", "patch", "summary", "error",
    "image", "note",
)  # fmt: skip
"""What a part can be. The texts of `edit` and `patch` are unified diffs."""
MOST_IN_ROW = 40  # steps of one row that are told
PRETTY_BYTES = 1 << 18  # JSON that is larger is shown as it was given


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a step."""

    role: str
    """One of `ROLES`."""

    title: str
    """What it is, in a few words: a tool's name, a path, `the user`."""

    text: str = ""
    language: str = "text"
    """What the text is written in, as highlighters call it: `python`, `diff`, `json`, `markdown`, `text`."""

    path: str = ""
    """The file it is about, in the workspace."""

    line: int = 0
    """The line of that file with which it begins, or where a diff begins to change it; 0 where there is none."""

    tokens: int = 0
    """Of the text, estimated."""

    missing: str = ""
    """Why there is no text, or not all of it."""


def step_parts(timeline: Timeline, step: int) -> tuple[Part, ...]:
    """Return everything that a step said, in the order in which a person reads it; nothing before the first step."""
    if step < 1:
        return ()
    op = timeline.op(step)
    kind = op["kind"]
    if kind in ("tool", "seen"):
        from ccos_core.query.step_call import call_parts, effect_parts

        parts = tuple(call_parts(timeline, step, op) if kind == "tool" else effect_parts(timeline, step, op))
    else:
        parts = tuple(_KINDS.get(kind, _other)(timeline, op))
    return parts or (Part("note", kind, "", missing="it has no text"),)


def row_parts(timeline: Timeline, step: int) -> tuple[Part, ...]:
    """Return what the steps said that are one row with a step: a call with the words before it, several thoughts.

    Counts of tokens are left out, and the effects of a call, which `step_parts` tells with it."""
    if step < 1:
        return ()
    from ccos_core.query.step_outline import outline_of

    outline = outline_of(timeline)
    steps = outline.steps_of(outline.group_of(step))
    timeline.have_ready(steps[:MOST_IN_ROW])
    ops = {each: timeline.op(each) for each in steps[:MOST_IN_ROW]}
    calls = {op.get("call") for op in ops.values() if op["kind"] == "tool"}
    told = [each for each, op in ops.items() if op["kind"] != "usage" and not _is_effect(op, calls)]
    parts = tuple(part for each in told for part in step_parts(timeline, each))
    if len(steps) > MOST_IN_ROW:
        parts += (part("note", "row", f"and {len(steps) - MOST_IN_ROW:,} more steps"),)
    return parts or step_parts(timeline, step)


def _is_effect(op: Plain, calls: set[str | None]) -> bool:
    return op["kind"] in ("seen", "gone", "renamed") and "call" in op and op["call"] in calls


def part(role: str, title: str, text: str, language: str = "text", **more: Any) -> Part:
    """Make a part of a text; its tokens are counted."""
    return Part(role, title, text, language, tokens=estimate(text), **more)


def read_blob(timeline: Timeline, blob: dict[str, Any] | None) -> tuple[str, str]:
    """Return (a text, what is missing of it)."""
    if blob is None:
        return "", ""
    try:
        text = timeline.content(blob["blob"]).decode("utf-8", "replace")
    except CcosError as error:
        return "", error.fact
    if "dropped" not in blob:
        return text, ""
    return text, f"{count(blob['dropped'], 'line')} after line {blob['head']:,} were too many to keep"


def blob_part(timeline: Timeline, op: Plain, field: str, role: str, title: str, language: str = "text") -> Part:
    """Make a part of a text that an op refers to."""
    text, missing = read_blob(timeline, op.get(field))
    return part(role, title, text, language, missing=missing)


def pretty(value: Any) -> str:
    """Return JSON as people read it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def language_of_text(text: str) -> str:
    """Return the language of a text that has no name: JSON, a diff, or plain text."""
    start = text[:200].lstrip()
    if start.startswith(("diff --git ", "--- a/", "Index: ")):
        return "diff"
    return "json" if start.startswith(("{", "[")) and parsed(text) is not None else "text"


def parsed(text: str) -> Any:
    """Return the object or list that a text is; None where it is neither, or too large to be laid out."""
    if len(text) > PRETTY_BYTES:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


# ---- kinds of step ----

SPEAKERS = {
    "": "the user",
    "task": "task for the subagent",
    "notice": "note from the agent's program",
    "skill": "skill",
    "interruption": "interruption",
    "command": "command in the agent's program",
    "output": "output of a command in the agent's program",
}
"""How a prompt came → who says it."""
CHANNELS = {
    "queued": "the user, while the agent worked",
    "answer": "the user's answer",
    "refusal": "the user's refusal",
    "plan": "plan",
    "feedback": "the user's feedback",
}
"""Through which channel a prompt came → who says it."""
STOPS = {"interrupted": "interrupted", "limit": "stopped at the token limit", "error": "stopped by an error"}


def _prompt(timeline: Timeline, op: Plain) -> Iterator[Part]:
    title = CHANNELS.get(op.get("channel", "")) or SPEAKERS[how_of(op)]
    text, missing = read_blob(timeline, op["said"])
    yield from with_images("prompt", title, text, "markdown", missing=missing)


def _thought(timeline: Timeline, op: Plain) -> Iterator[Part]:
    text, missing = read_blob(timeline, op.get("said"))
    if op.get("sealed") and not text:
        missing = "sealed by the host"
    tokens = op.get("tokens", estimate(text))
    yield Part("thinking", "thinking", text, "markdown", tokens=tokens, missing=missing)


def _turn(timeline: Timeline, op: Plain) -> Iterator[Part]:
    title = op.get("model", "the agent")
    if "said" in op:
        yield blob_part(timeline, op, "said", "text", title, "markdown")
    if op.get("stop") in STOPS or "detail" in op:
        why = STOPS.get(op.get("stop", ""), "ended")
        yield part("error" if op.get("stop") == "error" else "note", why, op.get("detail", ""))


def _usage(_: Timeline, op: Plain) -> Iterator[Part]:
    names = {"fresh": "fresh", "cached": "from the cache", "stored": "stored in the cache",
             "stored_hour": "stored for an hour", "written": "output", "thinking": "of it thinking",
             "limit": "limit"}  # fmt: skip
    told = [f"{op[field]:,} {words}" for field, words in names.items() if field in op]
    head = f"{op['window']:,} tokens in the agent's window" + (f" of {op['model']}" if "model" in op else "")
    yield part("note", "usage", "\n".join([head, *told]))


def _compaction(timeline: Timeline, op: Plain) -> Iterator[Part]:
    sizes = [f"{op[field]:,} tokens {field}" for field in ("before", "after") if field in op]
    trigger = {"manual": "asked for by the user", "auto": "automatic"}.get(op["trigger"], "cause unknown")
    yield part("note", "the host shortened the window", ", ".join([trigger, *sizes]))
    if "summary" in op:
        yield blob_part(timeline, op, "summary", "summary", "summary", "markdown")


def _report(timeline: Timeline, op: Plain) -> Iterator[Part]:
    """A failure, or that something works again."""
    is_failure = op["kind"] == "failed"
    named = [op["test"]] if "test" in op else [*op.get("tests", ()), *op.get("paths", ()), *op.get("nodes", ())]
    places = [f"{path}:{line}" for path, line in op.get("sites", ())]
    title = f"{op['runner']} {'fails' if is_failure else 'passes'}"
    yield part("error" if is_failure else "note", title, "\n".join([*named, *places]))
    if "output" in op:
        yield blob_part(timeline, op, "output", "output", "output")


def _recall(timeline: Timeline, op: Plain) -> Iterator[Part]:
    items = "\n".join(f"{node}  {level}  {tokens:,} tokens" for node, level, tokens in op["items"])
    yield part("note", f"suggested window ({op['lens']}, budget {op['budget']:,}) given to the agent", items)
    if "said" in op:
        yield blob_part(timeline, op, "said", "output", "its text")


def _renamed(_: Timeline, op: Plain) -> Iterator[Part]:
    yield part("note", "renamed", f"{op['path']} → {op['to']}", path=op["to"])


def _gone(_: Timeline, op: Plain) -> Iterator[Part]:
    yield part("note", "deleted", op["path"], path=op["path"])


def _other(timeline: Timeline, op: Plain) -> Iterator[Part]:
    """Every text the op brought, then its other fields."""
    blobs = [field for field, value in op.items() if isinstance(value, dict) and "blob" in value]
    for field in blobs:
        yield blob_part(timeline, op, field, "text", field, "markdown")
    hidden = {*blobs, "kind", "v", "at", "actor", "host", "session", "context", "call", "phase", "findings"}
    rest = {field: value for field, value in op.items() if field not in hidden}
    if rest:
        yield part("note", op["kind"], pretty(rest), "json")


_KINDS: dict[str, Callable[[Timeline, Plain], Iterator[Part]]] = {
    "prompt": _prompt,
    "thought": _thought,
    "turn": _turn,
    "usage": _usage,
    "compaction": _compaction,
    "failed": _report,
    "passed": _report,
    "recall": _recall,
    "renamed": _renamed,
    "gone": _gone,
}


# ---- images ----


def with_images(role: str, title: str, text: str, language: str = "text", **more: Any) -> Iterator[Part]:
    """Make a part of a text; the placeholders that stand for images in it are parts of their own, behind it."""
    lines = text.split("\n")
    images = [line.strip() for line in lines if is_image(line)]
    if images and all(is_image(line) or not line.strip() for line in lines):
        text = ""
    if text or not images:
        yield part(role, title, text, language, **more)
    for line in images:
        yield part("image", "image", line)


_IMAGE = re.compile(
    r"\[(?:image|document|audio|video|file|application)(?:/[\w.+-]+)?(?:, [\d,]+ bytes, blake3 [0-9a-f]+…| \S+)?\]"
)


def is_image(line: str) -> bool:
    """Whether a line stands for an image or document, as `intake.importers.images` writes it."""
    return line.lstrip().startswith("[") and _IMAGE.fullmatch(line.strip()) is not None
