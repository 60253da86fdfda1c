"""The words of `diff` in a host's window: what came into it (+), what is lost (-), what is held otherwise (~)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.diff import HeldTurn, HostDiff

FEW = 8
"""Rows of each sort that are printed."""
SORTS = (
    ("entered", "+", "good", "item that came", "items that came"),
    ("left", "-", "bad", "item that is lost", "items that are lost"),
    ("turned", "~", "note", "item that is held otherwise", "items that are held otherwise"),
)
"""A list of the answer, its sign, its colour, and what one, and several, are called that aren't told."""


def says(answer: HostDiff, columns: int | None) -> Iterator[str]:
    """How full it was and is, what moved, and what the host did to it."""
    yield f"{hosted.whose(answer.whose)}  steps {answer.first:,} → {answer.last:,}"
    yield from (f"  {line}" for line in _size(answer))
    for name, sign, role, one, many in SORTS:
        rows: Sequence[HeldTurn] = getattr(answer, name)
        yield from parts.table([_row(each, sign, role) for each in rows[:FEW]], left={0, 1}, indent="  ")
        yield from parts.more(max(len(rows) - FEW, 0) + answer.more.get(name, 0), one, many)


def plain(answer: HostDiff) -> Iterator[str]:
    yield f"From step {answer.first:,} to step {answer.last:,}, in {hosted.whose(answer.whose)}."
    yield from parts.sentences(parts.aloud(_size(answer)))
    for name, said in (("entered", "Came"), ("left", "Lost"), ("turned", "Held otherwise")):
        for each in getattr(answer, name):
            yield f"{said}: {parts.node(each.node)}, {_how(each).replace('→', 'to')}."


def _size(answer: HostDiff) -> Iterator[str]:
    yield (
        f"{answer.items_before:,} → {count(answer.items, 'item')}, about {answer.tokens_before:,} → "
        f"{count(answer.tokens, 'token')} that we know of: {_number(answer, 'entered')} came, "
        f"{_number(answer, 'left')} lost, {_number(answer, 'turned')} held otherwise"
    )
    if answer.counted_before is not None:
        yield f"before, {hosted.counted(answer.counted_before)}"
    yield f"now, {hosted.counted(answer.counted)}"
    for each in answer.cuts:
        yield from hosted.cut(each, of_node=False)
    yield from (hosted.fell(each) for each in answer.falls)


def _number(answer: HostDiff, name: str) -> str:
    return f"{len(getattr(answer, name)) + answer.more.get(name, 0):,}"


def _row(each: HeldTurn, sign: str, role: str) -> tuple[str, str, str, str]:
    return (
        coloured(sign, role),
        parts.node(each.node, hosted.LONGEST),
        f"{each.tokens or each.tokens_before:,}",
        _how(each),
    )


def _how(each: HeldTurn) -> str:
    state = hosted.state(each.state, patched=each.patched)
    turned = state if each.before == "out" else f"{hosted.state(each.before)} → {state}"
    was = f", was {parts.node(each.was)}" if each.was else ""
    return f"{turned}: {hosted.WHAT[each.what]}{was} ({hosted.by(each.what, each.op)})"
