"""One event as it was heard, what all readers of events share, and the event for what `hook --inject` said.

An event stands alone: it comes from a process that knew nothing of the ones before. What has to be known besides, the
files a conversation has been shown and where it stands, is asked of the record (`remembered`).

`hook --inject` writes an event of its own once its text is printed; it becomes a `recall` delivered to that
conversation. An event of a host cannot pass for one: only known fields are kept of it, and `items` isn't among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from ccos_core.intake.importers.fields import number, text
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


INJECTED = "injected"
LENS = "lost"
"""What the record calls the window."""


def injected_recall(heard: Heard) -> Iterator[Told] | None:
    """What an event says; None for one that isn't whole."""
    event = heard.event
    host, session, items = text(event, "agent"), text(event, "session"), event.get("items")
    if not host or not session or not isinstance(items, list) or not all(map(_is_item, items)):
        return None
    context = text(event, "context")
    first: Observation = {"kind": "recall", "host": host, "session": session, "call": heard.name}
    if context:
        first["context"] = context
    return iter((Told(session, context, "", partial(_observed, event, heard.at, first), first, host),))


def _observed(event: Event, at: int, first: Observation, _: Course) -> Iterator[Observation]:
    yield {
        **first,
        "at": at,
        "lens": LENS,
        "budget": number(event, "budget") or 0,
        "computed_at": number(event, "step") or 0,
        "parameters": {},
        "items": event["items"],
        "window": text(event, "window"),
        **{name: said for name in ("said", "principal", "policy") if (said := text(event, name))},
    }


def _is_item(row: Any) -> bool:
    return isinstance(row, list) and [type(cell) for cell in row] == [str, str, int]
