"""GitHub Copilot in VS Code: a chat is one document of requests, each with the rounds of calls that answered it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, THOUGHT, TURN, Said
from ccos_core.intake.importers.fields import at, millis, objects, parts, text, word
from ccos_core.intake.importers.record import Record


def looks(records: Iterable[Record]) -> bool:
    """Whether a document names Copilot as who responds, or has requests with a message and a response."""
    return any(
        (record.name == "responderUsername" and record.value == "GitHub Copilot")
        or (record.name == "requests" and isinstance(at(record.value, "response"), list))
        for record in records
    )


def said_in(record: Record) -> Iterator[Said]:
    """Say what a request tells, or a field of the chat."""
    value = record.value
    if record.name != "requests":
        named = value if isinstance(value, str) else ""
        begun = millis(value) if record.name == "creationDate" else None
        session, title = named * (record.name == "sessionId"), named * (record.name == "customTitle")
        yield Said(HEAD, session=session, title=title, at=begun)
        return
    base = Said(TURN, id=word(value, "requestId"), at=millis(at(value, "timestamp")), model=word(value, "modelId"))
    yield Said(HEAD, cwd=_folder(value))
    yield base._replace(kind=PROMPT, text=text(value, "message", "text"))
    sent = "\n".join(parts(value, "result", "metadata", "renderedUserMessage"))
    yield base._replace(kind=PROMPT, id=f"{base.id}:sent", text=sent, source="host")
    rounds = list(objects(value, "result", "metadata", "toolCallRounds"))
    results = at(value, "result", "metadata", "toolCallResults")
    for place, each in enumerate(rounds):
        yield from _round(each, results, base._replace(id=f"{base.id}:{place}"))
    if not rounds:
        stop = "interrupted" if at(value, "isCanceled") is True else "end"
        words = "".join(text(part, "value") for part in objects(value, "response") if "kind" not in part)
        yield base._replace(id=f"{base.id}:0", text=words, stop=stop)


def _round(told: Any, results: Any, base: Said) -> Iterator[Said]:
    if thought := text(told, "thinking", "text"):
        yield base._replace(kind=THOUGHT, text=thought)
    calls = list(objects(told, "toolCalls"))
    yield base._replace(text=text(told, "response"), stop="tool" if calls else "end")
    for place, call in enumerate(calls):
        name = text(call, "id") or f"{base.id}:call:{place}"
        arguments = arguments_in(call.get("arguments"))
        yield base._replace(kind=CALL, id=name, name=word(call, "name"), arguments=arguments)
        result = at(results, name)
        if result is not None:
            shown = "".join(_words(part.get("value")) for part in objects(result, "content"))
            yield base._replace(kind=RESULT, id=name, text=shown)


def _words(value: Any) -> str:
    """The words of a result: a text, or a tree whose leaves are texts."""
    if isinstance(value, str):
        return value
    found: list[str] = []
    waiting = [at(value, "node")]
    while waiting:
        node = waiting.pop()
        if said := text(node, "text"):
            found.append(("\n" if at(node, "lineBreakBefore") is True and found else "") + said)
        waiting += list(objects(node, "children"))[::-1]
    return "".join(found)


def _folder(request: Any) -> str:
    """The workspace's folder, to which the links of an answer are relative."""
    folders = (text(part, "baseUri", "path") for part in objects(request, "response"))
    return next(filter(None, folders), "").rstrip("/")


FORMAT = chat_format("vscode-copilot", "Copilot in VS Code", looks, said_in, document=True)
