"""The words of `show`: texts as they are, each below a line that says what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.serve.says import parts

if TYPE_CHECKING:
    from ccos_core.query.show import Said, Texts

NOTHING = "there is no text in it"


def says(answer: Texts, columns: int | None) -> Iterator[str]:
    """What it is, and then it."""
    yield _head(answer)
    for said in answer.texts:
        yield f"-- {_named(said)}"
        yield from _lines(said)
    if not answer.texts:
        yield NOTHING


def plain(answer: Texts) -> Iterator[str]:
    yield from parts.sentences(parts.aloud([_head(answer)]))
    for said in answer.texts:
        yield f"The {_named(said)}{'.' if said.missing else ':'}"
        yield from _lines(said)
    if not answer.texts:
        yield f"{NOTHING.capitalize()}."


def _head(answer: Texts) -> str:
    by = parts.step_words(answer.by) if answer.by is not None else "before the first step"
    return f"{parts.node(answer.node)} at step {answer.at:,}, by {by}" if answer.node else by


def _named(said: Said) -> str:
    return words.visible(said.name) + (f": {words.visible(said.missing)}" if said.missing else "")


def _lines(said: Said) -> list[str]:
    """The text; nothing in it is obeyed by a terminal."""
    return words.visible(said.text.removesuffix("\n")).split("\n") if said.text else []
