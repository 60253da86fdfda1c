"""Which steps of a session wrote a line of a file, with the prompt that they followed and what the agent's window held.

A step wrote the line if the file has it more often behind the step than before. Where several did, the one around
which the neighbouring lines stand as they are wanted is the best, and of equals the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError
from ccos_core.ops.plain import unseal
from ccos_core.query.hosted.window import agent_window
from ccos_core.query.past_file import past_file
from ccos_core.replay.codes import HOW_CODES, KIND_CODES

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

AROUND = 4
"""Lines above and below that are compared."""
PROMPT_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line, and those around it."""

    text: str
    above: tuple[str, ...]
    """The nearest first."""
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """A step that wrote the line."""

    step: int
    """The step; `show WS@STEP` prints it."""
    at: int | None
    """Milliseconds since 1970."""
    path: str
    """The file, as the session calls it."""
    session: str
    context: str
    """Of the subagent that wrote it; empty for the main conversation."""
    alike: int
    """How many of the neighbouring lines stood around it as they do now."""
    prompt_step: int
    """The prompt that the step followed; 0 if there is none."""
    prompt: str
    """How that prompt begins."""
    window_tokens: int
    """What the agent's window held before the step, as ccos-tui estimates it; 0 where it isn't known."""
    window_items: int
    """How many files, prompts, results and summaries these were."""
    held: bool
    """Whether the window held the file, or a part of it."""


def line_origins(timeline: Timeline, path: str, wanted: Wanted) -> list[Origin]:
    """Return the steps that wrote a line, the best first."""
    found = []
    for step, op in _edits(timeline, path):
        before, after = _lines(timeline, path, step - 1), _lines(timeline, path, step)
        places = [at for at, line in enumerate(after) if line.rstrip() == wanted.text.rstrip()]
        if len(places) > sum(line.rstrip() == wanted.text.rstrip() for line in before):
            alike = max(_alike(after, at, wanted) for at in places)
            found.append(_origin(timeline, step, op, path, alike))
    return sorted(found, key=lambda each: (-each.alike, -each.step))


def _edits(timeline: Timeline, path: str) -> Iterator[tuple[int, Plain]]:
    steps = timeline.journal.steps
    hows = steps["how"][: timeline.head]
    changed = ((hows == HOW_CODES["edit"]) | (hows == HOW_CODES["write"])).nonzero()[0] + 1
    wanted = set(changed.tolist())
    if wanted:
        for step, _, body in timeline.ops.rows(min(wanted), max(wanted)):
            op = unseal(body) if step in wanted else {}
            if op.get("path") == path:
                yield step, op


def _lines(timeline: Timeline, path: str, step: int) -> list[str]:
    """The file's lines at a step; none where nothing is known of it."""
    version = timeline.sources.at(path, step) if step > 0 else None
    return past_file(timeline, path, version).sheet.text.split("\n") if version is not None else []


def _alike(lines: Sequence[str], at: int, wanted: Wanted) -> int:
    above, below = lines[max(at - AROUND, 0) : at][::-1], lines[at + 1 : at + 1 + AROUND]
    pairs = (*zip(above, wanted.above, strict=False), *zip(below, wanted.below, strict=False))
    return sum(one.rstrip() == other.rstrip() for one, other in pairs)


def _origin(timeline: Timeline, step: int, op: Plain, path: str, alike: int) -> Origin:
    session, context = str(op.get("session", "")), str(op.get("context", ""))
    prompt_step, prompt = _prompt_before(timeline, step, session, context)
    tokens = items = 0
    held = False
    try:
        window = agent_window(timeline, step - 1, lens="host", session=session or None, context=context or None)
    except CcosError:  # a workspace in which no host speaks
        pass
    else:
        tokens, items = window.tokens, len(window.items)
        held = any(each.node == f"file:{path}" and each.state != "gone" for each in window.items)
    return Origin(step, op.get("at"), path, session, context, alike, prompt_step, prompt, tokens, items, held)


def _prompt_before(timeline: Timeline, step: int, session: str, context: str) -> tuple[int, str]:
    """(step, how it begins) of the last prompt in this conversation that its host didn't write."""
    kinds = timeline.journal.steps["kind"][: step - 1]
    for place in (kinds == KIND_CODES["prompt"]).nonzero()[0][::-1].tolist():
        op = timeline.op(place + 1)
        same = op.get("session", "") == session and op.get("context", "") == context
        if same and op.get("source") != "host":
            try:
                said = timeline.content(op["said"]["blob"]).decode("utf-8", "replace")
            except CcosError:
                said = ""
            return place + 1, said[:PROMPT_CHARACTERS]
    return 0, ""
