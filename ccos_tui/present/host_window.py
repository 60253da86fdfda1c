"""A host's window as rows: how full the host said it was, how it was cut, and what is known to be in it, by what that
is; and both windows together: what ours holds that theirs had lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.later import Coming, Later, Part, parts_of
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import CUTS, STATES, TEXTLESS, count, fall_cause
from ccos_tui.present.parts import and_more, by_words, node_name, op_words, state_span
from ccos_tui.present.window import rows_of as ours_of

if TYPE_CHECKING:
    from ccos_core.query.hosted.both import Lost
    from ccos_core.query.hosted.diff import AgentDiff, HeldTurn
    from ccos_core.query.hosted.happening import Cut, Fell
    from ccos_core.query.hosted.window import HeldItem, HostWindow
    from ccos_core.query.windows import BothWindow

GROUPS = {
    "summary": "summaries",
    "prompt": "prompts",
    "memory": "memory files",
    "result": "tool results",
    "file": "files",
}
"""Beginning of a node → the group it is listed in; in this order."""
BY_FROM = 48
"""Columns from which on there is room for what brought an item."""


def rows_of(answer: HostWindow, width: int, diff: AgentDiff | None = None) -> Later:
    """Everything there is to see of a window that a host had."""
    rows: list[Part] = [
        *_full(answer),
        *(_left(diff.left, diff.more.get("left", 0), answer.step, width) if diff is not None else ()),
        *_grouped(answer.items, width),
        *_parts(answer.parts, width),
    ]
    return Later(rows)


def both_of(answer: BothWindow, width: int) -> Later:
    """What ours holds that theirs had lost first: that is what one came to see."""
    lost = answer.overlap.lost
    said = f"{len(lost):,} of our items theirs had lost, {answer.overlap.held:,} it held, "
    rows: list[Part] = [row(Span(said + f"{answer.overlap.never:,} it was never shown", "strong"))]
    rows += [*_lost(lost, width), Row(), heading("Ours")]
    rows += parts_of(ours_of(answer.ours, width))
    return Later([*rows, Row(), heading("The host's"), *parts_of(rows_of(answer.theirs, width))])


def _lost(lost: Sequence[Lost], width: int) -> Iterator[Row]:
    if lost:
        yield heading("Lost by theirs, held by ours")
    for each in lost:
        sign, word = STATES[each.state]
        name = Span(clip_path(node_name(each.node), width // 2), "lost")
        why = Span(f"  {word} since {op_words(each.op, 40)}", "note")
        yield row(Span(f"  {sign} ", each.state), name, why, leads=Moment(each.since, each.node))


def _full(answer: HostWindow) -> Iterator[Row]:
    who = " ".join(clean(each) for each in (answer.whose.host, answer.whose.session, answer.whose.context) if each)
    counted = answer.counted
    if counted is not None:
        said = Span(f"{counted.tokens:,} tokens", "strong")
        yield row(said, " as the host said ", Span(f"at step {counted.step:,}", "link"), leads=Moment(counted.step))
    else:
        yield row(Span("the host hasn't said how full it was since it was cut", "note"))
    yield row(Span(f"{count(answer.tokens, 'token')} of it are known to us", "quiet"), right=(Span(who, "quiet"),))
    for each in answer.counts:
        yield row(
            "  ", state_span(each.state), f"  {count(each.items, 'item')}", right=(Span(f"{each.tokens:,}", "number"),)
        )
    if answer.cut is not None:
        yield from _cut(answer.cut, answer.cuts)
    yield from map(_fell, answer.falls)


def _cut(cut: Cut, cuts: int) -> Iterator[Row]:
    size = f"{cut.before:,} → {cut.after:,} tokens" if cut.before is not None and cut.after is not None else ""
    said = (
        f"{CUTS.get(cut.kind, clean(cut.kind))}{f' ({clean(cut.trigger)})' if cut.trigger else ''} at step {cut.step:,}"
    )
    known = "what survived is recorded" if cut.exact else "~ inferred: what survived isn't recorded"
    more = ", ".join(each for each in (size, f"{cuts:,} in all" if cuts > 1 else "") if each)
    yield row(Span("✂ ", "compaction"), Span(said, "link"), f"  {more}", leads=Moment(cut.step))
    yield row(Span(f"  {known}", "quiet" if cut.exact else "note"))
    if cut.summary:
        yield row(Span(f"  “{clip(clean(cut.summary), 200)}”", "quiet"))


def _fell(fell: Fell) -> Row:
    said = f"~ context fell by {fell.before - fell.after:,} tokens at step {fell.step:,}, {fall_cause(fell.cause)}"
    return row(Span(said, "note"), leads=Moment(fell.step))


def _left(left: Sequence[HeldTurn], more: int, step: int, width: int) -> Iterator[Row]:
    if left:
        yield heading(f"just left ({len(left) + more:,})")
    for each in left:
        name = Span(clip_path(node_name(each.node), width // 2), "lost")
        size = Span(f"{each.tokens_before:,}", "number")
        why = Span(f"  {each.what}{by_words(each.op, step)}", "note")
        yield row(Span("  − ", "out"), name, why, right=(size,), leads=Moment(node=each.node))
    yield from and_more(more, "that left", "that left")


def _grouped(items: Sequence[HeldItem], width: int) -> Iterator[Part]:
    """By what they are, the last delivered first."""
    groups: dict[str, list[HeldItem]] = {begins: [] for begins in GROUPS}
    for each in reversed(items):
        groups[_group(each.node)].append(each)
    for begins, mine in groups.items():
        if mine:
            taken = sum(each.tokens for each in mine)
            yield heading(f"{GROUPS[begins]} ({len(mine):,})", Span(f"{taken:,}", "number"))
        yield from (_coming(each, width) for each in mine)
    if not items:
        yield row(Span("Nothing is known to be in it at this step.", "quiet"))


def _group(node: str) -> str:
    begins = node.partition(":")[0]
    return begins if begins in GROUPS else "file"


def _parts(parts: Sequence[HeldItem], width: int) -> Iterator[Part]:
    if parts:
        yield heading(f"held otherwise than the rest of their files ({len(parts):,})")
    yield from (_coming(each, width) for each in parts)


def _coming(item: HeldItem, width: int) -> Coming:
    return Coming(_item, (item, width), _node(item))


def _item(item: HeldItem, width: int) -> Row:
    sign, word = STATES[item.state]
    said = word + (", patched" if item.patched else "")
    name = Span(clip_path(node_name(item.node), width * 3 // 5))
    by = (
        Span(f"  {said}, {clean(item.by)} at step {item.step:,}", "quiet")
        if width >= BY_FROM
        else Span(f"  {said}", "quiet")
    )
    leads = Moment(item.step, _node(item))
    size = Span(f"{item.tokens:,}", "number") if item.tokens else Span(TEXTLESS, "quiet")
    return row(Span(f"  {sign} ", item.state), name, by, right=(size,), leads=leads)


def _node(item: HeldItem) -> str | None:
    """What it is, where it is code."""
    return item.node if item.node.startswith(("file:", "sym:")) else None
