"""What a query found as rows, each of which leads to its step; and before anybody has asked, queries to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.present.parts import and_more
from ccos_tui.present.steps import step_row

if TYPE_CHECKING:
    from ccos_core.query.finding.found import Found, Group


def rows_of(answer: Found) -> list[Row]:
    """How many, and which."""
    share = f"{count(answer.steps, 'step')} of {answer.head:,}"
    rows = [row(Span(share, "good" if answer.steps else "note"), Span(f"  {clean(answer.query)}", "quiet"))]
    if not answer.steps:
        rows += [row(Span(f"  {each.steps:,} left after {clean(each.says)}", "quiet")) for each in answer.narrowed]
    if answer.groups:
        rows += [_group(each) for each in answer.groups]
    rows += [step_row(each, each.step) for each in answer.rows]
    rows += and_more(answer.left_out, "row")
    for left_out, why in ((answer.unread, "couldn't be searched"), (answer.cut, "were searched in part")):
        if left_out:
            rows.append(row(Span(f"{count(left_out, 'content')} {why}", "note")))
    return rows


def beginnings(canned: Sequence[tuple[str, str]], before: Sequence[str]) -> list[Row]:
    """Queries to begin with, and those that were asked before; a row's copy is its query."""
    rows = [heading("Queries to begin with")]
    rows += [Row((Span(f"  {query:<24}", "link"), Span(says, "quiet")), copies=query) for query, says in canned]
    if before:
        rows += [Row(), heading("Asked before")]
        rows += [Row((Span(f"  {clean(query)}", "link"),), copies=query) for query in reversed(before)]
    return rows


def _group(each: Group) -> Row:
    name = clean(each.name) or "(none)"
    return Row(
        (Span(f"{each.steps:>8,}  ", "number"), Span(name)), (Span(f"first at {each.first:,}"),), Moment(each.first)
    )
