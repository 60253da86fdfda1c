"""The table of readers of hook events: by the host that the hook's command line names, else by what an event says.

A new host is a module with `told`, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ccos_core.intake.hooks import claude_code, codex, gemini, generic, injected, opencode
from ccos_core.intake.hooks.heard import Heard, Told
from ccos_core.intake.importers.fields import text

Reader = Callable[[Heard], Iterator[Told] | None]

READERS: Mapping[str, Reader] = {
    "claude-code": claude_code.told,
    "codex": codex.told,
    "gemini": gemini.told,
    "opencode": opencode.told,
}
"""Host, as `hook --host` names it → what one of its events says; None for an event that the reader doesn't know."""


def told_by(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    return reader_of(heard)(heard)


def reader_of(heard: Heard) -> Reader:
    """Return the reader of an event: the named host's. Without a name an event of Claude Code's shape is Claude Code's,
    and any other is one of our own kinds."""
    if heard.event.get("kind") == injected.KIND:  # by ourselves, to whichever host's agent
        return injected.told
    named = READERS.get(heard.host)
    if named is not None:
        return named
    return claude_code.told if claude_code.EVENT in heard.event else generic.told


def kind_of(heard: Heard) -> str:
    """What an event is called."""
    return text(heard.event, claude_code.EVENT) or text(heard.event, "kind") or "no name"
