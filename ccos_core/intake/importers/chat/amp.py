"""Amp: a thread is one document, with blocks as Anthropic's API has them, and what the host ran for a call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import prompts_in, reply_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import COMPACTION, HEAD, RESULT, UNKNOWN, USAGE, Said
from ccos_core.intake.importers.fields import at, millis, number, objects, text, word
from ccos_core.intake.importers.record import Record

STOPS = {"tool_use": "tool", "end_turn": "end", "max_tokens": "limit"}
OUTCOMES = {"done": "ok", "error": "error", "cancelled": "interrupted", "rejected-by-user": "interrupted"}


def looks(records: Iterable[Record]) -> bool:
    """Whether a message of a document has a number, and a list of blocks."""
    return any(
        record.name == "messages"
        and isinstance(at(record.value, "messageId"), int)
        and isinstance(at(record.value, "content"), list)
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells, or a field of the thread."""
    value = record.value
    if record.name != "messages":
        tree = next(objects(value, "initial", "trees"), None) if record.name == "env" else None
        session = value if record.name == "id" and isinstance(value, str) else ""
        title = value if record.name == "title" and isinstance(value, str) else ""
        begun = millis(value) if record.name == "created" else None
        yield Said(HEAD, session=session, title=title, at=begun, cwd=text(tree, "uri").removeprefix("file://"))
        return
    role, blocks = word(value, "role"), at(value, "content")
    number_ = number(value, "messageId")
    base = Said(role, id=f"message {number_}" if number_ is not None else "", at=_when(value))
    if role == "user":
        for block in objects(value, "content"):
            if word(block, "type") == "tool_result":
                yield _result(block, base)
        rest = [block for block in objects(value, "content") if word(block, "type") != "tool_result"]
        yield from prompts_in(rest, base)
    elif role == "assistant":
        stop = STOPS.get(word(value, "state", "stopReason"), "")
        if word(value, "state", "type") == "cancelled":
            stop = "interrupted"
        yield from reply_in(blocks, base._replace(model=word(value, "usage", "model"), stop=stop))
        yield from _usage(at(value, "usage"), base)
    elif role == "info":
        for block in objects(value, "content"):
            if word(block, "type") == "summary":
                summary = text(block, "summary", "summary") or text(block, "summary")
                yield base._replace(kind=COMPACTION, text=summary, exact=False)
    else:
        yield base._replace(kind=UNKNOWN, name=f"role {role}" if role else "no role")


def _result(block: dict[str, Any], base: Said) -> Said:
    run = block.get("run")
    result = at(run, "result")
    code = number(result, "exitCode")
    outcome = OUTCOMES.get(word(run, "status"), "unknown")
    shown = result if isinstance(result, str) else text(result, "content") or text(result, "output")
    if not shown:
        shown = text(run, "error", "message") or ("" if result is None else json.dumps(result, ensure_ascii=False))
    failed = outcome == "ok" and code not in (None, 0)
    name = text(block, "toolUseID")
    return base._replace(kind=RESULT, id=name, text=shown, outcome="error" if failed else outcome)


def _usage(usage: Any, base: Said) -> Iterator[Said]:
    cached, stored = number(usage, "cacheReadInputTokens") or 0, number(usage, "cacheCreationInputTokens") or 0
    fresh = number(usage, "inputTokens") or 0
    counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": number(usage, "outputTokens")}
    limit = number(usage, "maxInputTokens")
    window = number(usage, "totalInputTokens") or fresh + cached + stored
    yield base._replace(kind=USAGE, window=window, counts={**counts, "limit": limit})


def _when(message: Any) -> int | None:
    return millis(at(message, "meta", "sentAt")) or millis(at(message, "usage", "timestamp"))


FORMAT = chat_format("amp", "Amp", looks, said_in, document=True)
