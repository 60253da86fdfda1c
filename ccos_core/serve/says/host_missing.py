"""The words of `missing` in a host's window: the strip, and each time it was lost there and came back, with by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.query.missing import LIMIT
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Happening
    from ccos_core.query.hosted.missing import HostMissing

ON_A_SCREEN = 8
"""Happenings that are told where nobody said how many."""


def says(answer: HostMissing, columns: int | None) -> Iterator[str]:
    """The strip, and what happened one by one."""
    yield f"{parts.node(answer.node)}  {hosted.whose(answer.whose)}"
    yield from (f"  {line}" for line in _called(answer))
    yield f"  {parts.strip(answer.runs, columns)}"
    yield coloured(f"  {hosted.legend(answer.runs)}", "quiet")
    yield f"  {_now(answer)}; {hosted.often(answer.came, answer.lost)}"
    yield f"  {hosted.counted(answer.counted)}"
    told = _told(answer)
    if len(told) < (every := len(answer.runs) - 1):
        yield coloured(f"  the last {len(told):,} of {every:,} changes; --limit 0 tells all:", "quiet")
    for each in told:
        yield from hosted.happened(each)


def plain(answer: HostMissing) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in {hosted.whose(answer.whose)}."
    yield from parts.sentences(_called(answer))
    yield f"{_now(answer).capitalize()}; {hosted.often(answer.came, answer.lost)}."
    yield f"{hosted.counted(answer.counted).capitalize()}."
    for run in answer.runs:
        yield f"{parts.span(run.first, run.last).capitalize()}: {hosted.state(run.state)}."
    for each in _told(answer):
        yield from hosted.aloud(each)


def _called(answer: HostMissing) -> Iterator[str]:
    if len(answer.runs) > 1 and answer.runs[0].state == "unborn":
        yield f"known there since step {answer.runs[1].first:,}"
    if len(answer.names) > 1:
        was = [f"{parts.node(each.node)} until step {each.last:,}" for each in answer.names[:-1]]
        yield f"called {', then '.join(was)}, then {parts.node(answer.names[-1].node)}"


def _now(answer: HostMissing) -> str:
    held = f", {count(answer.tokens, 'token')} of it delivered last at step {answer.delivered:,}" * bool(
        answer.delivered
    )
    state = hosted.state(answer.state, patched=answer.patched)
    return f"step {answer.at:,}: {state}, since step {answer.since:,}{held}"


def _told(answer: HostMissing) -> Sequence[Happening]:
    return answer.happenings[-ON_A_SCREEN:] if answer.limit == LIMIT else answer.happenings
