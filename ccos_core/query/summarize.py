"""`summarize`: the lines of a document, step or statement that name the most, tied to the hash of its text.

The summary is made of the text's own lines; no model is asked. It counts only for the text with that hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.parts import node_name
from ccos_core.present.rows import Row, View, clean, note, row, title
from ccos_core.query.node_names import known_statements
from ccos_core.query.op_text import text_of
from ccos_core.query.paging_out import source_hash
from ccos_core.query.question import Argument, Question
from ccos_core.query.sourced import REFERENCE_DIGITS, Sourced, sourced
from ccos_core.query.step_text import step_parts
from ccos_core.text.compress.prose import summarized
from ccos_core.values.ids import HELD_PREFIXES, MEMO_PREFIX, WORDS_PREFIX
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

TARGET_TOKENS = 120


@dataclass(frozen=True, slots=True)
class Summarized:
    """The answer to `summarize`."""

    schema: ClassVar[str] = "ccos.summarized/1"
    at: int
    node: str | None
    """What was summarized; None if it was the step itself."""

    text: str
    """The summary; all of the text if that is small enough."""

    tokens: int
    """Of the summary, estimated."""

    whole: int
    """Tokens of all of the text, estimated."""

    source: str
    """The blake3 of the text in hex. Of another text this is no summary."""

    ccr_ref: str
    """By which `ccos_retrieve` gives the exact text; empty if no single recorded content has it."""

    dropped: tuple[str, ...]
    """Paths, identifiers, numbers and error codes of the text that the summary doesn't have."""

    verbatim: ClassVar[bool] = True

    def as_rows(self, view: View) -> Sequence[Row]:
        """The summary below a line that says what of; then what it lacks."""
        return list(_rows(self))


def summarize(timeline: Timeline, at: int, *, node: str | None, target: int) -> Summarized:
    """Summarize the text that a node has at a step, or what the step itself said."""
    found = _text(timeline, at, node)
    short = summarized(found.text, target)
    return Summarized(
        at,
        node,
        short.text,
        estimate(short.text),
        estimate(found.text),
        source_hash(found.text),
        found.reference,
        short.dropped,
    )


# ---- helpers ----


def _text(timeline: Timeline, at: int, node: str | None) -> Sourced:
    """Return what is summarized; raises `NotFound` if it has no text."""
    if node is None:
        return _of_step(timeline, at)
    if node.startswith(HELD_PREFIXES):
        return _of_step(timeline, int(node.partition(":")[2]))
    found = sourced(timeline, node, at) if not node.startswith(WORDS_PREFIX) else None
    if found is None and node.startswith(MEMO_PREFIX) and (said := known_statements(timeline, at).get(node)):
        found = Sourced(said, "")
    if found is None:
        raise NotFound(f"has no text at step {at:,}", place=node.partition(":")[2])
    return found


def _of_step(timeline: Timeline, step: int) -> Sourced:
    """Return all that a step said; a reference if one content of the step has it."""
    text = "\n\n".join(part.text for part in step_parts(timeline, step) if part.text)
    if not text:
        raise NotFound("has no text", place=f"step {step:,}")
    blobs = [each["blob"] for each in timeline.op(step).values() if isinstance(each, dict) and "blob" in each]
    whole = [blob for blob in blobs if text_of(timeline, {"blob": blob}) == text]
    return Sourced(text, whole[0][:REFERENCE_DIGITS] if whole else "")


def _rows(answer: Summarized) -> Iterator[Row]:
    what = f"{node_name(answer.node)} at step {answer.at:,}" if answer.node else f"step {answer.at:,}"
    yield title(f"{what}: about {answer.tokens:,} of {answer.whole:,} tokens")
    for line in answer.text.splitlines():
        yield row(clean(line))
    reference = f", all of it: {answer.ccr_ref}" if answer.ccr_ref else ""
    yield note(f"summary of {answer.source[:REFERENCE_DIGITS]}{reference}")
    if answer.dropped:
        yield note(f"not in it: {clean(', '.join(answer.dropped))}")


QUESTION = Question(
    ask=summarize,
    answers=(Summarized,),
    example="summarize src/db.py 40",
    arguments=(
        Argument("node", "node", "file, symbol, step such as prompt:6, or statement; without one, the step"),
        Argument("target", "budget", "tokens of the summary", default=TARGET_TOKENS),
    ),
    about="The summary is made of the text's own lines: those that name the most paths, identifiers, numbers and "
    "error codes. It is tied to the hash of that text.",
    words=True,
)
