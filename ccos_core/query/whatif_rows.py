"""The rows of `whatif`: both windows in a line each, then what entered, what left, and what moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, note, row, table, title
from ccos_core.present.words import count

if TYPE_CHECKING:
    from ccos_core.query.whatif import Member, Place, Side, WhatIf

MEMBERS = 6
"""Members of each kind that a terminal shows."""
LONGEST_REASON = 80


def whatif_rows(answer: WhatIf, view: View) -> Iterator[Row]:
    """Compare the window as it was with the one under other conditions."""
    otherwise = Span(", ".join(map(clean, answer.otherwise)), "strong")
    yield title(f"step {answer.step:,}  {clip(clean(answer.lens), 40)}  if ", otherwise)
    yield from table([("as it was", *_side(answer.before)), ("then", *_side(answer.after))])
    if not (answer.entered or answer.left or answer.moved):
        yield note("  the same items as before", "good")
    yield from _section("+", "entered", "entered", answer.entered, view)
    yield from _section("−", "left", "left", answer.left, view)
    yield from _section("~", "moved", "changed", answer.moved, view)
    yield note(f"  {count(answer.same, 'item')} as before")
    if answer.way == "fork":
        yield note(f"  inferred: {count(answer.folded, 'op')} replayed in memory, nothing written", "note")
        yield note("  what the agent would have done instead is unknown")


def _side(side: Side) -> tuple[str, str]:
    return f"{side.tokens:,} of {side.budget:,} tokens", count(side.members, "item")


def _section(sign: str, word: str, role: str, members: Sequence[Member], view: View) -> Iterator[Row]:
    if members:
        shown, hidden = view.some(members, MEMBERS)
        yield row(Span(f"{sign} ", role, ""), f"{word} ({len(members):,})", role="heading")
        cells = [_cells(each, view.width // 2) for each in shown]
        yield from table(cells, leads=[Moment(node=each.node) for each in shown])
        yield from and_more(hidden, "item")


def _cells(member: Member, width: int) -> tuple[Part, ...]:
    """Its name, its rank and how it is shown; of one that isn't in both, why it is in one."""
    name = Span(clip_path(node_name(member.node), max(width, 8)), "link")
    places = [each for each in (member.before, member.after) if each is not None]
    ranks = dict.fromkeys(f"{each.rank:,}" for each in places if each.rank)
    rank = f"rank {' → '.join(ranks)}" if ranks else ""
    shown = _shown(places)
    if len(places) != 1:
        return name, rank, shown
    short = f"{count(member.short, 'token')} short: " if member.short is not None else ""
    return name, rank, shown, Span(f"{short}{clip(clean(places[0].reason), LONGEST_REASON)}", "quiet")


def _shown(places: Sequence[Place]) -> str:
    """Return `body, 15 → 29 tokens`, or `body, 29 tokens → name, 4 tokens`."""
    first, last = places[0], places[-1]
    if first.level != last.level:
        return " → ".join(f"{clean(each.level)}, {count(each.tokens, 'token')}" for each in places)
    before = f"{first.tokens:,} → " if first.tokens != last.tokens else ""
    return f"{clean(last.level)}, {before}{count(last.tokens, 'token')}"
