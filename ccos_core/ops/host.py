"""What the host's own conversation did: calls, prompts, turns, tokens, and what it dropped."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Op):
    """A tool call that ended. What it did to files has ops of its own; what its output reports is a fact."""

    name: str
    outcome: str
    """`ok`, `error` or `interrupted`; `unknown` if the host doesn't say."""

    arguments: Blob | None = None
    """The arguments as canonical JSON."""

    result: Blob | None = None
    """What the agent saw as the result."""

    cwd: str | None = None
    """The folder in which it ran; relative paths start there."""

    millis: int | None = None
    withheld: str | None = None
    """Why its result, and texts in its arguments, are not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Op):
    """The agent got a message."""

    said: Blob
    source: str
    """`user`: a person typed it. `host`: the host added it. `agent`: an agent instructs its subagent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Op):
    """The agent wrote a message."""

    model: str | None = None
    said: Blob | None = None
    stop: str | None = None
    """Why the message ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Op):
    """How full the agent's window was, as the host counted it."""

    window: int
    """Tokens that the model got: fresh, cached and stored together."""

    fresh: int | None = None
    """Tokens that came neither from a cache nor went into one."""

    cached: int | None = None
    """Tokens read from a cache."""

    stored: int | None = None
    """Tokens written to a cache."""

    written: int | None = None
    """Tokens that the model wrote."""

    limit: int | None = None
    """The most tokens that fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction(Op):
    """The host replaced the history by something shorter."""

    trigger: str
    before: int | None = None
    """Tokens in the window before it."""

    after: int | None = None
    """Tokens in the window after it."""

    summary: Blob | None = None

    kept: tuple[str, ...] = ()
    """Calls whose results stayed, if the host says so."""

    exact: bool
    """Whether `summary` and `kept` are everything that stayed. Otherwise they are what is known of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared(Op):
    """The agent's window was emptied."""

    reason: str | None = None
