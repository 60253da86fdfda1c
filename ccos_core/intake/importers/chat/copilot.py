"""GitHub Copilot CLI: one event a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import (
    CALL,
    COMPACTION,
    HEAD,
    NOTE,
    PROMPT,
    RESULT,
    THOUGHT,
    TURN,
    UNKNOWN,
    USAGE,
    Said,
)
from ccos_core.intake.importers.fields import at, millis, number, objects, text, word
from ccos_core.intake.importers.record import Record

SILENT = frozenset(
    {
        "assistant.turn_end", "assistant.turn_start", "hook.end", "hook.start", "session.auto_mode_resolved",
        "session.compaction_start", "session.mode_changed", "session.shutdown", "session.task_complete",
        "session.usage_checkpoint", "session.usage_info", "subagent.completed", "subagent.selected",
        "subagent.started", "tool.execution_partial_result", "tool.execution_progress",
    }
)  # fmt: skip
"""Events that put nothing before the model, or nothing that no other event says."""
NOTES = {"session.info": "message", "session.error": "message", "session.warning": "message", "abort": "reason"}


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is an event of a session, with its data."""
    return any(
        word(record.value, "type").startswith(("session.", "user.message", "assistant."))
        and isinstance(at(record.value, "data"), dict)
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what an event tells."""
    kind, data = word(record.value, "type"), at(record.value, "data")
    base = Said(kind, id=word(record.value, "id"), at=millis(at(record.value, "timestamp")))
    if kind in WAYS:
        yield from WAYS[kind](data, base)
    elif kind in NOTES:
        yield base._replace(kind=NOTE, text=text(data, NOTES[kind]))
    elif kind not in SILENT:
        yield base._replace(kind=UNKNOWN, name=f"type {kind}" if kind else "no type")


def _begun(data: Any, base: Said) -> Iterator[Said]:
    model, cwd = word(data, "selectedModel") or word(data, "newModel"), text(data, "context", "cwd")
    yield Said(HEAD, session=word(data, "sessionId"), cwd=cwd, model=model, at=base.at)


def _prompt(data: Any, base: Said) -> Iterator[Said]:
    """What the user typed, and what the host made of it, which is what the model sees."""
    typed, sent = text(data, "content"), text(data, "transformedContent")
    yield base._replace(kind=PROMPT, text=typed)
    if sent and sent != typed:
        yield base._replace(kind=PROMPT, id=f"{base.id}:sent", text=sent, source="host")


def _reply(data: Any, base: Said) -> Iterator[Said]:
    words, sealed = text(data, "reasoningText"), bool(text(data, "reasoningOpaque"))
    if words or sealed:
        yield base._replace(kind=THOUGHT, id=f"{base.id}:thought", text=words, sealed=not words)
    requests = list(objects(data, "toolRequests"))
    yield base._replace(
        kind=TURN, text=text(data, "content"), model=word(data, "model"), stop="tool" if requests else ""
    )
    for place, request in enumerate(requests):
        name = text(request, "toolCallId") or f"{base.id}:call:{place}"
        arguments = arguments_in(request.get("arguments"))
        yield base._replace(kind=CALL, id=name, name=word(request, "name"), arguments=arguments)


def _call(data: Any, base: Said) -> Iterator[Said]:
    """A call as it begins; mostly its message has told it."""
    given = arguments_in(at(data, "arguments"))
    yield base._replace(kind=CALL, id=text(data, "toolCallId"), name=word(data, "toolName"), arguments=given)


def _thought(data: Any, base: Said) -> Iterator[Said]:
    yield base._replace(kind=THOUGHT, text=text(data, "content"))


def _from_host(data: Any, base: Said) -> Iterator[Said]:
    yield base._replace(kind=PROMPT, text=text(data, "content"), source="host")


def _truncated(data: Any, base: Said) -> Iterator[Said]:
    before, after = number(data, "preTruncationTokensInMessages"), number(data, "postTruncationTokensInMessages")
    yield base._replace(kind=COMPACTION, trigger="auto", window=before or 0, counts={"after": after}, exact=False)


def _compacted(data: Any, base: Said) -> Iterator[Said]:
    window, summary = number(data, "preCompactionTokens") or 0, text(data, "summaryContent")
    yield base._replace(kind=COMPACTION, window=window, text=summary, exact=False)


def _result(data: Any, base: Said) -> Iterator[Said]:
    result = at(data, "result")
    shown = text(result, "content") or text(result, "text_result_for_llm") or text(data, "error", "message")
    good = at(data, "success") is True or word(result, "result_type") == "success"
    yield base._replace(kind=RESULT, id=text(data, "toolCallId"), text=shown, outcome="ok" if good else "error")


def _usage(data: Any, base: Said) -> Iterator[Said]:
    asked, cached = number(data, "inputTokens") or 0, number(data, "cacheReadTokens") or 0
    stored = number(data, "cacheWriteTokens") or 0
    fresh = max(asked - cached - stored, 0)
    counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": number(data, "outputTokens")}
    yield base._replace(kind=USAGE, window=asked, counts=counts, model=word(data, "model"))


WAYS: Mapping[str, Callable[[Any, Said], Iterator[Said]]] = {
    "session.start": _begun,
    "session.resume": _begun,
    "session.model_change": _begun,
    "user.message": _prompt,
    "assistant.message": _reply,
    "assistant.reasoning": _thought,
    "assistant.usage": _usage,
    "tool.execution_start": _call,
    "tool.execution_complete": _result,
    "system.message": _from_host,
    "system.notification": _from_host,
    "session.truncation": _truncated,
    "session.compaction_complete": _compacted,
}

FORMAT = chat_format("copilot-cli", "Copilot CLI", looks, said_in)
