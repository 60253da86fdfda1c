"""Grok CLI: the history of a chat, one message a line, without names or times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import functions_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, parts, text, word
from ccos_core.intake.importers.record import Record

SILENT = ("backend_tool_call",)
FOLDER = re.compile(r"^Workspace Path: (\S.*)$", re.MULTILINE)


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is a message of the model with its fingerprint, or one whose words the host made up."""
    return any(
        (word(record.value, "type") == "assistant" and "model_id" in record.value)
        or (word(record.value, "type") == "user" and {"prompt_index", "synthetic_reason"} & set(record.value))
        for record in records
        if isinstance(record.value, dict)
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells."""
    value = record.value
    kind, words = word(value, "type"), words_in(at(value, "content"))
    if kind == "system":
        yield Said(PROMPT, words, source="host")
    elif kind == "user":
        made = word(value, "synthetic_reason")
        folder = FOLDER.search(words) if made else None
        if folder is not None:
            yield Said(HEAD, cwd=folder[1])
        yield Said(PROMPT, words, source="host" if made else "user")
    elif kind == "reasoning":
        yield Said(THOUGHT, "\n".join(parts(value, "summary")), sealed=bool(text(value, "encrypted_content")))
    elif kind == "assistant":
        model = word(value, "model_id")
        calls = list(functions_in(at(value, "tool_calls"), Said(TURN)))
        yield Said(TURN, words, model=model, stop="tool" if calls else "")
        yield from calls
    elif kind == "tool_result":
        yield Said(RESULT, words, id=text(value, "tool_call_id"))
    elif kind not in SILENT:
        yield Said(UNKNOWN, name=f"type {kind}" if kind else "no type")


FORMAT = chat_format("grok", "Grok CLI", looks, said_in, bare_reads=True)
