"""The rows of `composition`: the parts as a table with bars, what the inferred ones mean, growth, dead weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path, width_of, wrap
from ccos_core.present.parts import and_more, bar
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import count
from ccos_core.query.hosted.item_kinds import KIND_TITLES
from ccos_core.query.hosted.rows import whose_words

if TYPE_CHECKING:
    from ccos_core.query.composition import Composition, Growth, WindowPart
    from ccos_core.query.dead_weight import DeadItem, DeadWeight

TITLES = {
    "system": "system prompt and tools",
    "restored": "brought back after a compaction",
    **KIND_TITLES,
    "read": "files read, each time",
    "left": "gone without a record",
    "rest": "not explained",
}
"""WindowPart → its name."""
ROLES = {
    "system": "quiet",
    "restored": "uncertain",
    "summary": "compaction",
    "prompt": "prompt",
    "note": "note",
    "text": "number",
    "thinking": "changed",
    "call": "edit",
    "read": "in",
    "command": "link",
    "search": "partial",
    "edit": "good",
    "result": "mark",
    "memory": "hot-2",
    "left": "out",
    "rest": "out",
}
"""WindowPart → the role of its bar, the same in the table and on the timeline."""
OVERCOUNT = "less than our sizes"
MEANINGS = {
    "system": "what the first count held beyond what is recorded: the system prompt, the tools, project files",
    "restored": "what the first count after the compaction held beyond its summary: files that it shows again",
    "left": "the count fell without a compaction, so some of the items above are gone; which, isn't told",
    "rest": "what the counts grew by beyond what is recorded: thinking and reminders that aren't told, and the error of"
    " our sizes",
}
"""Inferred part → what it is."""
ESTIMATED = {
    "system": "what the first counts before the compaction held beyond what is recorded",
    "restored": "half of the files that may be shown again",
}
"""The same as long as the program hasn't counted since."""
NAME_COLUMNS = 32
BARS_FROM = 66
BAR = 16
FIGURE = 8
ITEMS_FROM = 80
OP_COLUMNS = 48


def composition_rows(answer: Composition, view: View) -> list[Row]:
    """Show the parts, what is inferred, and what could be left out."""
    rows = [title(f"step {answer.step:,} of {answer.head:,}  ", Span(whose_words(answer.whose), "quiet"))]
    rows += _full(answer)
    most = max((abs(part.tokens) for part in answer.parts), default=1)
    rows += [_part(part, answer.tokens, most, view.width) for part in answer.parts]
    rows += _meanings(answer, view.width)
    if answer.dead is not None:
        rows += _dead(answer.dead, answer.tokens, view)
    if answer.growth:
        rows += [Row(), heading("grew most at")]
        rows += [_growth(each, view.width) for each in answer.growth]
    return rows


def _full(answer: Composition) -> Iterator[Row]:
    """How full it is, and by whose count."""
    if answer.counted is None:
        yield note(
            f"about {count(answer.tokens, 'token')}, estimated; the agent hasn't counted since the last compaction"
        )
        return
    share = ""
    if answer.capacity:
        share = f", {100 * answer.tokens // answer.capacity}% of {answer.capacity:,}"
    since = f"; about {answer.since:,} more came since" if answer.since > 0 else ""
    said = f"the agent counted {count(answer.tokens, 'token')} at step {answer.counted:,}{share}{since}"
    yield row(Span(said, "strong"), leads=Moment(answer.counted))


