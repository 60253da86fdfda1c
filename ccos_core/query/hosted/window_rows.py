"""The rows of the agent's window: how full it is, how it was cut, and what is known to be in it, by kind; beside a
suggested window, first what the agent had lost of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path, width_of
from ccos_core.present.later import Coming, Later, Part, parts_of
from ccos_core.present.parts import and_more, by_words, node_name, op_row, times
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import STATES, TEXTLESS, count
from ccos_core.query.hosted.both_rows import lost_rows, overlap_words
from ccos_core.query.hosted.item_kinds import KIND_TITLES, kind_of
from ccos_core.query.hosted.item_names import FAILED
from ccos_core.query.hosted.rows import (
    WHAT,
    agent_state,
    counted_rows,
    cut_rows,
    cut_words,
    fell_row,
    state_words,
    whose_words,
)
from ccos_core.query.window_rows import item_rows, summary

if TYPE_CHECKING:
    from ccos_core.query.hosted.diff import AgentDiff, HeldTurn
    from ccos_core.query.hosted.window import AgentWindow, HeldItem

ITEMS = 10
"""Items of each kind that a terminal shows, the last ones."""
STEP_FROM = 48
"""Columns from which on there is room for the step that brought an item."""
STEP_COLUMNS = 11
AS_FILE = "told as a file"
"""What happens to a result that turns out to be a file: nothing left the window."""
SIZE_COLUMNS = 7


def agent_window_rows(answer: AgentWindow, view: View, diff: AgentDiff | None = None, *, by_age: bool = False) -> Later:
    """Show everything there is to see; with the suggested window, first what the agent had lost of it."""
    rows: list[Part] = [title(f"step {answer.step:,} of {answer.head:,}  ", Span(whose_words(answer.whose), "quiet"))]
    agent: list[Part] = [
        *_full(answer, view.width, full=view.full),
        *(_left(diff.left, diff.more.get("left", 0), answer.step, view.width) if diff is not None else ()),
        *_grouped(answer.items, view, by_age=by_age),
        *_parts(answer.parts, view),
    ]
    if answer.suggested is None or answer.overlap is None:
        return Later([*rows, *agent])
    rows += [note(overlap_words(answer.overlap), "strong"), *lost_rows(answer.overlap, view), Row()]
    rows.append(heading("Suggested window"))
    if view.full:
        rows += parts_of(item_rows(answer.suggested, view.width))
    else:
        rows += [row(each) for each in summary(answer.suggested, answer.step)]
    return Later([*rows, Row(), heading("Agent's window"), *agent])


def _full(answer: AgentWindow, width: int, *, full: bool) -> Iterator[Row]:
    if answer.whose.lens == "delivered":
        if answer.handed is None:
            yield note("it was given no suggested window yet")
        else:
            yield op_row(answer.handed, f"about {count(answer.tokens, 'token')} by ")
        return
    yield from counted_rows(answer.counted, answer.whose, width)
    if full:
        yield from _brief(answer)
        return
    if answer.counts:
        yield note(f"about {count(answer.tokens, 'token')} of it are known")
    for each in answer.counts:
        tokens = Span(f"{each.tokens:,}", "number")
        yield row("  ", agent_state(each.state), f"  {count(each.items, 'item')}", right=(tokens,))
    if answer.cut is not None:
        yield note(f"shortened or emptied {times(answer.cuts)} so far, the last time:")
        yield from cut_rows(answer.cut, width, of_node=False)
    yield from (fell_row(each, "") for each in answer.falls)


def _brief(answer: AgentWindow) -> Iterator[Row]:
    """The states and the last cut on a row each: a pane has room for items. Their summaries are among those."""
    spans: list[Span] = []
    for each in answer.counts:
        sign, words = STATES[each.state]
        spans += [Span(f"{sign} {each.items:,} {words}", each.state, f"{each.items:,} {words}, tokens")]
        spans += [Span(f" {each.tokens:,}", "number"), Span("   ")]
    if spans:
        yield Row(tuple(spans[:-1]))
    if answer.cut is not None:
        inferred = "" if answer.cut.exact else "; what survived is inferred"
        many = f", {times(answer.cuts)} so far" if answer.cuts > 1 else ""
        said = Span(f"✂ {cut_words(answer.cut)}{inferred}{many}", "compaction")
        yield row(said, leads=Moment(answer.cut.step))
    yield from (fell_row(each, "") for each in answer.falls)


def _left(left: Sequence[HeldTurn], more: int, step: int, width: int) -> Iterator[Row]:
    left = [each for each in left if each.what != AS_FILE]
    if left:
        yield heading(f"just left ({len(left) + more:,})")
    for each in left:
        half = width // 2
        name = Span(clip(clean(each.says), half) if each.says else clip_path(node_name(each.node), half), "lost")
        size = Span(f"{each.tokens_before:,}", "number")
        why = Span(f"  {WHAT[each.what]}{by_words(each.op, step)}", "note")
        yield row(Span("  − ", "out", ""), name, why, right=(size,), leads=Moment(node=each.node))
    yield from and_more(more, "that left", "that left")


def _grouped(items: Sequence[HeldItem], view: View, *, by_age: bool) -> Iterator[Part]:
    """By what they are: the largest kind and the largest of each kind first, or the newest of each kind."""
    groups: dict[str, list[HeldItem]] = {kind: [] for kind in KIND_TITLES}
    for each in reversed(items):
        groups[each.kind if each.kind in groups else kind_of(each.node, "", "")].append(each)
    sums = {kind: sum(each.tokens for each in mine) for kind, mine in groups.items() if mine}
    for kind in sums if by_age else sorted(sums, key=lambda kind: -sums[kind]):
        mine = groups[kind] if by_age else sorted(groups[kind], key=lambda each: -each.tokens)
        yield heading(f"{KIND_TITLES[kind]} ({len(mine):,})", Span(f"{sums[kind]:,}", "number"))
        shown, hidden = view.some(mine, ITEMS)
        yield from (_coming(each, view.width) for each in shown)
        yield from and_more(hidden, "item")
    if not items:
        yield row(Span("Nothing is known to be in it at this step.", "quiet"))


def _parts(parts: Sequence[HeldItem], view: View) -> Iterator[Part]:
    if parts:
        yield heading(f"held otherwise than the rest of their files ({len(parts):,})")
    shown, hidden = view.some(parts[::-1], ITEMS)
    yield from (_coming(each, view.width) for each in shown)
    yield from and_more(hidden, "such symbol")


def _coming(item: HeldItem, width: int) -> Coming:
    return Coming(_item, (item, width), item.node)


def _item(item: HeldItem, width: int) -> Row:
    sign, node = STATES[item.state][0], _node(item)
    words = state_words(item.state, patched=item.patched)
    inside = STATES["in"][1]
    words = "" if words == inside else words.removeprefix(f"{inside}, ")  # what is in goes without saying
    said = Span(f"  {words}" if words else "", "quiet")
    failed = Span(f" {FAILED[item.outcome]}", "bad", " failed") if item.outcome in FAILED else Span("")
    has_step = width >= STEP_FROM
    room = width - 4 - width_of(said.text) - width_of(failed.text) - SIZE_COLUMNS - STEP_COLUMNS * has_step
    name = clean(item.says) if item.says else node_name(item.node)
    short = clip_path(name, max(room, 8)) if node is not None else clip(name, max(room, 8))
    size = Span(f"{item.tokens:>{SIZE_COLUMNS},}", "number") if item.tokens else Span(f" {TEXTLESS}", "quiet")
    step = (Span(f"step {item.step:,}", "quiet"),) if has_step else ()
    return row(
        Span(f"  {sign} ", item.state, "  "),
        Span(short),
        failed,
        said,
        right=(*step, size),
        leads=Moment(item.step, item.node),
    )


def _node(item: HeldItem) -> str | None:
    """What it is, where it is code."""
    return item.node if item.node.startswith(("file:", "sym:")) else None
