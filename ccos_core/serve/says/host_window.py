"""The words of `recall` and `state` in a host's window: how full it was, and what is known to have been in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.parts import times
from ccos_core.present.words import count
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.window import HeldItem, HostWindow

MOST, FEW = 20, 6
"""Items, and parts of files, that are printed: the last ones."""


def says(answer: HostWindow, columns: int | None) -> Iterator[str]:
    """How full, what was cut, and the items that came last."""
    yield f"step {answer.step:,} of {answer.head:,}  {hosted.whose(answer.whose)}"
    yield from (f"  {line}" for line in _full(answer))
    yield from parts.table([_row(each) for each in reversed(answer.items[-MOST:])], left={0, 1, 3}, indent="  ")
    yield from parts.more(len(answer.items) - MOST, "that came before", "that came before")
    if answer.parts:
        yield "  held otherwise than the rest of their files:"
        yield from parts.table([_row(each) for each in reversed(answer.parts[-FEW:])], left={0, 1, 3}, indent="    ")
        yield from parts.more(len(answer.parts) - FEW, "such symbol")


def plain(answer: HostWindow) -> Iterator[str]:
    yield f"Step {answer.step:,} of {answer.head:,}, {hosted.whose(answer.whose)}."
    yield from parts.sentences(parts.aloud(_full(answer)))
    for each in (*answer.items, *answer.parts):
        said = hosted.state(each.state, patched=each.patched)
        yield f"{parts.node(each.node)}: {said}, {count(each.tokens, 'token')}, by {_by(each)}."


def _full(answer: HostWindow) -> Iterator[str]:
    """How full it is, and how it came to hold no more."""
    if answer.whose.lens == "delivered":
        if answer.handed is None:
            yield "it was handed no window of ours yet"
        else:
            yield f"by {parts.step_words(answer.handed)}: about {count(answer.tokens, 'token')}"
        return
    yield f"about {count(answer.tokens, 'token')} that we know of; {hosted.counted(answer.counted)}"
    if answer.counts:
        yield ", ".join(f"{each.items:,} {hosted.state(each.state)} ({each.tokens:,})" for each in answer.counts)
    else:
        yield "nothing is known to be in it"
    if answer.cut is not None:
        yield f"shortened or emptied {times(answer.cuts)} so far, the last time:"
        yield from hosted.cut(answer.cut, of_node=False)
    yield from (hosted.fell(each) for each in answer.falls)


def _row(each: HeldItem) -> tuple[str, str, str, str]:
    sign = coloured(parts.STATES[each.state][0], "good" if each.state == "in" else "note")
    patched = ", patched" if each.patched else ""
    return sign, parts.node(each.node, hosted.LONGEST), f"{each.tokens:,}", f"{_by(each)}{patched}"


def _by(each: HeldItem) -> str:
    return f"{words.visible(each.by)} at step {each.step:,}"