def _part(part: WindowPart, total: int, most: int, width: int) -> Row:
    name = OVERCOUNT if part.kind == "rest" and part.tokens < 0 else TITLES.get(part.kind) or clean(part.kind)
    sign = Span("~ " if part.inferred else "  ", "uncertain", "inferred: " if part.inferred else "")
    share = _percent(part.tokens, total)
    room = max(min(NAME_COLUMNS, width - FIGURE - 8), 8)
    items = f"{count(part.items, 'item')}" if part.items and width >= ITEMS_FROM else ""
    spans = [
        sign,
        Span(f"{clip(name, room):<{room}}"),
        Span(f"{part.tokens:>{FIGURE},}", "number"),
        Span(f"{share:>6}", "quiet"),
    ]
    if width >= BARS_FROM:
        spans.append(Span(f"  {bar(max(part.tokens, 0), most, BAR)}", ROLES.get(part.kind, ""), ""))
    return Row((*spans, Span(f"  {items}", "quiet")) if items else tuple(spans))


def _percent(tokens: int, total: int) -> str:
    """`12%`, `<1%`, `-3%`."""
    share = (2 * 100 * abs(tokens) + total) // (2 * total) if total else 0
    said = f"{share}%" if share or not tokens else "<1%"
    return f"-{said}" if tokens < 0 else said


def _meanings(answer: Composition, width: int) -> Iterator[Row]:
    there = {part.kind: part.tokens for part in answer.parts}
    for kind, meaning in (MEANINGS if answer.counted else {**MEANINGS, **ESTIMATED}).items():
        if there.get(kind, 0) > 0 or (kind == "left" and kind in there):
            yield from _wrapped(f"~ {TITLES[kind]}: {meaning}", width)
    if there.get("rest", 0) < 0:
        text = "the agent counted fewer tokens than our sizes of what is recorded come to"
        yield from _wrapped(f"~ {OVERCOUNT}: {text}", width)
    if "read" in there:
        text = "every read counts, again where it is of the same lines; the window lists a file once, as it is held now"
        yield from _wrapped(f"  {TITLES['read']}: {text}", width)
    if answer.samples:
        large = count(answer.samples, "large result")
        text = f"sizes are our estimate × {answer.scale // 100}.{answer.scale % 100:02}, as the agent counted {large}"
        yield from _wrapped(f"~ {text}", width)


def _wrapped(text: str, width: int) -> Iterator[Row]:
    for number, line in enumerate(wrap(text, max(width - 4, 24))):
        yield note(f"  {line}" if number == 0 else f"    {line}")


def _dead(dead: DeadWeight, total: int, view: View) -> Iterator[Row]:
    yield Row()
    if not dead.items:
        yield note(f"no dead weight among {count(dead.judged, 'result')}")
        return
    number = len(dead.items) + dead.more
    said = f"dead weight ({number:,})"
    yield heading(said, Span(f"{dead.tokens:,}", "number"), Span(f" {_percent(dead.tokens, total)}", "quiet"))
    yield from (_dead_item(each, view.width) for each in dead.items)
    yield from and_more(dead.more, "item")


def _dead_item(item: DeadItem, width: int) -> Row:
    why = f"{clean(item.why)}{f' at step {item.by:,}' if item.by else ''}"
    room = max(width - width_of(why) - FIGURE - 8, 12)
    says = clean(item.says)
    name = clip_path(says, room) if item.kind == "read" else clip(says, room)
    size = Span(f"{item.tokens:>{FIGURE},}", "number")
    return row("  ", Span(name), Span(f"  {why}", "note"), right=(size,), leads=Moment(item.step, item.item))


def _growth(each: Growth, width: int) -> Row:
    """`step 597  Grep PersistentPreRunE  4,882 not explained  +5,706`."""
    unknown = each.tokens - each.known
    is_large = unknown * 2 > each.tokens
    said = f"  {unknown:,} not explained" if is_large and width >= BARS_FROM else ""
    step = f"  step {each.step:,}  "
    room = max(width - width_of(step) - len(said) - FIGURE - 2, 12)
    says = clip(clean(each.says), min(room, OP_COLUMNS)) if each.says else "nothing recorded"
    spans = (Span(step, "link"), Span(says), Span(said, "note"))
    return Row(spans, (Span(f"+{each.tokens:,}", "number"),), Moment(each.step))
