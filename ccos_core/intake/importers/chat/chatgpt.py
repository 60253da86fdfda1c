"""ChatGPT's export: one list of conversations, each a tree of messages of which one line is the last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, millis, objects, text, word
from ccos_core.intake.importers.record import Record

EVERYONE = ("", "all")
"""Whom an answer is for; a message of the assistant for anybody else is a call."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is a conversation."""
    return any(not record.name and _is_conversation(record.value) for record in records)


def said_in(record: Record) -> Iterator[Said]:
    """Say what a conversation tells, along the line that was shown last."""
    value = record.value
    if record.name:
        return
    if not _is_conversation(value):
        yield Said(UNKNOWN, name="no conversation")
        return
    session = word(value, "conversation_id") or word(value, "id")
    yield Said(HEAD, session=session, title=word(value, "title"), at=millis(at(value, "create_time")))
    waiting = ""
    for node in _line(value["mapping"], word(value, "current_node")):
        for said in _message(at(node, "message"), waiting):
            waiting = said.id if said.kind == CALL else "" if said.kind == RESULT else waiting
            yield said


def _message(message: Any, waiting: str) -> Iterator[Said]:
    """Say what one message tells; what a tool gave is of the call that waits."""
    role, content = word(message, "author", "role"), at(message, "content")
    words = _words(content)
    model = word(message, "metadata", "model_slug")
    base = Said("", words, id=word(message, "id"), at=millis(at(message, "create_time")), model=model)
    hidden = at(message, "metadata", "is_visually_hidden_from_conversation") is True
    if not words and role in ("", "system", "user", "assistant"):
        return
    if role in ("user", "system"):
        yield base._replace(kind=PROMPT, source="user" if role == "user" and not hidden else "host", model="")
    elif role == "assistant" and word(content, "content_type") in ("thoughts", "reasoning_recap"):
        yield base._replace(kind=THOUGHT)
    elif role == "assistant" and word(message, "recipient") not in EVERYONE:
        yield base._replace(kind=CALL, text="", name=word(message, "recipient"), arguments={"input": words})
    elif role == "assistant":
        yield base._replace(kind=TURN, stop="" if at(message, "end_turn") is not True else "end")
    elif role == "tool":
        yield base._replace(kind=RESULT, id=waiting or base.id, name="" if waiting else word(message, "author", "name"))
    else:
        yield base._replace(kind=UNKNOWN, name=f"role {role}")


def _words(content: Any) -> str:
    """Return the text of a message; what isn't text as a line in brackets."""
    parts = at(content, "parts")
    if isinstance(parts, list):
        return "\n".join(filter(None, map(_part, parts)))
    thoughts = "\n\n".join(text(each, "content") for each in objects(content, "thoughts"))
    return text(content, "text") or text(content, "result") or text(content, "content") or thoughts


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    kind = word(part, "content_type")
    return text(part, "text") or (f"[{kind}]" if kind else json.dumps(part, ensure_ascii=False) if part else "")


def _line(mapping: dict[str, Any], last: str) -> list[Any]:
    """Return the nodes from the root to the last one; of a tree that names none, those there are, in their order."""
    found: list[Any] = []
    seen: set[str] = set()
    while last and last in mapping and last not in seen:
        seen.add(last)
        found.append(mapping[last])
        last = word(mapping[last], "parent")
    return found[::-1] or list(mapping.values())


def _is_conversation(value: Any) -> bool:
    return isinstance(at(value, "mapping"), dict) and ("current_node" in value or "conversation_id" in value)


FORMAT = chat_format("chatgpt", "ChatGPT", looks, said_in)
