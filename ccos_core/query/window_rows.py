"""The rows of a suggested window: its text and what that is; or, for a pane, its items file by file, how fully each is
shown and why, what just left and what just missed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.later import Coming, Later, Part
from ccos_core.present.parts import by_words, node_name
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import TEXTLESS, WITHIN, count

if TYPE_CHECKING:
    from ccos_core.query.diff import Left, SuggestedDiff
    from ccos_core.query.windows import Shown
    from ccos_core.window.linearize import Item, Missed, Window

LEVELS = {"name": "▁", "signature": "▃", "skeleton": "▅", "body": "█"}
"""How fully an item is shown, as a sign; the word stands beside it."""
WIDEST_GAUGE, NARROWEST_GAUGE = 48, 6
SIZES_FROM = 70
"""Columns from which on items have bars."""
BAR = 8
REASONS_FROM = 48
"""Columns from which on there is room for reasons."""
EMPTY = "Nothing matters yet at this step: nothing fails, and nothing was read or edited lately."


def item_rows(answer: Shown, width: int, diff: SuggestedDiff | None = None) -> Later:
    """Everything there is to see of a window."""
    entered = frozenset(each.node for each in diff.entered) if diff is not None else frozenset()
    rows: list[Part] = [gauge(answer.tokens, answer.budget, width, count(len(answer.items), "item"))]
    rows += just_left(diff.left if diff is not None else (), answer.step, width)
    rows += _items(answer.items, width, entered)
    if not answer.items:
        rows += [Row(), row(Span(EMPTY, "quiet"))]
    return Later([*rows, *_missed(answer.missed, width)])


NOTHING = {
    "working-set": "Nothing matters {when}: nothing fails, and nothing was read or edited lately.",
    "task": "No code here is about these words.",
    "hybrid": "No code here is about these words.",
}
"""What to say of a lens that shows nothing at all."""
LONGEST_LENS = 60
"""Columns of a lens; a task's text may be a page."""


def text_rows(answer: Shown) -> list[Row]:
    """Show the text as it is, and what it is."""
    text = answer.text.removesuffix("\n").split("\n") if answer.text else []
    return [row(each) for each in (*text, *summary(answer, answer.step))]


def summary(window: Shown | Window, step: int | None, when: str = "then") -> Iterator[str]:
    """Say what is shown, and what would come next, or why there is nothing."""
    at = f" at step {step:,}" if step is not None else ""
    items = count(len(window.items), "item")
    yield f"{clip(clean(window.lens), LONGEST_LENS)}{at}: about {window.tokens:,} of {window.budget:,} tokens, {items}"
    if window.missed:
        first = window.missed[0]
        yield f"next would be {node_name(first.uri)}, {count(first.short, 'token')} short"
    elif not window.items and (said := NOTHING.get(window.lens.partition(":")[0])):
        yield said.format(when=when)


def gauge(tokens: int, budget: int, width: int, more: str = "") -> Row:
    """`████████░░░░  85%  1,740 of 2,048 tokens, 14 items`."""
    told = f"  {100 * tokens // max(budget, 1)}%  {tokens:,} of {budget:,} tokens"
    told += f", {more}" if more and width >= SIZES_FROM else ""
    cells = max(min(width - len(told), WIDEST_GAUGE), NARROWEST_GAUGE)
    full = min(tokens * cells // max(budget, 1), cells)
    role = "bad" if tokens > budget else "good"
    return Row((Span("█" * full, role), Span("░" * (cells - full), "quiet"), Span(told, "strong")))


def just_left(left: Sequence[Left], step: int, width: int) -> Iterator[Row]:
    """What the step took away: struck through, with the reason."""
    if left:
        yield heading("just left")
    for each in left:
        reason = Span(f"  {each.why}{by_words(each.op, step)}", "note")
        short = (Span(f"{each.short:,} short", "out"),) if each.short is not None else ()
        name = Span(clip_path(node_name(each.node), width // 2), "lost")
        yield row(Span("  − ", "out"), name, reason, right=short, leads=Moment(node=each.node))


def _items(items: Sequence[Item], width: int, entered: frozenset[str]) -> Iterator[Part]:
    most = max((item.tokens for item in items), default=0)
    for path, group in groupby(items, attrgetter("path")):
        mine = list(group)
        yield Coming(_file, (path, sum(each.tokens for each in mine), width))
        alone = len(mine) == 1
        yield from (Coming(_item, (item, alone, item.uri in entered, width, most), item.uri) for item in mine)


def _file(path: str, tokens: int, width: int) -> Row:
    return heading(clip_path(clean(path), width - 10), Span(f"{tokens:,}", "number"))


def _item(item: Item, alone: bool, new: bool, width: int, most: int) -> Row:
    sign = Span("+ ", "entered") if new else Span("  ")
    level = Span(f"{LEVELS.get(item.level, '?')} {clean(item.level):<9} ", "in")
    symbol = item.uri.partition("#")[2] if item.uri.startswith("sym:") else ""
    name = Span(clean(symbol)) if symbol else Span("the file" if alone else "rest of the file", "quiet")
    reason = (Span(f"  {clip(clean(item.reason), 80)}", "quiet"),) if width >= REASONS_FROM else ()
    size = [Span(f"{item.tokens:,}", "number")]
    if not item.tokens:
        size = [Span(TEXTLESS if alone and not symbol else WITHIN, "quiet")]
    elif width >= SIZES_FROM:
        size = [Span(_bar(item.tokens, most), "quiet"), Span(f" {item.tokens:>5,}", "number")]
    return Row((sign, level, name, *reason), tuple(size), Moment(node=item.uri), copies=item.text)


def _bar(value: int, most: int) -> str:
    full = value * BAR // max(most, 1)
    return ("▪" * max(full, 1 if value else 0)).rjust(BAR)


def _missed(missed: Sequence[Missed], width: int) -> Iterator[Row]:
    if missed:
        yield heading("not in, next in the order")
    for each in missed:
        name = Span(clip_path(node_name(each.uri), width // 2), "quiet")
        reason = (Span(f"  {clip(clean(each.reason), 60)}", "quiet"),) if width >= REASONS_FROM else ()
        short = Span(f"{each.short:,} short", "out")
        yield row(Span("  ○ ", "out"), name, *reason, right=(short,), leads=Moment(node=each.uri))
