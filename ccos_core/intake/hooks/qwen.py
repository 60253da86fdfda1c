"""Qwen Code's hook events: named as Claude Code's, with what Gemini CLI's say of a call.

A call's name here isn't the transcript's, so it is known by what its event says. `UserPromptSubmit` comes without words
before each further request of a turn, which puts nothing before the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ccos_core.intake.hooks.gemini import call_observed
from ccos_core.intake.hooks.heard import Course, Heard, Told, told_at
from ccos_core.intake.importers.fields import millis, text
from ccos_core.intake.importers.qwen import HOST
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Where

SILENT = frozenset(
    {"Notification", "PermissionRequest", "PreCompact", "PreToolUse", "SessionEnd", "SubagentStart", "SubagentStop"}
)
"""Events that put nothing before the agent, or nothing that no other event says."""


def told(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    kind, event = text(heard.event, "hook_event_name"), heard.event
    if kind == "SessionStart":
        cleared = event.get("source") == "clear"
        return _said(heard, "cleared" * cleared, lambda course, where: course.telling.cleared(where, "/clear"))
    way = _WAYS.get(kind)
    if way is not None:
        return way(heard)
    return iter((told_at(_where(heard), HOST),)) if kind in SILENT else None


def _call(heard: Heard) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, "tool", partial(call_observed, heard.event, where))


def _prompt(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "prompt")
    return _said(heard, "prompt" if said else "", lambda course, where: course.telling.prompt(where, said))


def _turn(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "last_assistant_message")
    return _said(heard, "turn" if said else "", lambda course, where: course.telling.turn(where, said, stop="end"))


def _compacted(heard: Heard) -> Iterator[Told]:
    trigger, summary = text(heard.event, "trigger"), text(heard.event, "compact_summary")
    known = trigger if trigger in ("manual", "auto") else "unknown"
    return _said(
        heard, "compaction", lambda course, where: course.telling.compacted(where, trigger=known, summary=summary)
    )


def _said(heard: Heard, kind: str, observe: Callable[[Course, Where], Iterator[Observation]]) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, kind, lambda course: observe(course, where))


def _where(heard: Heard) -> Where:
    event = heard.event
    at = millis(event.get("timestamp")) or heard.at
    return Where(text(event, "session_id"), heard.name, at, "", text(event, "cwd"))


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "PostToolUse": _call,
    "PostToolUseFailure": _call,
    "UserPromptSubmit": _prompt,
    "Stop": _turn,
    "PostCompact": _compacted,
}
