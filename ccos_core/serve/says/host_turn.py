"""The words of `last NODE` and `next NODE` in a host's window: where one stands now, and what happened there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import hosted, parts
from ccos_core.serve.says.turn import WALLS
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.turn import HostTurn


def says(answer: HostTurn, columns: int | None) -> Iterator[str]:
    """From which state to which, and why."""
    yield f"{parts.node(answer.node)}  {hosted.whose(answer.whose)}"
    told = answer.happening
    if answer.step is None or told is None:
        yield coloured(f"  {_wall(answer)}", "note")
        return
    before, after = parts.STATES[told.before][0], parts.STATES[told.state][0]
    yield f"step {answer.step:,}: {before} {hosted.state(told.before)} → {after} {hosted.state(told.state)}"
    yield from hosted.happened(told)


def plain(answer: HostTurn) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in {hosted.whose(answer.whose)}."
    told = answer.happening
    if answer.step is None or told is None:
        yield f"{_wall(answer).capitalize()}."
        return
    yield f"Step {answer.step:,}: it was {hosted.state(told.before)}, and is {hosted.state(told.state)} from here on."
    yield from hosted.aloud(told)


def _wall(answer: HostTurn) -> str:
    return f"it stays {hosted.state(answer.state)} {WALLS[answer.wall]}; still at step {answer.at:,}"
