"""Gemini CLI's hook events: each by itself, with what its tools did to files.

A call has no name of its own here, so it is known by what its event says, the time included. `PreCompress` with
`trigger` `auto` comes before every request to the model, whether or not anything is compressed, so only a manual one
counts. `BeforeTool` says nothing that `AfterTool` doesn't: that one comes for failed calls as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ccos_core.intake.hooks.heard import Course, Event, Heard, Told, told_at
from ccos_core.intake.importers.fields import at, text
from ccos_core.intake.importers.gemini.tools import SHELL, answers_in, effects_of, failed, unwrapped
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Call, Where

HOST = "gemini"
SILENT = frozenset(
    {
        "AfterModel", "BeforeModel", "BeforeTool", "BeforeToolSelection", "Notification", "SessionEnd", "SessionStart",
    }
)  # fmt: skip
"""Events that put nothing before the agent, or nothing that no other event says."""


def told(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    kind, event = text(heard.event, "hook_event_name"), heard.event
    if kind == "SessionStart" and event.get("source") == "clear":
        return _said(heard, "cleared", lambda course, where: course.telling.cleared(where, "/clear"))
    if kind == "PreCompress" and event.get("trigger") == "manual":
        return _said(heard, "compaction", lambda course, where: course.telling.compacted(where, trigger="manual"))
    way = _WAYS.get(kind)
    if way is not None:
        return way(heard)
    return iter((told_at(_where(heard), HOST),)) if kind in SILENT or kind == "PreCompress" else None


# -- one way per event ------------------------------------------------------------------------------------------------


def _call(heard: Heard) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, "tool", partial(call_observed, heard.event, where))


def _prompt(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "prompt")
    return _said(heard, "prompt" if said else "", lambda course, where: course.telling.prompt(where, said))


def _turn(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "prompt_response")
    return _said(heard, "turn" if said else "", lambda course, where: course.telling.turn(where, said, stop="end"))


# -- calls ------------------------------------------------------------------------------------------------------------


def call_observed(event: Event, where: Where, course: Course) -> Iterator[Observation]:
    """Tell a call that ended; Qwen Code says beside the response why one failed."""
    name, given, response = text(event, "tool_name"), event.get("tool_input"), event.get("tool_response")
    course.telling.asked(Call(where, name, given))
    shown = _shown(at(response, "llmContent")) or text(event, "error")
    bad = failed(name, shown, at(response, "error") is not None or event.get("error") is not None)
    told = not event.get("withheld") and (name == SHELL or not bad)
    effects = list(effects_of(name, given, at(response, "returnDisplay"), shown, not bad, where.cwd)) if told else []
    yield from course.telling.answered(where, shown, "error" if bad else "ok", effects)
    yield from course.telling.prompt(where, "" if bad else answers_in(name, shown), channel="answer")


def _shown(content: Any) -> str:
    """Return what the model was given, without the mark around what a tool printed."""
    parts = content if isinstance(content, list) else [content]
    return unwrapped("".join(each if isinstance(each, str) else text(each, "text") for each in parts))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _said(heard: Heard, kind: str, observe: Callable[[Course, Where], Iterator[Observation]]) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, kind, lambda course: observe(course, where))


def _where(heard: Heard) -> Where:
    event = heard.event
    return Where(text(event, "session_id"), heard.name, heard.at, "", text(event, "cwd"))


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "AfterTool": _call,
    "BeforeAgent": _prompt,
    "AfterAgent": _turn,
}
