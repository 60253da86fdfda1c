"""The words of `last NODE` and `next NODE`: where one stands now, and what became of the node there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import parts
from ccos_core.serve.says.missing import aloud, came, left, window
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.turning import Turn

WALLS = {"end": "to the end", "start": "back to the start"}


def says(answer: Turn, columns: int | None) -> Iterator[str]:
    """From which state to which, and why."""
    yield f"{parts.node(answer.node)}  {window(answer.lens, answer.budget)}"
    if answer.step is None or answer.op is None:
        yield coloured(f"  {_wall(answer)}", "note")
        yield from _looked(answer)
        return
    (before, said_before), (after, said_after) = parts.STATES[answer.before], parts.STATES[answer.after]
    yield f"step {answer.step:,}: {before} {said_before} → {after} {said_after}"
    if answer.eviction is not None:
        yield from left(answer.eviction)
    elif answer.entrance is not None:
        yield from came(answer.entrance)
    else:
        yield parts.step_line(answer.op, columns)
    yield from _looked(answer)


def plain(answer: Turn) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in the window of {window(answer.lens, answer.budget)}."
    if answer.step is None or answer.op is None:
        yield f"{_wall(answer).capitalize()}."
        yield from parts.sentences(filter(None, [parts.looked(answer.looked)]))
        return
    before, after = parts.STATES[answer.before][1], parts.STATES[answer.after][1]
    yield f"Step {answer.step:,}: it was {before}, and is {after} from here on."
    told = answer.eviction or answer.entrance
    if told is not None:
        yield from aloud(told)
    else:
        yield f"By {parts.step_words(answer.op)}."
    yield from parts.sentences(filter(None, [parts.looked(answer.looked)]))


def _looked(answer: Turn) -> Iterator[str]:
    """How much of the session was looked at, where that isn't all of it."""
    if answer.looked is not None:
        yield coloured(f"  {parts.looked(answer.looked)}", "quiet")


def _wall(answer: Turn) -> str:
    return f"it stays {parts.STATES[answer.after][1]} {WALLS[answer.wall]}; still at step {answer.at:,}"
