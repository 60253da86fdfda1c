"""Answers as they leave the program: lines for a terminal, sentences for a screen reader, an object for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from ccos_core.present.aloud import sentences
from ccos_core.present.cells import width_of
from ccos_core.present.rows import Moment, Row, Span, View
from ccos_core.present.words import count
from ccos_core.serve.terminal import coloured

ROLES = {
    "bad": "bad", "left": "bad", "out": "bad", "gone": "bad",
    "good": "good", "entered": "good", "in": "good",
    "note": "note", "changed": "note", "partial": "note", "stale": "note", "uncertain": "note", "compaction": "note",
    "found": "note",
    "quiet": "quiet", "unborn": "quiet",
    "strong": "strong", "title": "strong", "heading": "strong",
}  # fmt: skip
"""Role of a row or a span → how a terminal shows it; other roles look like any text."""
NARROWEST = 40
"""Columns below which lines aren't broken any further."""
_WORDS = re.compile(r"\s*\S+")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")


def as_lines(answer: Any, columns: int | None, *, aloud: bool = False, partial: int = 0) -> list[str]:
    """Return an answer as lines; `aloud` as sentences for a screen reader."""
    rows = answer.as_rows(View(columns if not aloud else None))
    verbatim = getattr(answer, "verbatim", False)
    if verbatim:
        said = (sentences([row]) if aloud and row.role else (row.copies or row.text).split("\n") for row in rows)
        lines = [line for each in said for line in each]
    elif aloud:
        lines = list(sentences(rows))
    else:
        lines = list(printed(rows, None if getattr(answer, "unbroken", False) else columns))
    return [*lines, f"partial: facts missing for {count(partial, 'content')}"] if partial else lines


def as_json_object(answer: Any, partial: int = 0) -> dict[str, object]:
    """Return an answer as programs get it: its schema, and all its fields."""
    return {"schema": answer.schema, **asdict(answer), **({"partial": partial} if partial else {})}


def printed(rows: Iterable[Row], columns: int | None) -> Iterator[str]:
    """Print rows: roles become colours, and what is wider than the terminal is broken between words.

    What stands at the right is aligned among the rows between two headings."""
    return (line for line, _ in printed_with_leads(rows, columns))


def printed_with_leads(rows: Iterable[Row], columns: int | None) -> Iterator[tuple[str, Moment | None]]:
    """Print rows, each line with where its row leads."""
    for block in _blocks(rows):
        edge = max((width_of(_left(row)) for row in block if row.right), default=0)
        for row in block:
            gap = Span(" " * (edge - width_of(_left(row)) + 2))
            right = (gap, *row.right) if row.right else ()
            line = "".join(_coloured(span, row.role) for span in (*row.spans, *right)).rstrip()
            yield from ((each, row.leads) for each in (fitted(line, columns) if columns else (line,)))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Split rows in front of titles, headings and empty rows, and behind headings."""
    block: list[Row] = []
    for row in rows:
        begins = row.role in ("title", "heading") or not row.spans
        if block and (begins or block[-1].role in ("title", "heading")):
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _left(row: Row) -> str:
    return "".join(span.text for span in row.spans)


def fitted(line: str, columns: int) -> Iterator[str]:
    """Break a line to fit a terminal, the lines below the first further in; a word stays whole.

    If the last column of a table doesn't fit, all of it goes to the next line, and not only its end."""
    room = max(columns, NARROWEST)
    if _width(line) <= room:
        yield line
        return
    bare = click.unstyle(line)
    indent = " " * min(len(bare) - len(bare.lstrip()) + 4, room // 2)
    begun, rest = _before_gap(line.rstrip(), room)
    if begun:
        yield begun
        begun, rest = "", indent + rest
    for word in _WORDS.findall(rest):
        if begun and _width(begun + word) > room:
            yield begun
            word = indent + word.lstrip()
            begun = ""
        begun += word
    yield begun


def _coloured(span: Span, row_role: str) -> str:
    role = ROLES.get(span.role) or ROLES.get(row_role)
    return coloured(span.text, role) if role and span.text.strip() else span.text


def _before_gap(line: str, room: int) -> tuple[str, str]:
    """Split at the gap between columns that is the last one that fits; without columns, nothing and all of it."""
    gaps: Sequence[tuple[int, int]] = [gap.span() for gap in _GAP.finditer(line)]
    begin, end = max((gap for gap in gaps if room // 3 <= _width(line[: gap[0]]) <= room), default=(0, 0))
    return line[:begin], line[end:]


def _width(line: str) -> int:
    return width_of(click.unstyle(line))
