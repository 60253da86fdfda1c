"""Attributes of a span as plain values, and the messages in them, in whichever convention they are written.

Today's convention has lists of messages with parts, as JSON. Earlier ones, and OpenInference, number each message and
each call of it: `gen_ai.prompt.0.content`, `llm.input_messages.0.message.tool_calls.0.tool_call.function.name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ccos_core.intake.importers.fields import decoded, objects, text

WRITTEN = ("ccos", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions")
ARGUMENTS = ("gen_ai.tool.call.arguments",)
"""Attributes whose text is JSON."""
NUMBERED = {"input": ("gen_ai.prompt", "llm.input_messages"), "output": ("gen_ai.completion", "llm.output_messages")}
MOST_MESSAGES, MOST_CALLS, DEEPEST = 10_000, 1_000, 50
_ROLES = {"human": "user", "ai": "assistant"}
_PLACE = re.compile(r"\.(\d{1,5})\.(?:message\.)?(.+)")
_CALL = re.compile(r"(?:message\.)?tool_calls\.(\d{1,4})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)")


def attributes_of(span: Any) -> dict[str, Any]:
    """Return a span's attributes; those whose text is JSON as what it says."""
    found: dict[str, Any] = {}
    for each in objects(span, "attributes"):
        name = text(each, "key")
        value = _plain(each.get("value"))
        if name in (*WRITTEN, *ARGUMENTS) and isinstance(value, str):
            value = decoded(value, value)
        if name and value is not None:
            found[name] = value
    return found


def _plain(value: Any, depth: int = 0) -> Any:
    if not isinstance(value, dict) or depth > DEEPEST:
        return None
    for name in ("stringValue", "boolValue", "doubleValue"):
        if name in value:
            return value[name]
    if "intValue" in value:
        said = value["intValue"]
        return int(said) if isinstance(said, str) and re.fullmatch(r"-?\d{1,19}", said) else said
    if "arrayValue" in value:
        return [_plain(each, depth + 1) for each in objects(value, "arrayValue", "values")]
    if "kvlistValue" in value:
        pairs = objects(value, "kvlistValue", "values")
        return {text(each, "key"): _plain(each.get("value"), depth + 1) for each in pairs}
    return None


def messages_of(attributes: Mapping[str, Any], way: str) -> list[dict[str, Any]]:
    """Return the messages that went in (`input`) or came out (`output`), as today's convention has them."""
    listed = list(objects(attributes, f"gen_ai.{way}.messages"))
    if listed:
        return [_with_parts(each) for each in listed]
    for name in NUMBERED[way]:
        found: dict[int, dict[str, Any]] = {}
        for attribute, value in attributes.items():
            place = _PLACE.fullmatch(attribute, len(name)) if attribute.startswith(f"{name}.") else None
            if place and (int(place[1]) in found or len(found) < MOST_MESSAGES):
                found.setdefault(int(place[1]), {})[place[2]] = value
        if found:
            return [_of_fields(found[place]) for place in sorted(found)]
    return []


def _with_parts(message: dict[str, Any]) -> dict[str, Any]:
    """A message, its content in parts where it is a text."""
    if isinstance(message.get("parts"), list) or not isinstance(message.get("content"), str):
        return message
    return {**message, "parts": [{"type": "text", "content": message["content"]}]}


def _of_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    role = text(fields, "role")
    words = text(fields, "content")
    answers = text(fields, "tool_call_id")
    if answers:
        return {"role": "tool", "parts": [{"type": "tool_call_response", "id": answers, "result": words}]}
    parts = [{"type": "text", "content": words}] if words else []
    return {
        "role": _ROLES.get(role, role),
        "parts": [*parts, *_calls(fields)],
        "finish_reason": text(fields, "finish_reason"),
    }


def _calls(fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for name, value in fields.items():
        call = _CALL.fullmatch(name)
        if call and (int(call[1]) in found or len(found) < MOST_CALLS):
            found.setdefault(int(call[1]), {"type": "tool_call"})[call[2]] = value
    return (found[place] for place in sorted(found))
