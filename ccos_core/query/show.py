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
from ccos_core.present.words import count, visible
from ccos_core.query.past_file import Lines, past_file
from ccos_core.query.question import Argument, Question
from ccos_core.query.statement import Standing, statement_standing
from ccos_core.query.step_text import Part, read_blob, row_parts, step_parts
from ccos_core.query.telling import Told, told
from ccos_core.values.ids import HELD_PREFIXES, SPOKEN_PREFIXES, path_of

if TYPE_CHECKING:
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ShownText:
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

    texts: tuple[ShownText, ...] = ()
    """Of a file or a symbol, its text."""

    parts: tuple[Part, ...] = ()
    """Of a step, everything that it said."""

    unknown: tuple[Lines, ...] = ()
    """Of a file or symbol the lines that no step showed, by their numbers in the file; in the text they are empty."""

    notes: tuple[str, ...] = ()
    """What else is to be said of a file: lines that may have changed, masked secrets, an unknown end."""

    verbatim: ClassVar[bool] = True
    """The texts are printed as they are."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def show(timeline: Timeline, at: int, *, node: str | None, row: bool = False) -> Texts | Standing:
    """What a node was, or what a step said; of words, where they were said and what carries them."""
    if node is not None and node.startswith(SPOKEN_PREFIXES):
        return statement_standing(timeline, at, node, None, None)
    if node is not None and node.startswith(HELD_PREFIXES):
        step = int(node.partition(":")[2])
        return Texts(at, node, 1, told(timeline, step), parts=step_parts(timeline, step))
    if node is None:
        parts = row_parts(timeline, at) if row else step_parts(timeline, at)
        return Texts(at, None, 1, told(timeline, at) if at else None, parts=parts)
    path = path_of(node)
    version = timeline.sources.at(path, timeline.at(at).last) if path is not None else None
    if path is None or version is None:
        raise _not_there(at, node)
    return _of_source(timeline, at, node, path, version)


def _not_there(at: int, node: str) -> NotFound:
    name = node.partition(":")[2]
    return NotFound(f"doesn't exist at step {at:,}", place=name, hint=f"See where it was recorded: provenance {name}")


def _of_source(timeline: Timeline, at: int, node: str, path: str, version: Version) -> Texts:
    """The text of a file or symbol, with the lines of it that are unknown."""
    file, by = past_file(timeline, path, version), told(timeline, version.step)
    if not node.startswith("sym:") and file.has_text:
        missing = _why_not(timeline, version) or _unseen(file.unknown)
        whole = version.content if not missing and not file.doubted else ""
        said = ShownText("file", whole, file.sheet.text, missing)
        return Texts(at, node, 1, by, (said,), unknown=file.unknown, notes=file.notes)
    source = timeline.sources.source(path, version)
    place = source.nesting.places.get(node) if node.startswith("sym:") else None
    if node.startswith("sym:") and place is None:
        raise _not_there(at, node)
    first, last = source.span(place) if place is not None else (1, len(source.lines))
    within = (Lines(max(each.first, first), min(each.last, last)) for each in file.unknown)
    unknown = tuple(each for each in within if each.first <= each.last)
    missing = _why_not(timeline, version) or _unseen(unknown)
    said = ShownText("symbol" if place is not None else "file", "", "\n".join(source.lines[first - 1 : last]), missing)
    return Texts(at, node, first, by, (said,), unknown=unknown)


def _why_not(timeline: Timeline, version: Version) -> str:
    """Why nothing is known of a version."""
    if not version.content:
        return f"withheld: {version.why}" if version.why else "never recorded"
    op = timeline.op(version.step)
    if "content" not in op or "slice" in op:
        return ""
    return read_blob(timeline, op["content"])[1]


def _unseen(unknown: tuple[Lines, ...]) -> str:
    said = ", ".join(f"{each.first:,} to {each.last:,}" for each in unknown)
    return f"lines {said} were never seen" if said else ""


# ---- its rows ----


def _rows(answer: Texts) -> Iterator[Row]:
    """What it is, then each text below a line that names it."""
    by = op_words(answer.by, 100) if answer.by is not None else "before the first step"
    yield title(f"{node_name(answer.node)} at step {answer.at:,}, by {by}" if answer.node else by)
    for each in answer.texts:
        yield from _text_rows(each.name, each.text, each.missing, answer)
    for part in answer.parts:
        name = part.role if part.title in ("", part.role) else f"{part.role}: {part.title}"
        lines = f", from line {part.line:,}" if part.line > 1 and part.language != "diff" else ""
        yield from _text_rows(name + lines, part.text, part.missing)
    if not answer.texts and not answer.parts:
        yield note("It has no text.")


def _text_rows(name: str, text: str, missing: str, of: Texts | None = None) -> Iterator[Row]:
    """A text below its name; `of` says of the text of a file which of its lines are unknown."""
    why = f": {clean(missing)}" if missing else ""
    yield row(Span("-- ", "quiet", "The "), f"{clean(name)}{why}", role="heading")
    lines = visible(text.removesuffix("\n")).split("\n") if text else []
    if of is not None:
        yield from (note(f"   {clean(said)}") for said in of.notes)
    yield from _lines(lines, of.first if of is not None else 1, of.unknown if of is not None else ())


def _lines(lines: Sequence[str], first: int, unknown: tuple[Lines, ...]) -> Iterator[Row]:
    """The lines of a text that begins with line `first`; in the place of those that are unknown a mark."""
    ends = {each.first: each.last for each in unknown}
    until = 0
    for number, line in enumerate(lines, first):
        if number in ends:
            until = ends[number]
            size = count(until - number + 1, "line")
            numbers = f"lines {number:,} to {until:,}" if until > number else f"line {number:,}"
            yield Row((Span(f"~~~ {numbers} unknown: {size} ~~~", "note"),))
        if number > until:
            yield Row((Span(clean(line)),), copies=line)


def _has_text(answer: Texts) -> bool:
    return any(each.text for each in answer.texts) or any(each.text for each in answer.parts)


QUESTION = Question(
    ask=show,
    answers=(Texts, Standing),
    example="show src/db.py",
    arguments=(
        Argument("node", "node", "file or symbol; without one, print everything the step said"),
        Argument("row", "switch", "with the other steps of its row in the list of steps", default=False, flag=True),
    ),
    about="It prints what was recorded: secrets stay masked, and withheld or erased text is missing.",
    words=True,
    nothing=lambda answer: isinstance(answer, Texts) and not _has_text(answer),
)
