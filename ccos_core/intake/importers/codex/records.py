"""The records of Codex's rollouts: what is wrapped in them, whose they are, and what calls in them ask for.

Versions differ in the wrapping alone: bare items at first, later `{timestamp, type, payload}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ccos_core.intake.importers.codex.history import OUTPUTS, WORDLESS
from ccos_core.intake.importers.fields import at, decoded, text, word
from ccos_core.intake.importers.record import Record

KINDS = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
ITEMS = ("message", "agent_message", *OUTPUTS, *WORDLESS)


def unwrapped(record: Record) -> tuple[str, Any, Any]:
    """(kind, payload, timestamp), whichever version wrote it."""
    value = record.value
    kind = text(value, "type")
    if kind and isinstance(value.get("payload"), dict):
        return kind, value["payload"], value.get("timestamp")
    if record.name == "session" or (not kind and text(value, "id") and text(value, "timestamp")):
        return "session_meta", value, at(value, "timestamp")
    if kind in ITEMS:
        return "response_item", value, value.get("timestamp")
    return kind or text(value, "record_type"), value, at(value, "timestamp")


def parent_of(payload: Any) -> str:
    """The session a subagent works for."""
    source = at(payload, "source", "subagent")
    if source is None:
        return ""
    spawned = at(source, "thread_spawn") or source
    return word(payload, "session_id") or word(spawned, "parent_thread_id") or word(payload, "parent_thread_id")


def asked(kind: str, item: Any) -> tuple[str, Any]:
    """(name, arguments) of a call."""
    if kind == "local_shell_call":
        return "local_shell", item.get("action")
    if kind == "tool_search_call":
        return "tool_search", item.get("arguments")
    name, space = word(item, "name"), word(item, "namespace")
    if space and not name.startswith(space):
        name = f"{space}{name}" if space.endswith("__") else f"{space}.{name}"
    said = item.get("input") if kind == "custom_tool_call" else item.get("arguments")
    return name, _structured(said) if kind == "function_call" and isinstance(said, str) else said


def is_count(kind: str, payload: Any) -> bool:
    """Whether a record only counts tokens."""
    return kind == "token_usage_record" or (kind == "event_msg" and text(payload, "type") == "token_count")


def outcome_of(status: str) -> str:
    """How a call ended that is told in one item."""
    return {"failed": "error", "incomplete": "interrupted", "in_progress": "unknown"}.get(status, "ok")


def looks(records: Iterable[Record]) -> bool:
    """Whether these are a rollout's, of any version."""
    return any(_is_codex(record) for record in records)


def looks_old(records: Iterable[Record]) -> bool:
    """Whether they are of the one document the first versions wrote."""
    return looks(record for record in records if record.name in ("session", "items"))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _structured(said: str) -> Any:
    """Arguments that are an object in a text; anything else stays the text it is."""
    told = decoded(said)
    return told if isinstance(told, (dict, list)) else said


def _is_codex(record: Record) -> bool:
    value = record.value
    payload, kind = at(value, "payload"), text(value, "type")
    if kind in KINDS and isinstance(payload, dict):
        return kind not in ("response_item", "event_msg") or bool(text(payload, "type"))
    if kind == "message":
        parts = at(value, "content")
        return isinstance(parts, list) and any(text(part, "type") in ("input_text", "output_text") for part in parts)
    return text(value, "record_type") == "state" and not kind
