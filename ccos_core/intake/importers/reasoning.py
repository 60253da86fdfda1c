"""Thoughts of a model as chat completions and OpenAI's responses spell them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ccos_core.intake.importers.fields import objects, parts, text

FIELDS = ("reasoning_content", "reasoning", "thinking")
"""Of a chat message, in the order in which they are looked up."""


class Thought(NamedTuple):
    """One thought; empty if only its seal is known."""

    words: str
    sealed: bool


def thought_of_item(item: Any) -> Thought:
    """Read a `reasoning` item. A summary beside an encrypted thought isn't all of it."""
    whole = "\n".join(filter(None, parts(item, "content")))
    summary = "\n\n".join(filter(None, parts(item, "summary")))
    return Thought(whole or summary, sealed=not whole and (not summary or bool(text(item, "encrypted_content"))))


def thoughts_of_message(message: Any) -> Iterator[Thought]:
    """Read the thoughts of a chat message or of a response's output."""
    found = False
    for block in objects(message, "thinking_blocks"):
        found = True
        words = text(block, "thinking")
        yield Thought(words, sealed=not words)
    for item in objects(message, "output"):
        if text(item, "type") == "reasoning":
            found = True
            yield thought_of_item(item)
    words = next((said for name in FIELDS if (said := text(message, name))), "")
    if words and not found:
        yield Thought(words, sealed=False)
