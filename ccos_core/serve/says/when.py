"""The words of `when`: one moment on one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words

if TYPE_CHECKING:
    from ccos_core.query.state import State
    from ccos_core.query.when import When


def says(answer: When, columns: int | None) -> Iterator[str]:
    """The moment, with its whole hash: it is there to be copied."""
    yield f"{place(answer)}  {answer.hash}  {words.visible(answer.moment)}"


def plain(answer: When) -> Iterator[str]:
    yield f"Step {answer.step:,} of {answer.head:,}, {answer.percent} percent, in epoch {answer.epoch}."
    yield f"It was at {words.moment(answer.at)} UTC." if answer.at is not None else "When it was isn't known."
    yield f"The hash is {answer.hash}."
    yield f"It is written {words.visible(answer.moment)}."


def place(answer: When | State) -> str:
    """`step 412 of 5,010  8%  epoch 1  2026-02-14 09:31:45 UTC`."""
    at = f"  {words.moment(answer.at)} UTC" if answer.at is not None else ""
    return f"step {answer.step:,} of {answer.head:,}  {answer.percent}%  epoch {answer.epoch}{at}"
