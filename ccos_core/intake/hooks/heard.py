"""One event as it was heard, and what everybody who reads events has in common.

An event stands alone: it comes from a process that knew nothing of the ones before. What has to be known besides, the
files a conversation has been shown and where it stands, is asked of the record (`remembered`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Telling, Where

Event: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """What somebody's host said."""

    event: Event
    at: int
    """When it was heard, in milliseconds since 1970."""
    name: str
    """Made of what it says: by it an event is known that has no name of its own."""
    host: str = ""
    """The host that the hook's own command line names; empty where it names none."""


@dataclass(slots=True)
class Course:
    """One conversation of a host, as far as it is known before an event."""

    telling: Telling
    cwd: str
    """Where it stands, as its host spells it; empty where nobody has said."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an event says, in one conversation: whole, or not at all where its first observation is known already."""

    session: str
    context: str
    cwd: str
    """Where that conversation stands afterwards; empty where it doesn't say."""
    observe: Callable[[Course], Iterator[Observation]]
    first: Observation | None = None
    """Enough of the first observation to know it by; None for an event that puts nothing into the record."""
    host: str = ""


def told_at(
    where: Where, host: str, kind: str = "", observe: Callable[[Course], Iterator[Observation]] | None = None
) -> Told:
    """Return what an event says at one place. Without `kind` it only says where its conversation stands.

    `kind` and the name in `where` are those of the first observation, by which a second delivery is known."""
    first: Observation | None = None
    if kind:
        first = {"kind": kind, "host": host, "call": where.id}
        if where.session:
            first["session"] = where.session
    return Told(where.session, where.context, where.cwd, observe or nothing, first, host)


def nothing(_: Course) -> Iterator[Observation]:
    """What is recorded of an event that only says where a conversation stands."""
    yield from ()
