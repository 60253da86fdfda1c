"""Antigravity's command line: one step a line; a call's result is a step of its own, told by its type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, COMPACTION, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, decoded, millis, number, objects, text, word
from ccos_core.intake.importers.record import Record

REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)
SHOWN = re.compile(r"File Path: `(?:file://)?([^`\n]+)`\n")
SILENT = ("CONVERSATION_HISTORY",)
FAILED = ("ERROR", "FAILED")
SOURCES = ("USER_EXPLICIT", "SYSTEM", "MODEL")


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is a numbered step, with who took it."""
    return any(
        number(record.value, "step_index") is not None and word(record.value, "source") in SOURCES for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what a step tells."""
    value = record.value
    kind, words = word(value, "type"), text(value, "content")
    base = Said(kind, at=millis(at(value, "created_at")))
    if kind == "USER_INPUT":
        request = REQUEST.search(words)
        yield base._replace(kind=PROMPT, text=words if request is None else request[1])
        rest = "" if request is None else REQUEST.sub("", words, count=1).strip()
        yield base._replace(kind=PROMPT, text=rest, source="host")
    elif kind == "PLANNER_RESPONSE":
        calls = list(objects(value, "tool_calls"))
        if thought := text(value, "thinking"):
            yield base._replace(kind=THOUGHT, text=thought)
        yield base._replace(kind=TURN, text=words, stop="tool" if calls else "")
        for call in calls:
            yield base._replace(kind=CALL, name=word(call, "name"), arguments=_arguments(call.get("args")))
    elif kind == "CHECKPOINT":
        yield base._replace(kind=COMPACTION, text=words, exact=False)
    elif kind not in SILENT and word(value, "source") == "SYSTEM":
        yield base._replace(kind=PROMPT, text=words, source="host")
    elif kind and word(value, "source") == "MODEL":
        shown = SHOWN.match(words)
        given = {"path": shown[1]} if shown is not None else {}
        bad = word(value, "status") in FAILED
        yield base._replace(
            kind=RESULT, name=kind.lower(), arguments=given, text=words, outcome="error" if bad else "ok"
        )
    elif kind not in SILENT:
        yield base._replace(kind=UNKNOWN, name=f"type {kind}" if kind else "no type")


def _arguments(given: Any) -> Any:
    """Its texts are JSON in a text."""
    if not isinstance(given, dict):
        return given
    return {name: decoded(value, value) if isinstance(value, str) else value for name, value in given.items()}


FORMAT = chat_format("antigravity", "Antigravity", looks, said_in)
