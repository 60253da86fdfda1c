"""Goose: a session of its database, as `storage.agent_db` gives it: the session's row, then its messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, HEAD, NOTE, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, millis, objects, text, word
from ccos_core.intake.importers.record import Record

REQUESTS = ("toolRequest", "frontendToolRequest")
THOUGHTS = ("thinking", "redactedThinking")
NOTICES = ("systemNotification", "conversationCompacted", "summarizationRequested", "contextLengthExceeded")
CONFIRMATIONS = ("toolConfirmationRequest", "actionRequired")
"""What the screen asks the user about a call, which says nothing of its own."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a document has a session of Goose's database."""
    return any(record.name == "goose" and word(record.value, "id") for record in records)


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells, or the session that it stands in."""
    value = record.value
    if record.name == "goose":
        title = text(value, "name") or text(value, "description")
        began = millis(at(value, "created_at"))
        model = text(value, "model_config", "model_name")
        yield Said(HEAD, session=word(value, "id"), title=title, cwd=text(value, "working_dir"), at=began, model=model)
        return
    if record.name != "messages" or not isinstance(value, dict):
        return
    base = Said("", id=f"message {value.get('id')}", at=millis(at(value, "created_timestamp")))
    role, blocks = word(value, "role"), list(objects(value, "content"))
    yield from (_result(block, base) for block in blocks if word(block, "type") == "toolResponse")
    words = words_in([block for block in blocks if word(block, "type") in ("text", "image")])
    if role == "user":
        host = at(value, "metadata", "userVisible") is False
        if words:
            yield base._replace(kind=PROMPT, text=words, source="host" if host else "user")
    elif role == "assistant":
        yield from _reply(blocks, words, base)
    else:
        yield base._replace(kind=UNKNOWN, name=f"role {role}" if role else "no role")
    yield from _beside(blocks, base)


def _reply(blocks: list[dict[str, Any]], words: str, base: Said) -> Iterator[Said]:
    for place, block in enumerate(each for each in blocks if word(each, "type") in THOUGHTS):
        said = text(block, "thinking")
        yield base._replace(kind=THOUGHT, id=f"{base.id}:thought:{place}", text=said, sealed=not said)
    calls = [block for block in blocks if word(block, "type") in REQUESTS]
    if words or calls:
        yield base._replace(kind=TURN, text=words, stop="tool" if calls else "")
    for block in calls:
        call = at(block, "toolCall", "value")
        name, given = word(call, "name"), arguments_in(at(call, "arguments"))
        yield base._replace(kind=CALL, id=text(block, "id"), name=name, arguments=given)


def _result(block: dict[str, Any], base: Said) -> Said:
    """Say what a call gave: a list of contents, or in later versions an object that has it."""
    result = at(block, "toolResult")
    value = at(result, "value")
    shown = words_in(at(value, "content") if isinstance(value, dict) else value)
    failed = word(result, "status") != "success" or at(value, "isError") is True
    said = shown or text(result, "error")
    return base._replace(kind=RESULT, id=text(block, "id"), text=said, outcome="error" if failed else "ok")


def _beside(blocks: list[dict[str, Any]], base: Said) -> Iterator[Said]:
    """Say what the host showed the user, and what isn't known."""
    known = ("text", "image", "toolResponse", *REQUESTS, *THOUGHTS, *CONFIRMATIONS)
    for place, block in enumerate(blocks):
        kind = word(block, "type")
        if kind in NOTICES:
            yield base._replace(kind=NOTE, id=f"{base.id}:note:{place}", text=text(block, "msg") or kind)
        elif kind not in known:
            yield base._replace(kind=UNKNOWN, name=f"block {kind}" if kind else "no block")


FORMAT = chat_format("goose", "Goose", looks, said_in, document=True)
