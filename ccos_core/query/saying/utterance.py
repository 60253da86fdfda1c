"""One time that somebody spoke: who, when, by which channel, and its statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.memory.entry import SAID_SCOPE as SAID_SCOPE
from ccos_core.memory.entry import memo_id as memo_id

if TYPE_CHECKING:
    from ccos_core.text.statements import Statement

USER, AGENT, FILE = "user", "agent", "file"
AUTHORS = (USER, AGENT, FILE)
KNOWN_STATEMENTS = 1 << 17
"""Statements whose sort is kept: these are asked for again whenever a record has grown."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody said at one step."""

    step: int
    context: int
    """The number of the context it was said in."""

    author: str
    channel: str
    """How it was said: `queued`, `answer`, `refusal`, `plan`, `feedback`, `command`, `todo`; empty for a prompt."""

    statements: tuple[Statement, ...]
    path: str = ""
    """The file that says it."""

    status: str = ""
    """How far a todo is, in the host's word."""

    is_partly_read: bool = False
    """Whether it was so long that only its start and end were kept, or that its end is one statement."""
