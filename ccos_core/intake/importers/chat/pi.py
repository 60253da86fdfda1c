"""Pi and OpenClaw: one entry a line, in a tree; a session's first line says where it was begun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import prompts_in, reply_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import COMPACTION, HEAD, PROMPT, RESULT, UNKNOWN, USAGE, Said
from ccos_core.intake.importers.fields import at, micro_dollars, millis, number, text, word
from ccos_core.intake.importers.record import Record

STOPS = {"stop": "end", "toolUse": "tool", "length": "limit", "error": "error", "aborted": "interrupted"}
SILENT = ("custom", "label", "session_info", "thinking_level_change")


def looks(records: Iterable[Record]) -> bool:
    """Whether the first record is a session's, or an entry with a role of its own."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    if word(first, "type") == "session":
        return isinstance(at(first, "version"), int) and bool(word(first, "id"))
    return word(first, "type") == "message" and word(first, "message", "role") == "toolResult"


def said_in(record: Record) -> Iterator[Said]:
    """Say what an entry tells."""
    value = record.value
    kind = word(value, "type")
    base = Said(kind, id=word(value, "id"), parent=text(value, "parentId"), at=millis(at(value, "timestamp")))
    if kind == "session":
        yield Said(HEAD, session=base.id, cwd=text(value, "cwd"), at=base.at)
    elif kind == "message":
        yield from _message(value["message"] if isinstance(value.get("message"), dict) else {}, base, value)
    elif kind in ("compaction", "branch_summary"):
        kept = text(value, "firstKeptEntryId")
        yield base._replace(kind=COMPACTION, text=text(value, "summary"), window=number(value, "tokensBefore") or 0,
            kept_from=kept, exact=kind == "compaction",
        )  # fmt: skip
    elif kind == "custom_message":
        yield base._replace(kind=PROMPT, text=words_in(value.get("content")), source="host")
    elif kind == "model_change":
        yield base._replace(kind=HEAD, model=word(value, "modelId"), at=None)
    elif kind in SILENT:
        yield base._replace(kind=HEAD, at=None, title=text(value, "name") if kind == "session_info" else "")
    else:
        yield base._replace(kind=UNKNOWN, name=f"type {kind}" if kind else "no type")


def _message(message: dict[str, Any], base: Said, entry: dict[str, Any]) -> Iterator[Said]:
    role, content = word(message, "role"), message.get("content")
    if role == "user":
        yield from prompts_in(content, base)
    elif role == "assistant":
        reason, detail = STOPS.get(word(message, "stopReason"), ""), text(message, "errorMessage")
        yield from reply_in(content, base._replace(model=word(message, "model"), stop=reason, detail=detail))
        yield from _usage(message.get("usage"), base._replace(parent=None))
    elif role == "toolResult":
        outcome = "error" if message.get("isError") is True else "ok"
        name = text(message, "toolCallId")
        yield base._replace(kind=HEAD, at=None)  # its place in the tree
        yield base._replace(kind=RESULT, id=name, parent=None, text=words_in(content), outcome=outcome)
    elif role == "bashExecution":
        words = f"$ {text(message, 'command')}\n{text(message, 'output')}"
        yield base._replace(kind=PROMPT, text=words, source="host")
    else:
        yield base._replace(kind=UNKNOWN, name=f"role {role}" if role else "no role")


def _usage(usage: Any, base: Said) -> Iterator[Said]:
    fresh, cached = number(usage, "input") or 0, number(usage, "cacheRead") or 0
    stored = number(usage, "cacheWrite") or 0
    counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": number(usage, "output")}
    cost = micro_dollars(at(usage, "cost", "total"))
    yield base._replace(kind=USAGE, window=fresh + cached + stored, counts={**counts, "cost": cost})


FORMAT = chat_format("pi", "Pi, OpenClaw", looks, said_in, bare_reads=True)
