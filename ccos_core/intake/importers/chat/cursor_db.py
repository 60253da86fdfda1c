"""Cursor's conversations as its database has them, which `storage.agent_db` puts into one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, USAGE, Said
from ccos_core.intake.importers.fields import at, decoded, millis, number, text, word
from ccos_core.intake.importers.record import Record

USER, AGENT = 1, 2
"""Types of bubbles."""
OUTCOMES = {"completed": "ok", "error": "error", "cancelled": "interrupted", "rejected": "interrupted"}
SHOWN = ("contents", "output", "content")
"""Fields of a result in which the model was shown a text."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a document begins with a composer of Cursor's."""
    return any(record.name == "composer" and word(record.value, "composerId") for record in records)


def said_in(record: Record) -> Iterator[Said]:
    """Say what a bubble tells, or the composer that it stands in."""
    value = record.value
    if record.name == "composer":
        session, model = word(value, "composerId"), word(value, "modelConfig", "modelName")
        began = millis(at(value, "createdAt"))
        yield Said(HEAD, session=session, title=text(value, "name"), model=model, at=began)
        return
    name, kind = text(value, "bubbleId"), at(value, "type")
    base = Said(TURN, id=name, at=millis(at(value, "createdAt")))
    if kind == USER:
        yield base._replace(kind=PROMPT, text=text(value, "text"))
    elif kind == AGENT:
        yield from _reply(value, base._replace(model=word(value, "modelInfo", "modelName")))
    else:
        yield base._replace(kind=UNKNOWN, name="type of a bubble")


def _reply(bubble: Any, base: Said) -> Iterator[Said]:
    thought = at(bubble, "thinking")
    if isinstance(thought, dict):
        words = text(thought, "text")
        took = number(bubble, "thinkingDurationMs")
        yield base._replace(kind=THOUGHT, text=words, sealed=not words, millis=took)
    words = text(bubble, "text")
    if words:
        yield base._replace(text=words)
    tool = at(bubble, "toolFormerData")
    call = text(tool, "toolCallId")
    if call:
        given = arguments_in(at(tool, "rawArgs")) or arguments_in(at(tool, "params"))
        yield base._replace(kind=CALL, id=call, name=word(tool, "name"), arguments=given)
        if word(tool, "status") in OUTCOMES:
            shown, outcome = _shown(text(tool, "result")), OUTCOMES[word(tool, "status")]
            yield base._replace(kind=RESULT, id=call, text=shown or text(tool, "error"), outcome=outcome)
    window = number(bubble, "tokenCount", "inputTokens") or 0
    yield base._replace(kind=USAGE, window=window, counts={"written": number(bubble, "tokenCount", "outputTokens")})


def _shown(result: str) -> str:
    told = decoded(result)
    return next((found for name in SHOWN if (found := text(told, name))), result)


FORMAT = chat_format("cursor", "Cursor's database", looks, said_in, document=True, bare_reads=True)
