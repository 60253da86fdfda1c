"""One time that somebody spoke: who, when, by which channel, and its statements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ccos_core.values.canon import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ccos_core.text.statements import Statement

USER, AGENT, FILE = "user", "agent", "file"
AUTHORS = (USER, AGENT, FILE)
SAID_CLASS, SAID_SCOPE = "said", "session"
MEMO_DIGITS = 16
KNOWN_STATEMENTS = 1 << 17
"""Statements whose id and sort are kept: these are asked for again whenever a record has grown."""


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


def memo_id(words: Iterable[str]) -> str:
    """Return the id of a statement with these normalised words."""
    return _memo_id(tuple(words))


@lru_cache(KNOWN_STATEMENTS)
def _memo_id(words: tuple[str, ...]) -> str:
    return "memo:" + digest(canonical([SAID_CLASS, SAID_SCOPE, " ".join(words)])).hex()[:MEMO_DIGITS]
