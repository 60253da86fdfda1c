"""The words of `diff`: what the window gained (+), lost (-) and shows otherwise (~), and what became of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.diff import Changed, Dependence, Diff, Entered, FailureTurn, FileTurn, Left

FEW, FEWER = 6, 3
"""Rows of the window, and of what became of the rest, that are printed of each sort."""
LONGEST = 60


def says(answer: Diff, columns: int | None) -> Iterator[str]:
    """The window first, then code and failures."""
    yield f"{_lens(answer)}  budget {answer.budget:,}  steps {answer.first:,} → {answer.last:,}"
    yield f"  {_size(answer)}"
    yield from _rows([_entered(each) for each in answer.entered[:FEW]])
    yield from parts.more(len(answer.entered) - FEW, "that entered", "that entered")
    yield from _rows([_left(each) for each in answer.left[:FEW]])
    yield from parts.more(len(answer.left) - FEW, "that left", "that left")
    yield from _rows([_changed(each) for each in answer.changed[:FEWER]])
    yield from parts.more(len(answer.changed) - FEWER, "shown otherwise", "shown otherwise")
    yield from _rest(answer)


def plain(answer: Diff) -> Iterator[str]:
    yield (
        f"The window {_lens(answer)} with a budget of {count(answer.budget, 'token')}, "
        f"from step {answer.first:,} to step {answer.last:,}."
    )
    yield f"{_size(answer).replace('→', 'to')}."
    for entered in answer.entered:
        yield f"Entered: {parts.node(entered.node)}, its {entered.level}, because: {_reason(entered.reason)}."
    for left in answer.left:
        yield f"Left: {parts.node(left.node)}: {_why(left)}."
    for changed in answer.changed:
        yield f"Shown otherwise: {parts.node(changed.node)}: {_how(changed).replace('→', 'to')}."
    yield from parts.sentences(parts.aloud(_rest(answer)))


def _rest(answer: Diff) -> Iterator[str]:
    sections = (
        ("began to fail", "failure", "failures_begun", [_failure("✗", "bad", each) for each in answer.failures_begun]),
        ("works again", "failure", "failures_ended", [_failure("✓", "good", each) for each in answer.failures_ended]),
        ("files", "file", "files", [_file(each) for each in answer.files]),
        ("edges that hold now", "edge", "edges_begun", [_edge("+", each) for each in answer.edges_begun]),
        ("edges that hold no more", "edge", "edges_ended", [_edge("-", each) for each in answer.edges_ended]),
    )
    for title, one, name, rows in sections:
        yield from _section(title, rows, answer.more.get(name, 0), one)


def _section(title: str, rows: list[str], more: int, one: str) -> Iterator[str]:
    """A few rows under a title, which says how many there are."""
    if rows:
        yield f"{title} ({len(rows) + more:,})"
        yield from (f"  {row}" for row in rows[:FEWER])
        yield from parts.more(len(rows) + more - FEWER, one)


def _lens(answer: Diff) -> str:
    return words.clipped(words.visible(answer.lens), LONGEST)


def _size(answer: Diff) -> str:
    items = f"{answer.items_before:,} → {count(answer.items, 'item')}"
    if not answer.entered and not answer.left and not answer.changed:
        return f"{items}: the window is the same"
    moved = f"{len(answer.entered):,} entered, {len(answer.left):,} left, {len(answer.changed):,} shown otherwise"
    return f"{items}, {answer.tokens_before:,} → {count(answer.tokens, 'token')}: {moved}"


def _rows(rows: Sequence[tuple[str, str, str, str]]) -> list[str]:
    return parts.table(rows, left={0, 1}, indent="  ")


def _entered(each: Entered) -> tuple[str, str, str, str]:
    by = f"  ({parts.step_words(each.op, 40)})" if each.op is not None else ""
    return coloured("+", "good"), parts.node(each.node, LONGEST), f"{each.tokens:,}", _reason(each.reason) + by


def _left(each: Left) -> tuple[str, str, str, str]:
    by = f"  ({parts.step_words(each.op, 40)})" if each.op is not None else ""
    return coloured("-", "bad"), parts.node(each.node, LONGEST), f"{each.tokens:,}", _why(each) + by


def _changed(each: Changed) -> tuple[str, str, str, str]:
    return coloured("~", "note"), parts.node(each.node, LONGEST), f"{each.tokens:,}", _how(each)


def _why(each: Left) -> str:
    return each.why + (f", {count(each.short, 'token')} short" if each.short is not None else "")


def _how(each: Changed) -> str:
    said = [f"{each.before} → {each.level}"] if each.before != each.level else []
    said += ["edited"] * each.edited + ([f"was {parts.node(each.was)}"] if each.was else [])
    return ", ".join(said)


def _reason(reason: str) -> str:
    return words.clipped(words.visible(reason), 80)


def _edge(sign: str, each: Dependence) -> str:
    return f"{sign} {parts.node(each.owner)} → {parts.node(each.target)}  {words.visible(each.role)}"


def _file(each: FileTurn) -> str:
    was = f" from {parts.node(each.was)}" if each.how == "renamed" else ""
    versions = f", {each.versions:,} versions" if each.versions > 1 else ""
    return f"{parts.node(each.path)}  {each.how}{was}{versions}  ({parts.step_words(each.op, 40)})"


def _failure(sign: str, colour: str, each: FailureTurn) -> str:
    said = words.clipped(words.visible(each.test or each.message or "failed"), LONGEST)
    where = f" at {parts.node(each.anchor)}" if each.anchor else ""
    return f"{coloured(sign, colour)} {words.visible(each.runner)}  {said}{where}  ({parts.step_words(each.op, 40)})"
