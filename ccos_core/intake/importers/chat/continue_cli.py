"""Continue: a session is one document; each of its messages has the calls it made beside what they gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import functions_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, objects, text, word
from ccos_core.intake.importers.record import Record

OUTCOMES = {"done": "ok", "errored": "error", "canceled": "interrupted"}


def looks(records: Iterable[Record]) -> bool:
    """Whether an item of a history is a message with what was attached to it."""
    return any(
        record.name == "history" and word(record.value, "message", "role") and "contextItems" in record.value
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what an item of the history tells, or a field of the session."""
    value = record.value
    if record.name != "history":
        named = value if isinstance(value, str) else ""
        yield Said(
            HEAD,
            session=named if record.name == "sessionId" else "",
            title=named if record.name == "title" else "",
            cwd=named if record.name == "workspaceDirectory" else "",
        )
        return
    message = at(value, "message")
    role, words = word(message, "role"), words_in(at(message, "content"))
    if role in ("user", "system"):
        yield Said(PROMPT, words, source="user" if role == "user" else "host")
        for item in objects(value, "contextItems"):
            yield Said(PROMPT, text(item, "content"), source="host")
    elif role == "thinking":
        yield Said(THOUGHT, words)
    elif role == "assistant":
        calls = list(functions_in(at(message, "toolCalls"), Said(TURN)))
        yield Said(TURN, words, stop="tool" if calls else "")
        yield from calls
        for state in objects(value, "toolCallStates"):
            if word(state, "status") in OUTCOMES:
                shown = "\n".join(text(each, "content") for each in objects(state, "output"))
                ended = Said(RESULT, shown, id=text(state, "toolCallId"))
                yield ended._replace(outcome=OUTCOMES[word(state, "status")])
    elif role != "tool":  # which repeats what the call's state says
        yield Said(UNKNOWN, name=f"role {role}" if role else "no role")


FORMAT = chat_format("continue", "Continue", looks, said_in, document=True, bare_reads=True)
