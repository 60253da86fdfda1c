"""Which host an event is from, by what it says of itself; and what it tells."""

from __future__ import annotations

from collections.abc import Iterator

from ccos_core.intake.hooks import claude_code, generic
from ccos_core.intake.hooks.heard import Heard, Told
from ccos_core.intake.importers.fields import text


def told_by(heard: Heard) -> Iterator[Told] | None:
    """What an event says; None for one that isn't known."""
    return claude_code.told(heard) if claude_code.EVENT in heard.event else generic.told(heard)


def kind_of(heard: Heard) -> str:
    """What an event is called."""
    return text(heard.event, claude_code.EVENT) or text(heard.event, "kind") or "no name"
