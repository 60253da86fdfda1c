"""OpenHands: actions and what was observed of them, one event a record, or all events of a run in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import (
    CALL,
    COMPACTION,
    HEAD,
    PROMPT,
    RESULT,
    THOUGHT,
    TURN,
    UNKNOWN,
    USAGE,
    Said,
)
from ccos_core.intake.importers.fields import at, decoded, millis, number, objects, text, word
from ccos_core.intake.importers.record import Record

TOOLS = {"run": "execute_bash", "run_ipython": "execute_ipython_cell", "call_tool_mcp": "mcp"}
"""What actions are called where the event doesn't name the tool."""
SILENT = ("", "agent_state_changed", "change_agent_state", "null", "recall", "recall_failed")
"""Events that say nothing to the agent and nothing of it."""
NOT_RUN = ("finish", "message", "system", "condensation", "condensation_request")


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is an event, or a run with its events."""
    return any(
        not record.name and (_is_event(record.value) or any(_is_event(each) for each in _history(record.value)))
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what an event tells, or the events of a run, each behind the run's name."""
    if record.name:
        return
    if _is_event(record.value):
        yield from _event(record.value, "")
        return
    events = list(_history(record.value))
    name = word(record.value, "instance_id")
    if not events:
        yield Said(UNKNOWN, name="neither an event nor a run")
        return
    folder = next(filter(None, (text(each, "extras", "metadata", "working_dir") for each in events)), "")
    yield Said(HEAD, session=name, cwd=folder, at=millis(at(events[0], "timestamp")))
    for each in events:
        yield from _event(each, f"{name}:" if name else "")


def _event(value: dict[str, Any], prefix: str) -> Iterator[Said]:
    """Say what one event tells; ids begin with a prefix, for those of two runs may be the same."""
    observed, action = word(value, "observation"), word(value, "action")
    number_, when = number(value, "id"), millis(at(value, "timestamp"))
    base = Said("", id=f"{prefix}event {number_}" if number_ is not None else "", at=when)
    if observed:
        yield from _observed(value, observed, base, prefix)
        return
    yield from _response(at(value, "tool_call_metadata", "model_response"), value, base, prefix)
    if action in SILENT:
        return
    if action in NOT_RUN:
        yield from _words(value, action, base)
        return
    if action == "think":
        yield base._replace(kind=THOUGHT, text=text(value, "args", "thought"))
    given = _arguments(value)
    name = word(value, "tool_call_metadata", "function_name") or TOOLS.get(action, action)
    yield base._replace(kind=CALL, id=_call(value, number_, prefix), name=name, arguments=given)


def _words(value: dict[str, Any], action: str, base: Said) -> Iterator[Said]:
    """Say what somebody said, and how a window was shortened."""
    said = text(value, "args", "content") or text(value, "message")
    if action == "system":
        yield base._replace(kind=PROMPT, text=said, source="host")
    elif action == "message" and word(value, "source") == "user":
        yield base._replace(kind=PROMPT, text=said)
    elif action == "message":
        yield base._replace(kind=TURN, text=said)
    elif action == "finish":
        yield base._replace(kind=TURN, text=text(value, "args", "final_thought") or said, stop="end")
    elif action == "condensation":
        summary = text(value, "args", "summary") or text(value, "summary")
        yield base._replace(kind=COMPACTION, text=summary, trigger="auto", exact=False)


def _observed(value: dict[str, Any], observed: str, base: Said, prefix: str) -> Iterator[Said]:
    """Say what a call gave, or what the host added to the window."""
    shown = text(value, "content")
    if observed == "recall":
        knowledge = [text(each, "content") for each in objects(value, "extras", "microagent_knowledge")]
        added = "\n\n".join(filter(None, (text(value, "extras", "repo_instructions"), *knowledge)))
        if added:
            yield base._replace(kind=PROMPT, text=added, source="host")
    elif observed == "error" and not word(value, "tool_call_metadata", "tool_call_id"):
        yield base._replace(kind=PROMPT, text=shown, source="host")
    elif observed not in SILENT and observed not in NOT_RUN:
        outcome = "error" if _failed(value, observed, shown) else "ok"
        yield base._replace(kind=RESULT, id=_call(value, number(value, "cause"), prefix), text=shown, outcome=outcome)


def _response(response: Any, value: dict[str, Any], base: Said, prefix: str) -> Iterator[Said]:
    """Say once what a model answered, which stands beside each call that it made."""
    name, model = word(response, "id"), word(response, "model")
    if not name:
        if text(value, "args", "thought") and word(value, "action") not in ("think", *NOT_RUN):
            yield base._replace(kind=TURN, text=text(value, "args", "thought"))
        return
    choice = next(objects(response, "choices"), None)
    said = text(choice, "message", "content") or text(value, "args", "thought")
    one = base._replace(id=f"{prefix}{name}", model=model)
    yield one._replace(kind=TURN, text=said, stop="tool")
    cached = number(response, "usage", "prompt_tokens_details", "cached_tokens") or 0
    window = number(response, "usage", "prompt_tokens") or 0
    counts = {
        "fresh": max(window - cached, 0), "cached": cached, "written": number(response, "usage", "completion_tokens"),
    }  # fmt: skip
    if window:
        yield one._replace(kind=USAGE, window=window, counts=counts)


# -- values -----------------------------------------------------------------------------------------------------------


def _is_event(value: Any) -> bool:
    return isinstance(at(value, "source"), str) and bool(word(value, "action") or word(value, "observation"))


def _history(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the events of a run; older runs have an action and its observation as a pair."""
    history = at(value, "history")
    for each in history if isinstance(history, list) else ():
        yield from objects({"": each if isinstance(each, list) else [each]}, "")


def _call(value: dict[str, Any], number_: int | None, prefix: str) -> str:
    named = word(value, "tool_call_metadata", "tool_call_id")
    return f"{prefix}{named}" if named else f"{prefix}call {number_}" if number_ is not None else ""


def _arguments(value: dict[str, Any]) -> Any:
    """Return what the model asked for; else how the host understood it."""
    wanted = word(value, "tool_call_metadata", "tool_call_id")
    choices = objects(value, "tool_call_metadata", "model_response", "choices")
    for call in (call for choice in choices for call in objects(choice, "message", "tool_calls")):
        given = at(call, "function", "arguments")
        if word(call, "id") == wanted and isinstance(given, str):
            return decoded(given, given)
    given = at(value, "args")
    return {name: each for name, each in given.items() if name != "thought"} if isinstance(given, dict) else given


def _failed(value: dict[str, Any], observed: str, shown: str) -> bool:
    code = at(value, "extras", "metadata", "exit_code")
    code = at(value, "extras", "exit_code") if code is None else code
    return observed == "error" or (isinstance(code, int) and code != 0) or shown.startswith("ERROR:")


FORMAT = chat_format("openhands", "OpenHands", looks, said_in)
