"""Prompts that came while the agent was at work, and how they reached it.

What is taken out of the queue one by one is put before the agent between two of its calls; no record of it follows in
older versions, an attachment does in newer ones. What is taken out when the agent has come to an end becomes a record
like any other, and what the user takes back was never said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ccos_core.intake.importers.claude_code.blocks import Fields, said
from ccos_core.intake.importers.fields import text


class Left(NamedTuple):
    """A prompt that left the queue and was put before the agent."""

    came: str
    """The moment it came; with it, it is named."""
    words: str
    value: Fields
    """The record by which it came."""


@dataclass(slots=True)
class Queue:
    """The queue of one session."""

    waiting: list[Fields] = field(default_factory=list)
    known: set[tuple[str, str]] = field(default_factory=set)
    """What came and when: a record of it that stands here twice tells nothing new."""
    left: list[str] = field(default_factory=list)
    """What was told as it left the queue, and may come as an attachment as well."""
    attached: list[str] = field(default_factory=list)
    """The other way round."""

    def read(self, value: Fields) -> Left | None:
        """What a record of the queue puts before the agent."""
        operation = value.get("operation")
        if operation == "enqueue":
            came = text(value, "timestamp"), said(value.get("content"))
            if came not in self.known:
                self.waiting.append(value)
            if came[0]:
                self.known.add(came)
        elif operation == "dequeue":
            del self.waiting[:1]
        elif operation == "popAll":
            self.waiting.clear()
        elif operation == "remove" and self.waiting:
            prompt = self.waiting.pop(0)
            words = said(prompt.get("content"))
            is_command = words.startswith("/")
            if words and not is_command and not _taken(self.attached, words):
                self.left.append(words)
                return Left(text(prompt, "timestamp"), words, prompt)
        return None

    def is_told(self, words: str) -> bool:
        """Whether what comes as an attachment has been told."""
        if _taken(self.left, words):
            return True
        self.attached.append(words)
        return False


def _taken(words: list[str], word: str) -> bool:
    if word not in words:
        return False
    words.remove(word)
    return True
