"""What a window would have been, beside what it was: item by item, old on the left and new on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.present.parts import node_name
from ccos_tui.present.sides import sides

if TYPE_CHECKING:
    from ccos_core.query.whatif import Member, Place, Side, WhatIf

OFFERED = (
    ("budget", "--budget {double}", "twice the budget"),
    ("budget", "--budget {half}", "half of it"),
    ("this step", "--without {step}", "as if this step hadn't happened"),
    ("half-life", "--half-life 16", "what was touched long ago matters less"),
    ("half-life", "--half-life 256", "what was touched long ago matters more"),
    ("edits", "--weight edit=96", "edits matter more"),
    ("a pass", "--with-pass", "as if everything passed now"),
)
"""What can be tried at once: (what is otherwise, how that is typed, what it means)."""


def offered(step: int, budget: int, selected: str | None) -> list[Row]:
    """Things to try; a row's copy is what is typed for it."""
    rows = [heading("As if")]
    told = [*OFFERED]
    if selected is not None:
        told += [("a read", "--with-read " + node_name(selected), "as if it were read now")]
        told += [("a failure", "--with-failure " + node_name(selected), "as if something failed in it now")]
    for name, words, meaning in told:
        words = words.replace("{double}", str(budget * 2)).replace("{half}", str(max(budget // 2, 1)))
        words = words.replace("{step}", str(step))
        rows.append(Row((Span(f"  {name:<10}"), Span(f"{words:<28}", "link"), Span(meaning, "quiet")), copies=words))
    return rows


def rows_of(answer: WhatIf, width: int) -> list[Row]:
    """Both sides."""
    changed = answer.entered or answer.left or answer.moved
    rows = [row("if ", Span(", ".join(map(clean, answer.otherwise)), "strong"), f", at step {answer.step:,}")]
    before, after = f"as it was: {_side(answer.before)}", f"then: {_side(answer.after)}"
    rows += sides(Span(before, "strong"), Span(after, "strong"), width)
    if not changed:
        rows.append(row(Span("the same items, as before", "good")))
    for title, role, members in (
        (f"+ entered ({len(answer.entered):,})", "entered", answer.entered),
        (f"− left ({len(answer.left):,})", "left", answer.left),
        (f"~ otherwise ({len(answer.moved):,})", "changed", answer.moved),
    ):
        rows += [heading(title)] if members else []
        for each in members:
            rows += _member(each, role, width)
    rows.append(row(Span(f"{count(answer.same, 'item')} as before", "quiet")))
    return [*rows, row(Span(_way(answer), "quiet"))]


def _member(member: Member, role: str, width: int) -> list[Row]:
    short = f"  {member.short:,} short" if member.short is not None else ""
    left = Span(_told(member.node, member.before), "left" if member.after is None else "")
    right = Span(_told(member.node, member.after) if member.after is not None else f"  out{short}", role)
    return sides(left, right, width, Moment(node=member.node))


def _told(node: str, place: Place | None) -> str:
    if place is None:
        return "  out"
    rank = f"{place.rank:>4,} " if place.rank else "     "
    return f"{rank}{node_name(node)}  {place.level} {place.tokens:,}"


def _side(side: Side) -> str:
    return f"{side.tokens:,} of {side.budget:,} tokens, {count(side.members, 'item')}"


def _way(answer: WhatIf) -> str:
    if answer.way == "look":
        return "Worked out at once, from what the journal knows."
    said = f"A fork: {count(answer.folded, 'op')} folded anew, in memory; nothing was written."
    return f"{said} What the agent would have done otherwise nobody knows."
