"""The words of `watch`: a node's residency in figures, and as a strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.says.missing import times, window
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.watch import Share, Watch


def says(answer: Watch, columns: int | None) -> Iterator[str]:
    """The strip, how long it was what, how often it left."""
    yield f"{parts.node(answer.node)}  {window(answer.lens, answer.budget)}"
    yield f"  {parts.strip(answer.runs, columns)}"
    yield coloured(f"  {parts.legend(answer.runs)}", "quiet")
    yield from parts.table([_row(answer, each) for each in answer.shares], left={0, 1})
    yield f"  {_often(answer)}"
    if answer.looked is not None:
        yield coloured(f"  {parts.looked(answer.looked)}", "quiet")


def plain(answer: Watch) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in the window of {window(answer.lens, answer.budget)}."
    for each in answer.shares:
        yield f"{parts.STATES[each.state][1].capitalize()}: {count(each.steps, 'step')}."
    yield f"{_often(answer)}."
    yield from parts.sentences(filter(None, [parts.looked(answer.looked)]))


def _row(answer: Watch, share: Share) -> tuple[str, str, str, str]:
    sign, said = parts.STATES[share.state]
    here = "  now" if share.state == answer.state else ""
    return sign, said, f"{share.steps:,}", f"{percent(share.steps, answer.head + 1)}{here}"


def percent(steps: int, of: int) -> str:
    """How much of it, in words."""
    return "under 1 %" if 100 * steps < of else f"{100 * steps // of} %"


def _often(answer: Watch) -> str:
    if not answer.entered:
        return f"it never was in the window{' as far as was looked' if parts.skipped(answer.looked) else ''}"
    said = f"it came in {times(answer.entered)}, and " + (
        f"left {times(answer.evicted)}" if answer.evicted else "never left"
    )
    if answer.longest is None:
        return said
    size = answer.longest.last - answer.longest.first + 1
    return f"{said}; away at the longest for {count(size, 'step')}, {answer.longest.first:,} to {answer.longest.last:,}"
