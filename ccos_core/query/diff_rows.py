"""The rows of `diff`: + entered, − left, ~ shown otherwise; then files, failures and edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import and_more, by_words, node_name, op_words
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import STATES, count
from ccos_core.query.hosted.both_rows import lost_rows, overlap_words
from ccos_core.query.hosted.rows import WHAT, by_op, counted_words, cut_rows, fell_row, state_words, window_words

if TYPE_CHECKING:
    from ccos_core.query.diff import (
        Changed,
        Dependence,
        Diff,
        Entered,
        FailureTurn,
        FileTurn,
        Left,
        SuggestedDiff,
    )
    from ccos_core.query.hosted.diff import AgentDiff, HeldTurn, LostStatement

SIGNS = {"new": "+", "gone": "−", "renamed": "→", "changed": "~"}
"""What became of a file → its mark."""
KIND_OF = {
    "failures_begun": "failure",
    "failures_ended": "failure",
    "files": "file",
    "edges_begun": "edge",
    "edges_ended": "edge",
}
"""List of an answer → what one of it is called."""
ITEMS, OTHERS = 6, 3
"""Rows that a terminal shows of what entered or left, and of every other kind."""


def diff_rows(answer: Diff, view: View) -> list[Row]:
    """Show each window that was asked about; of both, first what the agent had lost."""
    suggested, agent = answer.suggested, answer.agent
    rows = [title(f"steps {answer.first:,} → {answer.last:,}  ", Span(window_words(suggested, agent), "quiet"))]
    if answer.after is not None and answer.before is not None:
        rows.append(note(f"at step {answer.last:,}, {overlap_words(answer.after)}", "strong"))
        rows += lost_rows(answer.after, view)
        rows.append(note(f"at step {answer.first:,}, {overlap_words(answer.before)}", "strong"))
    for name, side in (("Suggested window", suggested), ("Agent's window", agent)):
        if side is not None and suggested is not None and agent is not None:
            rows += [Row(), heading(name)]
        if side is suggested and suggested is not None:
            rows += _suggested(answer, suggested, view)
        elif agent is not None and side is agent:
            rows += _agent(answer, agent, view)
    return rows


def _only(answer: Diff) -> int:
    """The step that did it all, if it was one; else none."""
    return answer.last if answer.last - answer.first == 1 else -1


# ---- a suggested window ----


def _suggested(answer: Diff, side: SuggestedDiff, view: View) -> Iterator[Row]:
    half, only = view.width // 2, _only(answer)
    yield _summary(side)
    shown, hidden = view.some(side.entered, ITEMS)
    yield from (_entered(each, half, only) for each in shown)
    yield from and_more(hidden, "that entered", "that entered")
    left, hidden = view.some(side.left, ITEMS)
    yield from (_left(each, half, only) for each in left)
    yield from and_more(hidden, "that left", "that left")
    changed, hidden = view.some(side.changed, OTHERS)
    yield from (_changed(each, half) for each in changed)
    yield from and_more(hidden, "shown otherwise", "shown otherwise")
    yield from _rest(side, half, view)


def _summary(side: SuggestedDiff) -> Row:
    items = f"{side.items_before:,} → {count(side.items, 'item')}"
    if not (side.entered or side.left or side.changed):
        return row(Span(f"{items}: the window is the same", "strong"))
    return row(
        Span(f"{items}, {side.tokens_before:,} → {count(side.tokens, 'token')}: ", "strong"),
        Span(f"+{len(side.entered):,} entered ", "entered"),
        Span(f"−{len(side.left):,} left ", "left", f"{len(side.left):,} left "),
        Span(f"~{len(side.changed):,} shown otherwise", "changed", f"{len(side.changed):,} shown otherwise"),
    )


def _entered(each: Entered, half: int, only: int) -> Row:
    reason = Span(f"  {clean(each.level)}  {clip(clean(each.reason), 60)}{by_words(each.op, only)}", "quiet")
    return _turned("+", "entered", each.node, half, reason, each.tokens)


def _left(each: Left, half: int, only: int) -> Row:
    short = f", {count(each.short, 'token')} short" if each.short is not None else ""
    return _turned(
        "−", "left", each.node, half, Span(f"  {clean(each.why)}{short}{by_words(each.op, only)}", "note"), each.tokens
    )


def _changed(each: Changed, half: int) -> Row:
    said = [clean(f"{each.before} → {each.level}")] if each.before != each.level else []
    said += ["edited"] * each.edited + ([f"was {node_name(each.was)}"] if each.was else [])
    return _turned("~", "changed", each.node, half, Span(f"  {', '.join(said)}", "quiet"), each.tokens)


def _turned(sign: str, role: str, node: str, half: int, why: Span, tokens: int) -> Row:
    name = Span(clip_path(node_name(node), half), role)
    return row(
        Span(f"{sign} ", role, SPOKEN[sign]), name, why, right=(Span(f"{tokens:,}", "number"),), leads=Moment(node=node)
    )


def _rest(answer: SuggestedDiff, half: int, view: View) -> Iterator[Row]:
    """Failures, files and edges."""
    sections = (
        ("began to fail", "failures_begun", [_failure("✗", "bad", each) for each in answer.failures_begun]),
        ("works again", "failures_ended", [_failure("✓", "good", each) for each in answer.failures_ended]),
        ("files", "files", [_file(each, half) for each in answer.files]),
        ("edges that hold now", "edges_begun", [_edge("+", each) for each in answer.edges_begun]),
        ("edges that hold no more", "edges_ended", [_edge("−", each) for each in answer.edges_ended]),
    )
    for kind, name, rows in sections:
        shown, hidden = view.some(rows, OTHERS)
        yield from _section(kind, shown, hidden + answer.more.get(name, 0), KIND_OF[name])


def _section(kind: str, rows: Sequence[Row], more: int, one: str, many: str = "") -> Iterator[Row]:
    if rows:
        yield heading(f"{kind} ({len(rows) + more:,})")
        yield from rows
        yield from and_more(more, one, many)


def _failure(sign: str, role: str, each: FailureTurn) -> Row:
    name = clean(each.test or each.message)
    said = Span(f"  {op_words(each.op, 40)}", "quiet")
    return row(
        Span(f"{sign} ", role), f"{clean(each.runner)} {name}", said, leads=Moment(each.op.step, each.anchor or None)
    )


def _file(each: FileTurn, half: int) -> Row:
    was = f" (was {clean(each.was)})" if each.how == "renamed" else ""
    times = f", {count(each.versions, 'version')}" if each.versions > 1 else ""
    name = clip_path(clean(each.path), half)
    said = Span(f"  {each.how}{was}{times}, by {op_words(each.op, 40)}", "quiet")
    return row(
        Span(f"{SIGNS.get(each.how, '~')} ", "changed", ""), name, said, leads=Moment(each.op.step, f"file:{each.path}")
    )


def _edge(sign: str, each: Dependence) -> Row:
    role = "entered" if sign == "+" else "left"
    said = Span(f" {clean(each.role)} ", "quiet")
    return row(
        Span(f"{sign} ", role, ""), node_name(each.owner), said, node_name(each.target), leads=Moment(node=each.target)
    )


# ---- the agent's window ----

SPOKEN = {"+": "entered ", "−": "left ", "~": "changed "}
"""Mark of a row → how it is read aloud."""
KINDS = (("+", "entered", "entered"), ("−", "left", "left"), ("~", "turned", "changed"))
"""(mark, list of the answer, role)."""
NAMES = {
    "entered": ("that came", "that came"),
    "left": ("that is lost", "that are lost"),
    "turned": ("that is held differently", "that are held differently"),
}


def _agent(answer: Diff, side: AgentDiff, view: View) -> Iterator[Row]:
    items = f"{side.items_before:,} → {count(side.items, 'item')}"
    if not (side.entered or side.left or side.turned):
        yield note(f"{items}: the agent's window is the same", "strong")
    else:
        known = f"about {side.tokens_before:,} → {count(side.tokens, 'token')} that we know of"
        yield note(f"{items}, {known}", "strong")
    if side.counted_before is not None and side.counted_before != side.counted:
        yield note(f"  before, {counted_words(side.counted_before)}")
    yield note(f"  {'' if side.counted is None else 'now, '}{counted_words(side.counted)}")
    for sign, name, role in KINDS:
        turns: Sequence[HeldTurn] = getattr(side, name)
        shown, hidden = view.some(turns, ITEMS + 2)
        yield from (_turn(sign, role, each, view.width // 2, _only(answer)) for each in shown)
        one, many = NAMES[name]
        yield from and_more(hidden + side.more.get(name, 0), f"item {one}", f"items {many}")
    unsaid, hidden = view.some([_unsaid(each, view.width) for each in side.unsaid], OTHERS)
    yield from _section(
        "what you said that it lost",
        unsaid,
        hidden + side.more.get("unsaid", 0),
        "statement that is lost",
        "statements that are lost",
    )
    for cut in side.cuts:
        yield from cut_rows(cut, view.width, of_node=False)
    yield from map(fell_row, side.falls)


def _unsaid(each: LostStatement, width: int) -> Row:
    said = f"  said at step {each.step:,}"
    text = f"“{clip(clean(each.text), max(width - len(said) - 4, 8))}”"
    return row(Span("− ", "left", SPOKEN["−"]), Span(text, "left"), Span(said, "quiet"), leads=Moment(each.step))


def _turn(sign: str, role: str, each: HeldTurn, half: int, only: int) -> Row:
    state = state_words(each.state, patched=each.patched)
    turned = state if each.before == "out" else f"{state_words(each.before)} → {state}"
    was = f", was {node_name(each.was)}" if each.was else ""
    by = "by this step" if each.op.step == only else by_op(each.what, each.op)
    said = f"  {STATES[each.state][0]} {turned}: {WHAT[each.what]}{was} ({by})"
    size = Span(f"{each.tokens or each.tokens_before:,}", "number")
    says = f"call: {clean(each.says)}" if each.node.startswith("call:") else clean(each.says)
    name = Span(clip(says, half) if says else clip_path(node_name(each.node), half), role)
    mark = Span(f"{sign} ", role, SPOKEN[sign])
    spoken = f"  {turned}: {WHAT[each.what]}{was} ({by})"
    return row(mark, name, Span(said, "quiet", spoken), right=(size,), leads=Moment(each.op.step, each.node))
