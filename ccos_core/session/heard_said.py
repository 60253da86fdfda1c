"""What is kept of an event a hook was handed: what a reader of it needs, cleaned leaf by leaf, and nothing else.

The same rules as at the gate, so that what may not be kept is never on disk, not even on the way there. An event is
judged alone, for a hook remembers nothing: a call comes with its arguments and its result in one. On the hook's path.
"""

from __future__ import annotations

from ccos_core.session.arguments import WITHHELD, argument_text, leaves_text, parsed, why_withheld, without_contents
from ccos_core.session.bounds import told_apart
from ccos_core.text.sanitize import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from ccos_core.session.bounds import Withholding

    Event: TypeAlias = dict[str, Any]

NAMES = ("session_id", "turn_id", "prompt_id", "agent_id", "tool_use_id", "timestamp", "session", "id", "context")
"""By these things are told apart."""
PLAIN = (
    "hook_event_name", "tool_name", "cwd", "source", "trigger", "reason", "duration_ms", "is_interrupt", "prompt",
    "compact_summary", "last_assistant_message", "prompt_response", "kind", "agent", "name", "outcome", "millis",
    "path", "to", "first", "last", "line", "whole", "everywhere", "model", "from", "stop", "window", "fresh",
    "cached", "stored", "written", "limit", "before_tokens", "after_tokens", "summary", "kept", "exact", "at",
)  # fmt: skip
PRINTED = ("error", "text")
"""What a tool printed, which may be lines of any file."""
CONTENTS = ("text", "before", "old", "new", "diff")
"""What a file holds, by itself."""
ORIGINALS = (
    "originalFile", "originalFileContents", "original_file", "updated_file", "structuredPatch", "gitDiff", "metadata",
    "returnDisplay",
)  # fmt: skip
"""In a result, whole files beside what was asked for."""
BINARY = "base64"
"""In the file of a result: a picture, of which only its being there is kept."""
FILE_TOOLS = (
    "Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "read_file", "replace", "write_file", "read", "edit",
    "multiedit", "write",
)  # fmt: skip
"""Tools whose results hold a file as it stands, in which no line says what file it is from."""
DEEPEST = 50


def said_text(event: Event, keeps: Withholding) -> str:
    """An event as JSON that may be kept."""
    return _object(_fields(event, keeps))


def _object(fields: Iterator[tuple[str, str]]) -> str:
    return "{" + ",".join(f'"{name}":{text}' for name, text in fields) + "}"


def _fields(event: Event, keeps: Withholding) -> Iterator[tuple[str, str]]:
    for name in NAMES:
        if isinstance(event.get(name), str):
            yield name, leaves_text(_named(event[name]))
    if isinstance(event.get("tool_calls"), list):
        calls = [_object(_fields(call, keeps)) for call in event["tool_calls"] if isinstance(call, dict)]
        yield "tool_calls", f"[{','.join(calls)}]"
    for name in PLAIN:
        if event.get(name) is not None:
            yield name, leaves_text(event[name])
    if event.get("files") is not None and isinstance(event["files"], list):
        files = [_object(_fields(file, keeps)) for file in event["files"] if isinstance(file, dict)]
        yield "files", f"[{','.join(files)}]"
    if "tool_input" in event or "arguments" in event:
        yield from _call(event, keeps)
    else:
        yield from _contents(event, keeps)


def _call(event: Event, keeps: Withholding) -> Iterator[tuple[str, str]]:
    """What a call was given, and what came of it."""
    given = "tool_input" if "tool_input" in event else "arguments"
    arguments, came = parsed(event[given]), _without_pictures(event.get("tool_response"))
    printed = {name: event[name] for name in PRINTED if isinstance(event.get(name), str)}
    if why_withheld(arguments, keeps.why_path, keeps.why_command):
        arguments = without_contents(arguments, keeps.why_path, keeps.named_in)
        came = without_contents(_without_originals(came), keeps.why_path, keeps.named_in)
        printed = dict.fromkeys(printed, WITHHELD)
        yield "withheld", "true"
    elif event.get("tool_name") not in FILE_TOOLS:
        came = _without_lines(came, keeps, DEEPEST)
    yield given, argument_text(arguments)[0]
    if came is not None:
        yield "tool_response", leaves_text(came)
    for name, said in printed.items():
        yield name, leaves_text(keeps.without_lines(said)[0])


def _contents(event: Event, keeps: Withholding) -> Iterator[tuple[str, str]]:
    """What files hold, or what was said."""
    is_withheld = any(keeps.why_path(event.get(name)) for name in ("path", "to"))
    for name in CONTENTS:
        if isinstance(event.get(name), str):
            said = WITHHELD if is_withheld else keeps.without_lines(event[name])[0]
            yield name, leaves_text(said)


def _named(said: str) -> str:
    text, found = clean(said)
    return told_apart(text, said) if found else said


def _without_originals(came: Any) -> Any:
    return {name: each for name, each in came.items() if name not in ORIGINALS} if isinstance(came, dict) else came


def _without_pictures(came: Any) -> Any:
    file = came.get("file") if isinstance(came, dict) else None
    if not isinstance(file, dict) or BINARY not in file:
        return came
    return {**came, "file": {name: each for name, each in file.items() if name != BINARY}}


def _without_lines(value: Any, keeps: Withholding, depth: int) -> Any:
    if isinstance(value, str):
        return keeps.without_lines(value)[0]
    if isinstance(value, dict) and depth:
        return {name: _without_lines(item, keeps, depth - 1) for name, item in value.items()}
    if isinstance(value, list) and depth:
        return [_without_lines(item, keeps, depth - 1) for item in value]
    return value
