"""`show`: the text of a file as it was known at a step, or everything that one step said, in parts.

A text that was erased, withheld or cut says so instead of standing there empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.parts import node_name, op_words
from ccos_core.present.rows import Row, Span, View, clean, note, row, title
from ccos_core.present.words import visible
from ccos_core.query.question import Argument, Question
from ccos_core.query.step_text import Part, read_blob, step_parts
from ccos_core.query.telling import Told, told
from ccos_core.values.ids import path_of
from ccos_core.values.sheet import UNKNOWN

if TYPE_CHECKING:
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline

ELSEWHERE = ("prompt:", "result:", "summary:")
"""Nodes that are what a step said; its number stands behind them."""


@dataclass(frozen=True, slots=True)
class Said:
    """One text."""

    name: str
    """What it is: `file` or `symbol`."""

    hash: str
    """Of its content, in hex; empty where the record holds none, or where it was pieced together of several."""

    text: str
    missing: str
    """Why there is no text, or not all of it; empty where it is whole."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The answer to `show`."""

    schema: ClassVar[str] = "ccos.show/2"
    at: int
    node: str | None
    """What was asked for; None where it was the step itself."""

    first: int
    """The line of its file that the text begins with."""

    by: Told | None
    """The op that it comes from: of a file, what showed or changed it last. Nothing before the first step."""

    texts: tuple[Said, ...] = ()
    """Of a file or a symbol, its text."""

    parts: tuple[Part, ...] = ()
    """Of a step, everything that it said."""

    verbatim: ClassVar[bool] = True
    """The texts are printed as they are."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def show(timeline: Timeline, at: int, *, node: str | None) -> Texts:
    """What a node was, or what a step said."""
    if node is not None and node.startswith(ELSEWHERE):
        step = int(node.partition(":")[2])
        return Texts(at, node, 1, told(timeline, step), parts=step_parts(timeline, step))
    if node is None:
        return Texts(at, None, 1, told(timeline, at) if at else None, parts=step_parts(timeline, at))
    path = path_of(node)
    version = timeline.sources.at(path, timeline.at(at).last) if path is not None else None
    if path is None or version is None:
        raise _not_there(at, node)
    return _of_source(timeline, at, node, path, version)


def _not_there(at: int, node: str) -> NotFound:
    name = node.partition(":")[2]
    return NotFound(f"doesn't exist at step {at:,}", place=name, hint=f"See where it was recorded: provenance {name}")


def _of_source(timeline: Timeline, at: int, node: str, path: str, version: Version) -> Texts:
    source = timeline.sources.source(path, version)
    place = source.nesting.places.get(node) if node.startswith("sym:") else None
    if node.startswith("sym:") and place is None:
        raise _not_there(at, node)
    first, last = source.span(place) if place is not None else (1, len(source.lines))
    text = "\n".join(source.lines[first - 1 : last])
    missing = _why_not(timeline, version) or _unseen(timeline, path, version, first, last)
    whole = version.content if place is None and not missing else ""
    said = Said("symbol" if place is not None else "file", whole, text, missing)
    return Texts(at, node, first, told(timeline, version.step), (said,))


def _why_not(timeline: Timeline, version: Version) -> str:
    """Why nothing is known of a version."""
    if not version.content:
        return f"withheld: {version.why}" if version.why else "never recorded"
    op = timeline.op(version.step)
    if "content" not in op or "slice" in op:
        return ""
    return read_blob(timeline, op["content"])[1]


def _unseen(timeline: Timeline, path: str, version: Version, first: int, last: int) -> str:
    sheet = timeline.sources.sheet(path, version)
    runs = [run for run in sheet.runs if run[2] == UNKNOWN and run[0] <= last and first <= run[1]] if sheet else []
    said = ", ".join(f"{max(begin, first):,} to {min(end, last):,}" for begin, end, _ in runs)
    return f"lines {said} were never seen" if said else ""


# ---- its rows ----


def _rows(answer: Texts) -> Iterator[Row]:
    """What it is, then each text below a line that names it."""
    by = op_words(answer.by, 100) if answer.by is not None else "before the first step"
    yield title(f"{node_name(answer.node)} at step {answer.at:,}, by {by}" if answer.node else by)
    for each in answer.texts:
        yield from _text_rows(each.name, each.text, each.missing)
    for part in answer.parts:
        name = part.role if part.title in ("", part.role) else f"{part.role}: {part.title}"
        lines = f", from line {part.line:,}" if part.line > 1 and part.language != "diff" else ""
        yield from _text_rows(name + lines, part.text, part.missing)
    if not answer.texts and not answer.parts:
        yield note("It has no text.")


def _text_rows(name: str, text: str, missing: str) -> Iterator[Row]:
    why = f": {clean(missing)}" if missing else ""
    yield row(Span("-- ", "quiet", "The "), f"{clean(name)}{why}", role="heading")
    lines = visible(text.removesuffix("\n")).split("\n") if text else []
    yield from (Row((Span(clean(line)),), copies=line) for line in lines)


QUESTION = Question(
    ask=show,
    answers=(Texts,),
    example="show src/db.py",
    arguments=(Argument("node", "node", "file or symbol; without one, print everything the step said"),),
    about="It prints what was recorded: secrets stay masked, and withheld or erased text is missing.",
    nothing=lambda answer: not any(each.text for each in (*answer.texts, *answer.parts)),
)
