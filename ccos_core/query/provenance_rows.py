"""The rows of `provenance`: first seen, versions, sightings, notes, failures; each leads to its step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import node_name, op_words, section
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count, short

if TYPE_CHECKING:
    from ccos_core.query.provenance import Edition, Failing, Lines, Provenance, Sighting
    from ccos_core.query.telling import Told

KNOWN = {"delivered": "in", "patched": "partial", "inferred": "uncertain", "unknown": "out"}
"""How lines are known → the role of how many they are; the word stands beside it."""
BEFORE = {
    "unborn": "first time",
    "in": "again: the window had it",
    "partial": "more: the window had a part",
    "stale": "again: changed at step {}",
    "uncertain": "again: perhaps lost at step {}",
    "out": "again: lost at step {}",
    "gone": "again: deleted at step {}",
}
"""How a window held a file before it was read → why it was read."""
LONGEST = 48
"""Columns of an op."""


def provenance_rows(answer: Provenance, view: View) -> list[Row]:
    """All of it, section by section."""
    at = f"step {answer.at:,}"
    editions, sightings = [_edition(each) for each in answer.editions], [_sighting(each) for each in answer.sightings]
    return [
        title(clip_path(node_name(answer.node), max(view.width - len(at) - 2, 8)), right=[Span(at, "quiet")]),
        *([] if answer.there else [note("  not there at this step", "note")]),
        *_first(answer),
        *section("failing", [_failing(each) for each in answer.failing], answer.failing_more, "failure"),
        *section("versions", editions, answer.editions_more, "of its file", "of its file"),
        *section("seen at", sightings, answer.sightings_more, "of its file", "of its file"),
        *section("noted", [_noted(each) for each in answer.notes], answer.notes_more, "note"),
    ]


def _first(answer: Provenance) -> Iterator[Row]:
    if answer.was:
        yield row(Span("  was ", "quiet"), ", then ".join(map(node_name, reversed(answer.was))))
    if answer.first is not None:
        said = Span(op_words(answer.first, LONGEST), "link")
        yield row(Span("  first seen: ", "quiet"), said, leads=Moment(answer.first.step))
    elif not answer.editions:
        yield row(Span("  it is in no source", "quiet"))


def _noted(op: Told) -> Row:
    return row("  ✎ ", Span(op_words(op, LONGEST), "link"), leads=Moment(op.step))


def _edition(each: Edition) -> Row:
    """What gave a version, and how its lines are known."""
    sign, role = ("✎", "edit") if each.op.kind in ("edit", "write") else ("▤", "read")
    content = (
        (Span(short(each.content), "quiet"),) if each.content else (Span(f"no text: {clean(each.missing)}", "note"),)
    )
    op = Span(op_words(each.op, LONGEST), "link")
    return Row((Span(f"  {sign} ", role), op, *_lines(each.lines)), content, Moment(each.op.step, each.node))


def _lines(known: Sequence[Lines]) -> Iterator[Span]:
    """`  12 lines delivered, 3 patched`."""
    for at, each in enumerate(known):
        said = f"{count(each.count, 'line') if not at else f'{each.count:,}'} {clean(each.kind)}"
        yield Span(f"{', ' if at else '  '}{said}", KNOWN.get(each.kind, "quiet"))


def _sighting(each: Sighting) -> Row:
    part = f"lines {each.first:,}–{each.last:,}" if each.first else "all of it"
    said = Span(f"step {each.op.step:,}, {clean(each.op.kind)}", "link")
    whose = f"by subagent {clip(clean(each.context), 12)}, " if each.context else ""
    before = Span(f"  {whose}{BEFORE[each.state].format(f'{each.since:,}')}" if each.state in BEFORE else "")
    return Row((Span("  ▤ ", "read"), said, before), (Span(part, "quiet"),), Moment(each.op.step))


def _failing(each: Failing) -> Row:
    name = clip(clean(each.test or each.message or "failed"), LONGEST)
    where = "located here" if each.felt else f"{each.percent} % of it reaches this"
    since = Span(f"  {where}, since step {each.since.step:,}, said by {op_words(each.said, 30)}", "quiet")
    return row(Span("  ✗ ", "bad"), f"{clean(each.runner)} {name}", since, leads=Moment(each.since.step))
