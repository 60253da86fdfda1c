"""OpenCode's events, as the plugin that `setup` writes passes them on: parts of messages, under the export's own names.

A call comes when it has ended, with the state of its part; a prompt when it was said; what the agent said when its
message is complete, with the tokens it took. Files that the host found changed after a step come with the calls of that
step, so that only what no call tells is added. All of it is told as the reader of exports tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ccos_core.intake.calls.effects import Changed, Effect
from ccos_core.intake.hooks.heard import Course, Event, Heard, Told, told_at
from ccos_core.intake.importers.fields import number, objects, text, word
from ccos_core.intake.importers.opencode.reader import HOST, stop_of
from ccos_core.intake.importers.opencode.tools import changed_by, effects_of, outcome_of, reply_to, untold
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Call, Where


def told(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    way = _WAYS.get(text(heard.event, "hook_event_name"))
    return way(heard) if way is not None else None


# -- one way per event ------------------------------------------------------------------------------------------------


def _session(heard: Heard) -> Iterator[Told]:
    """It only says where the conversation stands."""
    yield told_at(_where(heard), HOST)


def _call(heard: Heard) -> Iterator[Told]:
    where = _where(heard, text(heard.event, "tool_use_id"))
    yield told_at(where, HOST, "tool", partial(_observed, heard.event, where))


def _prompt(heard: Heard) -> Iterator[Told]:
    said, where = text(heard.event, "prompt"), _where(heard)
    source = "host" if text(heard.event, "source") == "host" else "user"

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.prompt(where, said, source)

    yield told_at(where, HOST, "prompt" if said else "", observe)


def _turn(heard: Heard) -> Iterator[Told]:
    event, where = heard.event, _where(heard)

    def said(course: Course) -> Iterator[Observation]:
        model, stop = text(event, "model"), stop_of(text(event, "reason"), text(event, "outcome"))
        yield from course.telling.turn(where, text(event, "last_assistant_message"), model, stop)

    yield told_at(where, HOST, "turn", said)
    if _window(event):
        yield told_at(where, HOST, "usage", partial(_counted, event, where))


def _compacted(heard: Heard) -> Iterator[Told]:
    event, where = heard.event, _where(heard)
    trigger = event.get("trigger")

    def observe(course: Course) -> Iterator[Observation]:
        known = trigger if trigger in ("manual", "auto") else "unknown"
        yield from course.telling.compacted(where, trigger=known, summary=text(event, "compact_summary"))

    if _window(event):
        yield told_at(where, HOST, "usage", partial(_counted, event, where))
    yield told_at(where, HOST, "compaction", observe)


def _changed(heard: Heard) -> Iterator[Told]:
    where = _where(heard)
    effects = _untold(heard.event, where.cwd)

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.brought(where, effects)

    yield told_at(where, HOST, "file.0" if effects else "", observe)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _observed(event: Event, where: Where, course: Course) -> Iterator[Observation]:
    tool, state = text(event, "tool_name"), _state(event)
    status = word(state, "status")
    course.telling.asked(Call(where, tool, state["input"]))
    result = text(state, "output") if status == "completed" else text(state, "error")
    told = status == "completed" and not event.get("withheld")
    effects = effects_of(tool, state, where.cwd) if told else []
    begun, ended = number(state, "time", "start"), number(state, "time", "end")
    took = ended - begun if begun is not None and ended is not None and ended >= begun else None
    yield from course.telling.answered(where, result, outcome_of(tool, status, state), effects, took)
    channel, words = reply_to(tool, status, state)
    yield from course.telling.prompt(where, words, channel=channel)


def _counted(event: Event, where: Where, course: Course) -> Iterator[Observation]:
    counts = {name: number(event, name) for name in ("fresh", "cached", "stored", "written")}
    yield from course.telling.usage(where, _window(event), counts)


def _window(event: Event) -> int:
    return sum(number(event, name) or 0 for name in ("fresh", "cached", "stored"))


def _state(call: Event) -> dict[str, Any]:
    """The state of a call's part."""
    response = call.get("tool_response")
    return {**(response if isinstance(response, dict) else {}), "input": call.get("tool_input")}


def _untold(event: Event, cwd: str) -> list[Effect]:
    """The files that changed without a call of the step that tells it."""
    calls = [(text(call, "tool_name"), _state(call)) for call in objects(event, "tool_calls")]
    files = [path for file in objects(event, "files") if (path := text(file, "path"))]
    effects = untold(files, changed_by(calls, cwd))
    return [each for each in effects if isinstance(each, Changed)]


def _where(heard: Heard, name: str = "") -> Where:
    event = heard.event
    name = name or text(event, "id") or heard.name
    return Where(text(event, "session_id"), name, heard.at, text(event, "agent_id"), text(event, "cwd"))


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "session": _session,
    "tool": _call,
    "prompt": _prompt,
    "turn": _turn,
    "summary": _compacted,
    "changed": _changed,
}
