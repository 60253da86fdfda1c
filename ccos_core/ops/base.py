"""What every op has, and how an op points at text that isn't its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One thing that happened. Only `host`, `session`, `context` and `call` of these may be read by a fold."""

    at: int | None = None
    """Wall-clock time in milliseconds since 1970 UTC, if known. It never decides an order."""

    actor: str | None = None
    """Who acted: agent, user, host or tool."""

    host: str | None = None
    """The program that runs the agent, e.g. `claude-code`."""

    session: str | None = None
    """The host's id for the conversation."""

    context: str | None = None
    """The subagent's id; absent for the main conversation. Each context has a window of its own."""

    call: str | None = None
    """The host's id of the call or record. Two deliveries with the same `call` and `phase` are one event."""

    phase: str | None = None
    """Which part of a call this is, if a call has several; otherwise the op's kind."""

    findings: tuple[Finding, ...] = ()
    """Hidden characters and secrets that the gate found in this op's text, by field and kind."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A reference to foreign text, which lies beside the ops under its own hash."""

    blob: str
    """blake3 of the stored text, in hex."""

    bytes: int
    """Its length in UTF-8."""

    whole: str | None = None
    """Where the text was too large to keep: the hash of all of it. What is stored is its head and its tail."""

    whole_bytes: int | None = None

    head: int | None = None
    """Lines kept from the start, when it was cut."""

    dropped: int | None = None
    """Lines left out after them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Hidden characters surfaced, or secrets masked, in one field."""

    field: str
    kind: str
    count: int
    line: int
    """The first line it was found on, from 1."""


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `first` to `last`, counted from 1, both ends in."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a source."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a window that was handed out."""

    node: str
    level: str
    tokens: int
