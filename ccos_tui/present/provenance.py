"""Where what is known of a node comes from, as rows that lead to the steps: first seen, versions, sightings, notes,
failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import count, short
from ccos_tui.keys import BY_THEMSELVES, Keys
from ccos_tui.present.parts import and_more, node_name, op_words
from ccos_tui.present.unselected import unselected
from ccos_tui.present.why import title

if TYPE_CHECKING:
    from ccos_core.query.provenance import Edition, Failing, Lines, Provenance, Sighting
    from ccos_core.query.telling import Told

NOTHING = "{provenance} there tells where what is known of it comes from."
KNOWN = {"delivered": "in", "patched": "partial", "inferred": "uncertain", "unknown": "out"}
"""How lines are known → the role of how many they are; the word stands beside it."""
LONGEST = 48


def nothing(keys: Keys = BY_THEMSELVES) -> list[Row]:
    """What is shown where no node is selected."""
    return unselected(NOTHING, keys)


def rows_of(answer: Provenance, width: int) -> list[Row]:
    """All of it, section by section."""
    return [
        title(answer.node, answer.at, width),
        *([] if answer.there else [row(Span("  not there at this step", "note"))]),
        *_first(answer),
        *_section("failing", [_failing(each) for each in answer.failing], answer.failing_more, "failure"),
        *_section("versions", [_edition(each) for each in answer.editions], answer.editions_more, "of its file"),
        *_section("seen at", [_sighting(each) for each in answer.sightings], answer.sightings_more, "of its file"),
        *_section("noted", [_told("✎", each) for each in answer.notes], answer.notes_more, "note"),
    ]


def _first(answer: Provenance) -> Iterator[Row]:
    if answer.was:
        yield row(Span("  was ", "quiet"), ", then ".join(map(node_name, reversed(answer.was))))
    if answer.first is not None:
        said = Span(op_words(answer.first, LONGEST), "link")
        yield row(Span("  first seen: ", "quiet"), said, leads=Moment(answer.first.step))
    elif not answer.editions:
        yield row(Span("  it came up in no source", "quiet"))


def _section(title: str, rows: Sequence[Row], more: int, one: str) -> Iterator[Row]:
    if rows:
        yield Row()
        yield heading(f"{title} ({len(rows) + more:,})")
        yield from rows
        yield from and_more(more, one, one if one == "of its file" else "")


def _told(sign: str, op: Told) -> Row:
    return row(f"  {sign} ", Span(op_words(op, LONGEST), "link"), leads=Moment(op.step))


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
    said = Span(op_words(each.op, LONGEST), "link")
    return Row((Span("  ▤ ", "read"), said), (Span(part, "quiet"),), Moment(each.op.step))


def _failing(each: Failing) -> Row:
    name = clip(clean(each.test or each.message or "failed"), LONGEST)
    where = "felt here" if each.felt else f"{each.percent} % of it reaches this"
    since = Span(f"  {where}, since step {each.since.step:,}, said by {op_words(each.said, 30)}", "quiet")
    return row(Span("  ✗ ", "bad"), f"{clean(each.runner)} {name}", since, leads=Moment(each.since.step))
