"""What `hook --inject` said to an agent, as an event of our own: it becomes a `recall` delivered to that conversation.

The hook writes it once the text is printed. An event a host hands to the hook can't pass for one: of such an event only
known fields are kept, and `items` isn't among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ccos_core.intake.hooks.heard import Course, Event, Heard, Told
from ccos_core.intake.importers.fields import number, text
from ccos_core.intake.importers.record import Observation

KIND = "injected"
LENS = "lost"
"""What the record calls the window."""


def told(heard: Heard) -> Iterator[Told] | None:
    """What an event says; None for one that isn't whole."""
    event = heard.event
    host, session, items = text(event, "agent"), text(event, "session"), event.get("items")
    if not host or not session or not isinstance(items, list) or not all(map(_is_item, items)):
        return None
    first: Observation = {"kind": "recall", "host": host, "session": session, "call": heard.name}
    return iter((Told(session, "", "", partial(_observed, event, heard.at, first), first, host),))


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
    }


def _is_item(row: Any) -> bool:
    return isinstance(row, list) and [type(cell) for cell in row] == [str, str, int]
