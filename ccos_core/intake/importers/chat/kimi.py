"""Kimi Code: the wire protocol of one agent, an event a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import words_in
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
from ccos_core.intake.importers.fields import at, millis, number, text, word
from ccos_core.intake.importers.record import Record

SILENT = frozenset(
    {
        "full_compaction.begin", "full_compaction.complete", "llm.tools_snapshot", "permission.record_approval_result",
        "plan_mode.enter", "plan_mode.exit", "tools.set_active_tools", "turn.prompt", "usage.record",
    }
)  # fmt: skip
"""Events that put nothing before the model, or nothing that no other event says."""


def looks(records: Iterable[Record]) -> bool:
    """Whether the first record names the protocol."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    return word(first, "type") == "metadata" and bool(word(first, "protocol_version"))


def said_in(record: Record) -> Iterator[Said]:
    """Say what an event tells."""
    value = record.value
    kind = word(value, "type")
    base = Said(kind, at=millis(at(value, "time")))
    if kind == "metadata":
        yield Said(HEAD, at=millis(at(value, "created_at")))
    elif kind == "config.update":
        yield base._replace(kind=PROMPT, text=text(value, "systemPrompt"), source="host")
    elif kind == "llm.request":
        yield Said(HEAD, model=word(value, "model"))
    elif kind == "context.append_message":
        source = "user" if word(value, "message", "origin", "kind") in ("", "user") else "host"
        yield base._replace(kind=PROMPT, text=words_in(at(value, "message", "content")), source=source)
    elif kind == "context.append_loop_event":
        yield from _event(at(value, "event"), base)
    elif kind == "context.apply_compaction":
        after = number(value, "tokensAfter")
        cut = base._replace(kind=COMPACTION, text=text(value, "contextSummary"), counts={"after": after}, exact=False)
        yield cut._replace(window=number(value, "tokensBefore") or 0)
    elif kind not in SILENT:
        yield base._replace(kind=UNKNOWN, name=f"type {kind}" if kind else "no type")


def _event(event: Any, base: Said) -> Iterator[Said]:
    kind, name = word(event, "type"), text(event, "uuid")
    if kind == "content.part":
        thought = text(event, "part", "think")
        said = text(event, "part", "text")
        yield base._replace(kind=THOUGHT if thought else TURN, id=name, text=thought or said)
    elif kind == "tool.call":
        call = base._replace(kind=CALL, id=text(event, "toolCallId"), name=word(event, "name"))
        yield call._replace(arguments=at(event, "args"), cwd=text(event, "display", "cwd"))
    elif kind == "tool.result":
        result = at(event, "result")
        outcome = "error" if at(result, "isError") is True else "ok"
        shown = words_in(at(result, "output"))
        yield base._replace(kind=RESULT, id=text(event, "toolCallId"), text=shown, outcome=outcome)
    elif kind == "step.end":
        usage = at(event, "usage")
        cached, stored = number(usage, "inputCacheRead") or 0, number(usage, "inputCacheCreation") or 0
        fresh = number(usage, "inputOther") or 0
        counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": number(usage, "output")}
        yield base._replace(kind=USAGE, id=name, window=fresh + cached + stored, counts=counts)
    elif kind != "step.begin":
        yield base._replace(kind=UNKNOWN, name=f"event {kind}" if kind else "no event")


FORMAT = chat_format("kimi", "Kimi Code", looks, said_in)
