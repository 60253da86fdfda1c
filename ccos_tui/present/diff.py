"""What changed between two steps, as rows: + entered, − left, ~ shown otherwise; then files, failures and edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import CUTS, STATES, count, fall_cause
from ccos_tui.present.parts import and_more, by_words, node_name, op_words

if TYPE_CHECKING:
    from ccos_core.query.diff import BothDiff, Changed, Dependence, Diff, Entered, FailureTurn, FileTurn, Left
    from ccos_core.query.hosted.diff import HeldTurn, HostDiff

SIGNS = {"new": "+", "gone": "−", "renamed": "→", "changed": "~"}


def rows_of(answer: Diff, width: int) -> list[Row]:
    """Our window first, then what became of the code and its failures."""
    half = width // 2
    return [
        _summary(answer),
        *(_entered(each, half, _only(answer)) for each in answer.entered),
        *(_left(each, half, _only(answer)) for each in answer.left),
        *(_changed(each, half) for each in answer.changed),
        *_rest(answer, half),
    ]


def host_of(answer: HostDiff, width: int) -> list[Row]:
    """What a host's window gained, lost and holds otherwise."""
    before, after = answer.counted_before, answer.counted
    counted = (
        f", the host said {before.tokens:,} → {after.tokens:,}" if before is not None and after is not None else ""
    )
    moved = bool(answer.entered or answer.left or answer.turned)
    items = f"{answer.items_before:,} → {count(answer.items, 'item')}"
    said = f"{items}, {answer.tokens_before:,} → {count(answer.tokens, 'token')}{counted}"
    rows = [row(Span(said if moved else f"{items}: the host's window is the same", "strong"))]
    for sign, name, role, turns in (
        ("+", "entered", "entered", answer.entered),
        ("−", "left", "left", answer.left),
        ("~", "turned", "changed", answer.turned),
    ):
        rows += [_turn(sign, role, each, width // 2, _only(answer)) for each in turns]
        rows += and_more(answer.more.get(name, 0), f"that {name}", f"that {name}")
    rows += [
        row(
            Span(f"✂ {CUTS.get(each.kind, clean(each.kind))} at step {each.step:,}", "compaction"),
            leads=Moment(each.step),
        )
        for each in answer.cuts
    ]
    for fell in answer.falls:
        said = f"~ context fell by {fell.before - fell.after:,} tokens at step {fell.step:,}, {fall_cause(fell.cause)}"
        rows.append(row(Span(said, "note"), leads=Moment(fell.step)))
    return rows


def both_of(answer: BothDiff, width: int) -> list[Row]:
    """Ours, then theirs."""
    return [heading("Ours"), *rows_of(answer.ours, width), Row(), heading("The host's"), *host_of(answer.theirs, width)]


def _summary(answer: Diff) -> Row:
    items = f"{answer.items_before:,} → {count(answer.items, 'item')}"
    if not (answer.entered or answer.left or answer.changed):
        return row(Span(f"{items}: the window is the same", "strong"))
    return row(
        Span(f"{items}, {answer.tokens_before:,} → {count(answer.tokens, 'token')}: ", "strong"),
        Span(f"+{len(answer.entered):,} entered ", "entered"),
        Span(f"−{len(answer.left):,} left ", "left"),
        Span(f"~{len(answer.changed):,} shown otherwise", "changed"),
    )


def _only(answer: Diff | HostDiff) -> int:
    """The step that did it all, where it was one; else none."""
    return answer.last if answer.last - answer.first == 1 else -1


def _entered(each: Entered, half: int, only: int) -> Row:
    reason = Span(f"  {each.level}  {clip(clean(each.reason), 60)}{by_words(each.op, only)}", "quiet")
    return _turned("+", "entered", each.node, half, reason, each.tokens)


def _left(each: Left, half: int, only: int) -> Row:
    short = f", {count(each.short, 'token')} short" if each.short is not None else ""
    return _turned(
        "−", "left", each.node, half, Span(f"  {each.why}{short}{by_words(each.op, only)}", "note"), each.tokens
    )


def _changed(each: Changed, half: int) -> Row:
    said = [f"{each.before} → {each.level}"] if each.before != each.level else []
    said += ["edited"] * each.edited + ([f"was {node_name(each.was)}"] if each.was else [])
    return _turned("~", "changed", each.node, half, Span(f"  {', '.join(said)}", "quiet"), each.tokens)


def _turned(sign: str, role: str, node: str, half: int, why: Span, tokens: int) -> Row:
    name = Span(clip_path(node_name(node), half), role)
    return row(Span(f"{sign} ", role), name, why, right=(Span(f"{tokens:,}", "number"),), leads=Moment(node=node))


def _turn(sign: str, role: str, each: HeldTurn, half: int, only: int) -> Row:
    state, word = STATES[each.state]
    said = f"  {state} {word}{', patched' if each.patched else ''}: {clean(each.what)}{by_words(each.op, only)}"
    name = Span(clip_path(node_name(each.node), half), role)
    size = Span(f"{each.tokens or each.tokens_before:,}", "number")
    return row(Span(f"{sign} ", role), name, Span(said, "quiet"), right=(size,), leads=Moment(each.op.step, each.node))


def _rest(answer: Diff, half: int) -> Iterator[Row]:
    """Failures, files and edges."""
    sections = (
        ("began to fail", "failures_begun", [_failure("✗", "bad", each) for each in answer.failures_begun]),
        ("works again", "failures_ended", [_failure("✓", "good", each) for each in answer.failures_ended]),
        ("files", "files", [_file(each, half) for each in answer.files]),
        ("edges that hold now", "edges_begun", [_edge("+", each) for each in answer.edges_begun]),
        ("edges that hold no more", "edges_ended", [_edge("−", each) for each in answer.edges_ended]),
    )
    for title, name, rows in sections:
        yield from _section(title, rows, answer.more.get(name, 0))


def _section(title: str, rows: Sequence[Row], more: int) -> Iterator[Row]:
    if rows:
        yield heading(f"{title} ({len(rows) + more:,})")
        yield from rows
        yield from and_more(more, "like it", "like these")


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
        Span(f"{SIGNS.get(each.how, '~')} ", "changed"), name, said, leads=Moment(each.op.step, f"file:{each.path}")
    )


def _edge(sign: str, each: Dependence) -> Row:
    role = "entered" if sign == "+" else "left"
    said = Span(f" {each.role} ", "quiet")
    return row(
        Span(f"{sign} ", role), node_name(each.owner), said, node_name(each.target), leads=Moment(node=each.target)
    )
