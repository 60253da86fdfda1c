"""Windsurf's transcripts: one step a line, with what was asked and what came of it in one record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import PROMPT, RESULT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, text, word
from ccos_core.intake.importers.record import Record

NAMES = {"code_action": "write_file", "view_file": "read_file"}
"""Types of steps → the tools that they are elsewhere."""
RESULTS = ("content", "output", "new_content", "original_content")
"""Fields of a step that aren't what was asked for."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is a step whose type names the field in which it is told."""
    return any(
        word(record.value, "status") and isinstance(at(record.value, word(record.value, "type") or " "), dict)
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what a step tells."""
    kind = word(record.value, "type")
    step = at(record.value, kind or " ")
    if not isinstance(step, dict):
        yield Said(UNKNOWN, name=f"type {kind}" if kind else "no type")
    elif kind == "user_input":
        yield Said(PROMPT, text(step, "user_response"))
    elif kind == "planner_response":
        yield Said(TURN, text(step, "response"))
    else:
        given = {name: value for name, value in step.items() if name not in RESULTS}
        given["path"] = text(step, "path").removeprefix("file://")
        if kind == "code_action":
            given["content"] = text(step, "new_content")
        shown = text(step, "content") or text(step, "output")
        bad = word(record.value, "status") == "error" or step.get("exit_code") not in (None, 0)
        outcome = "interrupted" if step.get("user_rejected") is True else "error" if bad else "ok"
        before = {"before": step.get("original_content")}
        yield Said(
            RESULT, shown, name=NAMES.get(kind, kind), arguments=json.loads(json.dumps(given)), outcome=outcome,
            noted=before, cwd=text(step, "cwd"),
        )  # fmt: skip


FORMAT = chat_format("windsurf", "Windsurf", looks, said_in)
