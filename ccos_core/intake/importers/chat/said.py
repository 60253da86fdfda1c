"""What a record of a chat tells, in plain values: the same for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ccos_core.intake.importers.record import Record

HEAD, PROMPT, THOUGHT, TURN, CALL, RESULT, USAGE = "head", "prompt", "thought", "turn", "call", "result", "usage"
COMPACTION, NOTE, UNKNOWN = "compaction", "note", "unknown"


class Said(NamedTuple):
    """One thing that a record tells. A format fills in what it knows."""

    kind: str
    text: str = ""
    id: str = ""
    """Of the message or call; empty where the format names none: then it is known by where it stands."""
    parent: str | None = None
    """The message that it follows, in formats whose messages are a tree; None in others."""
    at: int | None = None
    """Milliseconds since 1970."""
    name: str = ""
    """Of a tool; of what isn't understood; what a prompt of the host is, one of PROMPT_KINDS."""
    arguments: Any = None
    outcome: str = "ok"
    noted: Any = None
    """What the host noted about a call beside its result."""
    source: str = "user"
    """Who wrote a prompt: `user`, `host` or `agent`."""
    channel: str = ""
    model: str = ""
    stop: str = ""
    detail: str = ""
    sealed: bool = False
    millis: int | None = None
    session: str = ""
    title: str = ""
    cwd: str = ""
    window: int = 0
    """Tokens of a request; before a compaction, those there were."""
    counts: Mapping[str, int | None] = {}
    trigger: str = "unknown"
    kept_from: str = ""
    """The first message that a compaction left in the window; empty where it left none."""
    exact: bool = True


SaidIn: TypeAlias = Callable[[Record], Iterator[Said]]
"""Says what a record tells."""
