"""The words of `goto`, `state`, `next` and `prev`: where one stands, and what is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve import op_line
from ccos_core.serve.says import parts
from ccos_core.serve.says.when import place
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.state import State

WALLS = {"end": "this is the end: there is no next step", "start": "this is the start: there is no step before"}


def says(answer: State, columns: int | None) -> Iterator[str]:
    """Where, what happened, what there is, what fails."""
    yield f"{place(answer)}  {words.short(answer.hash)}"
    if answer.wall:
        yield coloured(WALLS[answer.wall], "note")
    if answer.op is not None:
        yield op_line.line(answer.op, columns)
    yield f"  {_there(answer)}"
    for failing in answer.failing:
        yield f"  {coloured('✗', 'bad')} {_one(failing, columns)}"
    yield from parts.more(answer.failures - len(answer.failing), "failure")


def plain(answer: State) -> Iterator[str]:
    yield f"Step {answer.step:,} of {answer.head:,}, {answer.percent} percent, in epoch {answer.epoch}."
    if answer.wall:
        yield f"{WALLS[answer.wall].capitalize()}."
    if answer.op is not None:
        yield f"What happened: {parts.op_aloud(answer.op)}."
    yield f"There are {_there(answer)}."
    for failing in answer.failing:
        yield f"Failing: {_one(failing, None)}."


def _there(answer: State) -> str:
    said = [count(answer.files, "file"), count(answer.symbols, "symbol"), count(answer.warm, "warm node")]
    said.append(f"{answer.failures - answer.rerun_due:,} failing now")
    if answer.rerun_due:
        said.append(f"{answer.rerun_due:,} not run again since a change")
    if answer.tokens is not None:
        said.append(f"{answer.tokens:,} tokens in the host's window when last recorded")
    return ", ".join(said)


def _one(failing: str, columns: int | None) -> str:
    return words.clipped(words.visible(failing), max(columns - 4, 20) if columns else 200)
