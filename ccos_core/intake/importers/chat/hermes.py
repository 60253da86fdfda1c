"""Hermes: a session as one document, with messages as OpenAI's chat API has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import functions_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, millis, text, word
from ccos_core.intake.importers.record import Record

STOPS = {"stop": "end", "tool_calls": "tool", "length": "limit"}


def looks(records: Iterable[Record]) -> bool:
    """Whether a document names its session, and the platform on which it was held."""
    return {"session_id", "platform"} <= {record.name for record in records}


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells, or a field of the session."""
    value, name = record.value, record.name
    named = value if isinstance(value, str) else ""
    if name == "system_prompt":
        yield Said(PROMPT, named, source="host")
    elif name != "messages":
        yield Said(
            HEAD,
            session=named if name == "session_id" else "",
            model=named if name == "model" else "",
            at=millis(value) if name == "session_start" else None,
            cwd=text(value, "cwd") if name == "model_config" else "",
        )
    else:
        yield from _message(value)


def _message(value: object) -> Iterator[Said]:
    role, words = word(value, "role"), words_in(at(value, "content"))
    if role in ("user", "system"):
        yield Said(PROMPT, words, source="user" if role == "user" else "host")
    elif role == "assistant":
        thought = text(value, "reasoning_content") or text(value, "reasoning")
        if thought:
            yield Said(THOUGHT, thought)
        calls = list(functions_in(at(value, "tool_calls"), Said(TURN)))
        stop = STOPS.get(word(value, "finish_reason"), "tool" if calls else "")
        yield Said(TURN, words, stop=stop)
        yield from calls
    elif role == "tool":
        yield Said(RESULT, words, id=text(value, "tool_call_id"))
    elif role != "session_meta":
        yield Said(UNKNOWN, name=f"role {role}" if role else "no role")


FORMAT = chat_format("hermes", "Hermes", looks, said_in, document=True)
