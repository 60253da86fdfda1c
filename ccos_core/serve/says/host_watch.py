"""The words of `watch` in a host's window: a node's residency there in figures, and as a strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.says.watch import percent
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.watch import HostShare, HostWatch


def says(answer: HostWatch, columns: int | None) -> Iterator[str]:
    """The strip, how long it was what, how often it was lost."""
    yield f"{parts.node(answer.node)}  {hosted.whose(answer.whose)}"
    yield f"  {parts.strip(answer.runs, columns)}"
    yield coloured(f"  {hosted.legend(answer.runs)}", "quiet")
    yield from parts.table([_row(answer, each) for each in answer.shares], left={0, 1})
    yield f"  {_often(answer)}"


def plain(answer: HostWatch) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in {hosted.whose(answer.whose)}."
    for each in answer.shares:
        yield f"{hosted.state(each.state).capitalize()}: {count(each.steps, 'step')}."
    yield f"{_often(answer)}."


def _row(answer: HostWatch, share: HostShare) -> tuple[str, str, str, str]:
    here = "  now" if share.state == answer.state else ""
    shown = f"{percent(share.steps, answer.head + 1)}{here}"
    return parts.STATES[share.state][0], hosted.state(share.state), f"{share.steps:,}", shown


def _often(answer: HostWatch) -> str:
    said = hosted.often(answer.came, answer.lost)
    if answer.longest is None:
        return said
    first, last, state = answer.longest.first, answer.longest.last, hosted.state(answer.longest.state)
    return f"{said}; {state} at the longest for {count(last - first + 1, 'step')}, {first:,} to {last:,}"
