"""What the host's own conversation did: calls, prompts, turns, tokens, and what it dropped."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Op):
    """One tool call, with its end. That it read a file or ran failing tests is a fact, not part of the op."""

    name: str
    outcome: str
    """`ok`, `error`, `interrupted`, or `unknown` when the host doesn't say."""

    arguments: Blob | None = None
    """The arguments as canonical JSON."""

    result: Blob | None = None
    cwd: str | None = None
    """Where it ran, so that relative paths in it mean something."""

    millis: int | None = None
    withheld: str | None = None
    """Why its result, and what its arguments would have written, aren't kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Op):
    """Somebody gave the agent something to do."""

    said: Blob
    source: str
    """`user`; `host` for what the host puts there by itself; `agent` for a subagent's orders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Op):
    """The agent spoke."""

    model: str | None = None
    said: Blob | None = None
    stop: str | None = None
    """Why it stopped speaking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Op):
    """How full the host's window was, as the host itself counted it."""

    window: int
    """Tokens the model was given: fresh, cached and stored together."""

    fresh: int | None = None
    cached: int | None = None
    stored: int | None = None
    written: int | None = None
    """Tokens the model wrote."""

    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction(Op):
    """The host replaced its history by something shorter."""

    trigger: str
    before: int | None = None
    after: int | None = None
    """Tokens in the window before and after."""

    summary: Blob | None = None

    kept: tuple[str, ...] = ()
    """Calls whose results survived, when the host says so."""

    exact: bool
    """Whether `summary` and `kept` are all that survived, or only what is known of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared(Op):
    """The host's window was emptied."""

    reason: str | None = None
