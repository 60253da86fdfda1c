"""Why a node is in the host's window, or not: what is held of it, how it became that, and what was delivered when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import CUT, STATES, count, fall_cause
from ccos_tui.present.parts import op_row, op_words, state_span
from ccos_tui.present.why import grounds as own_grounds
from ccos_tui.present.why import title, verdict

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Cut, Fell, Happening
    from ccos_core.query.hosted.why import Delivery, HostWhy
    from ccos_core.query.why import Why

FATES = {
    "there": ("●", "still there", "in"),
    "dropped": ("○", "dropped since", "out"),
    "uncertain": ("?", "uncertain since", "uncertain"),
}
"""What became of a delivery → sign, words and role."""
LONGEST = 48
"""Characters of an op."""
QUOTED = 240


def rows_of(answer: HostWhy, width: int) -> list[Row]:
    """The verdict first, then what it rests on."""
    return [title(answer.node, answer.at, width), _verdict(answer), *grounds(answer, width)]


def both_of(ours: Why, theirs: HostWhy, width: int) -> list[Row]:
    """Both verdicts above each other, and then what they rest on."""
    step = theirs.happening.step if theirs.happening is not None else None
    return [
        title(ours.node, ours.at, width),
        Row((Span("ours   ", "quiet"), *verdict(ours))),
        Row((Span("theirs ", "quiet"), *_short(theirs)), leads=Moment(step)),
        Row(),
        heading("Ours"),
        *own_grounds(ours, width),
        Row(),
        heading("The host's"),
        _verdict(theirs),
        *grounds(theirs, width),
    ]


def grounds(answer: HostWhy, width: int) -> list[Row]:
    """What the verdict rests on."""
    happened = _happened(answer.happening, width) if answer.happening is not None else ()
    return [*happened, *_deliveries(answer), *_counted(answer, width)]


def _state(answer: HostWhy) -> Span:
    """What no host was shown yet may be there all the same."""
    return Span("· not yet shown", "unborn") if answer.state == "unborn" else state_span(answer.state)


def _short(answer: HostWhy) -> list[Span]:
    """What it is, and since when."""
    if answer.happening is None:
        return [_state(answer)]
    from ccos_core.serve.says.hosted import WHAT  # which loads what a first frame need not wait for

    told = answer.happening
    return [_state(answer), Span(f": {WHAT[told.what]}, ", "strong"), Span(f"step {told.step:,}", "link")]


def _verdict(answer: HostWhy) -> Row:
    patched = ", patched" if answer.patched else ""
    lines = f"; it is lines {answer.lines.first:,}–{answer.lines.last:,}" if answer.lines is not None else ""
    if answer.by is None:
        held = "nothing of it was ever shown there" if answer.state == "unborn" else "nothing of it is held"
        return row(_state(answer), Span(f"{patched}: {held}{lines}", "quiet"))
    held = f"{patched}: {count(answer.tokens, 'token')} of it"
    by = Span(f", the last by {op_words(answer.by, LONGEST)}{lines}", "quiet")
    return row(_state(answer), Span(held, "strong"), by, leads=Moment(answer.by.step))


def _happened(told: Happening, width: int) -> Iterator[Row]:
    """The last change of its state."""
    from ccos_core.serve.says.hosted import WHAT  # which loads what a first frame need not wait for

    yield Row()
    yield heading("how it came to that")
    sign = STATES[told.state][0]
    yield op_row(told.op, Span(f"  {sign} {WHAT[told.what]}: ", "out" if told.lost else "in"), longest=LONGEST)
    yield row(Span(f"    {count(told.tokens_before, 'token')} of it before, {told.tokens:,} now", "quiet"))
    if told.cut is not None:
        yield from _cut(told.cut, width)
    if told.fell is not None:
        yield _fell(told.fell)


def _cut(cut: Cut, width: int) -> Iterator[Row]:
    from ccos_core.serve.says.hosted import carries  # which loads what a first frame need not wait for

    kind = CUT.get(cut.kind, clean(cut.kind))
    trigger = f" ({clip(clean(cut.trigger), 40)})" if cut.trigger else ""
    after = f" → {cut.after:,}" if cut.after is not None else ""
    size = f", {cut.before:,}{after} tokens" if cut.before is not None else ""
    kept = f", {count(cut.kept, 'item')} kept" if cut.kept else ""
    said = Span(f"{kind}{trigger}{size}{kept}", "compaction")
    yield row("    ", Span("✂ ", "compaction"), said, leads=Moment(cut.step))
    if not cut.exact:
        yield row(Span("    ~ what survived isn't recorded, so this is inferred", "note"))
    if cut.summary:
        yield row(Span(f"    its summary {carries(cut)}: ", "quiet" if cut.named else "note"))
        for line in _wrapped(f"“{clip(clean(cut.summary), QUOTED)}”", max(width - 5, 16)):
            yield row(f"    {line}", leads=Moment(cut.step))


def _wrapped(text: str, width: int) -> Iterator[str]:
    """A text in lines of at most so many columns, broken between words where that can be."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if line and cell_len(joined) > width:
            yield line
            joined = word
        for part in chop_cells(joined, width)[:-1] if cell_len(joined) > width else ():
            yield part
            joined = joined[len(part) :]
        line = joined
    if line:
        yield line


def _fell(fell: Fell) -> Row:
    dropped = count(fell.before - fell.after, "token")
    said = f"    ~ context fell by {dropped} at step {fell.step:,}, {fall_cause(fell.cause)}"
    return row(Span(said, "note"), leads=Moment(fell.step))


def _deliveries(answer: HostWhy) -> Iterator[Row]:
    if not answer.deliveries:
        return
    times = len(answer.deliveries) + answer.more
    last = f", the last {len(answer.deliveries):,} times of {times:,}" if answer.more else ""
    yield Row()
    yield heading(f"its file was shown to this context{last}")
    for each in answer.deliveries:
        sign, said, role = FATES[each.fate]
        part = Span(f"  {_part(each)}", "quiet")
        fate = Span(f"{sign} {said}", role)
        yield Row((Span("  "), Span(op_words(each.op, LONGEST), "link"), part), (fate,), Moment(each.op.step))


def _part(each: Delivery) -> str:
    if each.level:
        return f"by its {clean(each.level)}"
    if each.lines is None:
        return "what it changed" if each.op.kind == "edit" else "whole"
    first, last = each.lines.first, each.lines.last
    return f"lines {first:,}–{last:,}" if first < last else f"line {first:,}"


def _counted(answer: HostWhy, width: int) -> Iterator[Row]:
    """How full it was, and whose window that is: beside it where there is room for both, else below it."""
    yield Row()
    said, leads = "how full it was isn't recorded", None
    if (counted := answer.counted) is not None:
        said = f"the host counted {count(counted.tokens, 'token')} at step {counted.step:,}"
        leads = Moment(counted.step)
    who = " ".join(clean(each) for each in (answer.whose.host, answer.whose.session, answer.whose.context) if each)
    beside = cell_len(said) + 2 + cell_len(who) <= width
    yield row(Span(said, "quiet"), right=(Span(who, "quiet"),) if beside else (), leads=leads)
    for line in _wrapped(who, max(width, 16)) if not beside else ():
        yield row(Span(line, "quiet"), leads=leads)
