"""The table of readers of hook events: by the host that the hook's command line names, else by what an event says.

A new host is a module with `told`, and a row here. Hosts without a reader send objects of our own kinds
(`docs/HOOKS.md`): the lines of `intake.importers.generic` with the session in each, where a `tool` event has the
call's arguments, its result, and what it did to files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ccos_core.intake.hooks import claude_code, codex, gemini, opencode, qwen
from ccos_core.intake.hooks.heard import INJECTED, Course, Event, Heard, Told, injected_recall, nothing
from ccos_core.intake.importers import generic
from ccos_core.intake.importers.fields import objects, text, word
from ccos_core.intake.importers.record import Observation, Record

RECORDED = {
    "prompt": "prompt", "turn": "turn", "tool": "tool", "usage": "usage", "compaction": "compaction",
    "clear": "cleared", "read": "file.0", "write": "file.0", "append": "file.0", "edit": "file.0", "patch": "file.0",
    "gone": "file.0", "renamed": "file.0",
}  # fmt: skip
"""Kind of event → what is recorded first of it."""


def told_by_itself(heard: Heard) -> Iterator[Told] | None:
    """What an event says; None for one that isn't one of ours."""
    event = heard.event
    kind = word(event, "kind")
    if kind == "session":
        return iter((Told(text(event, "id"), "", text(event, "cwd"), nothing, None, _host(event)),))
    if kind not in RECORDED or (kind == "tool" and not text(event, "name")):
        return None
    return iter((_told(heard, kind),))


def _told(heard: Heard, kind: str) -> Told:
    event, host = heard.event, _host(heard.event)
    session, name = text(event, "session"), text(event, "id") or heard.name
    first: Observation = {"host": host, "call": name, "kind": RECORDED[kind]}
    if session:
        first["session"] = session

    def observe(course: Course) -> Iterator[Observation]:
        reader = generic.Reader(session, course.telling)
        lines = [{"kind": "session", "id": session, "agent": host, "cwd": course.cwd}, *_lines(event, kind, name)]
        for line in lines:
            yield from reader.feed(Record(0, {"at": heard.at, **line}))

    return Told(session, text(event, "context"), text(event, "cwd"), observe, first, host)


def _lines(event: Event, kind: str, name: str) -> Iterator[Event]:
    """The lines of a transcript that say as much. A call is made, does what it does to files, and ends."""
    if kind != "tool":
        yield {**event, "id": name}
        return
    shared = _of(event, "session", "context", "at")
    yield {**shared, "kind": "call", "id": name, "name": event["name"], "arguments": event.get("arguments")}
    if not event.get("withheld"):
        for file in objects(event, "files"):
            yield {**file, **shared, "call": name}
    yield {**_of(event, "text", "outcome", "millis"), **shared, "kind": "result", "id": f"end:{name}", "call": name}


def _of(event: Event, *names: str) -> Event:
    return {name: event[name] for name in names if name in event}


def _host(event: Event) -> str:
    return word(event, "agent") or generic.HOST


Reader = Callable[[Heard], Iterator[Told] | None]

READERS: Mapping[str, Reader] = {
    "claude-code": claude_code.told,
    "codex": codex.told,
    "gemini": gemini.told,
    "opencode": opencode.told,
    "qwen-code": qwen.told,
}
"""Host, as `hook --host` names it → what one of its events says; None for an event that the reader doesn't know."""


def told_by(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    return reader_of(heard)(heard)


def reader_of(heard: Heard) -> Reader:
    """Return the reader of an event: the named host's. Without a name an event of Claude Code's shape is Claude Code's,
    and any other is one of our own kinds."""
    if heard.event.get("kind") == INJECTED:  # by ourselves, to whichever host's agent
        return injected_recall
    named = READERS.get(heard.host)
    if named is not None:
        return named
    return claude_code.told if claude_code.EVENT in heard.event else told_by_itself


def kind_of(heard: Heard) -> str:
    """What an event is called."""
    return text(heard.event, claude_code.EVENT) or text(heard.event, "kind") or "no name"
