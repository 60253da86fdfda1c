"""Spans of generative AI in OpenTelemetry's JSON: calls of a model, of an agent and of its tools.

A file holds one document or one a line, each with spans of any number of conversations. Most programs send the whole
history with each call of a model, so a message is known again by what it says and how often it was said before. The
spans that `export` wrote carry what they were recorded as, and are told as that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in
from ccos_core.intake.importers.chat.reader import ChatReader
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, USAGE, Said
from ccos_core.intake.importers.exported.carried import NAME, Carried
from ccos_core.intake.importers.exported.spans import attributes_of, messages_of
from ccos_core.intake.importers.fields import at, micro_dollars, number, objects, text, word
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.values.canon import digest

HOST = "otel"
CALLS = frozenset({"chat", "text_completion", "generate_content"})
AROUND = frozenset({"invoke_agent", "create_agent", "invoke_workflow", "embeddings"})
"""Operations whose messages are those of the calls in them."""
CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id", "langsmith.trace.session_id")
MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
NANOS = 1_000_000
STOPS = {
    "stop": "end", "end_turn": "end", "tool_call": "tool", "tool_calls": "tool", "tool_use": "tool",
    "length": "limit", "max_tokens": "limit", "error": "error",
}  # fmt: skip
Span = dict[str, Any]


def looks(records: Iterable[Record]) -> bool:
    """Whether a document holds spans, and one of them is of a call of a model, an agent or a tool."""
    return any(
        attributes.keys() & {"gen_ai.operation.name", "openinference.span.kind", "gen_ai.system", NAME}
        for record in records
        if record.name == "resourceSpans"
        for span in _spans(record.value)
        for attributes in (attributes_of(span),)
    )


def _spans(resource: Any) -> list[Span]:
    """The spans of a resource, the earliest first."""
    found = [span for scope in objects(resource, "scopeSpans") for span in objects(scope, "spans")]
    return sorted(found, key=lambda span: (_nanos(span, "startTimeUnixNano"), _nanos(span, "endTimeUnixNano")))


def _nanos(span: Span, name: str) -> int:
    """A moment, which is mostly written as a text, as its numbers are too large for JSON."""
    said = span.get(name)
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= 19:
        return int(said)
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 2**63 else 0


def _millis(span: Span, name: str) -> int | None:
    return _nanos(span, name) // NANOS or None


class SpansSaid:
    """Says what spans tell, one by one; of a record as a whole nothing."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        """Session → its first call of a model."""

    def __call__(self, record: Record) -> Iterator[Said]:
        """Say what a span tells."""
        if record.name != "span":
            return
        attributes = attributes_of(record.value)
        named = next((said for each in CONVERSATIONS if (said := text(attributes, each))), "")
        session = named or text(record.value, "traceId")
        kind = _operation(attributes)
        span = text(record.value, "spanId")
        is_first = kind in CALLS and self._first.setdefault(session, span) == span
        yield from _said(record.value, kind, session, attributes, is_first=is_first)


def _said(span: Any, kind: str, session: str, attributes: Mapping[str, Any], *, is_first: bool) -> Iterator[Said]:
    name = text(span, "spanId")
    base = Said(PROMPT, id=name, at=_millis(span, "startTimeUnixNano"))
    yield Said(HEAD, session=session, at=base.at)
    if kind in CALLS:
        base = base._replace(
            model=word(attributes, "gen_ai.response.model") or word(attributes, "gen_ai.request.model")
        )
        yield from _call(span, attributes, base, is_first=is_first)
    elif kind == "execute_tool":
        yield from _tool(span, attributes, base)
    elif kind and kind not in AROUND:
        yield base._replace(kind=UNKNOWN, name=f"operation {kind}")


def _operation(attributes: Mapping[str, Any]) -> str:
    """What a span is of, in the words of today's conventions."""
    said = word(attributes, "gen_ai.operation.name")
    return (
        said
        or KINDS.get(word(attributes, "openinference.span.kind"), "")
        or ("chat" if "gen_ai.system" in attributes else "")
    )


KINDS = {"LLM": "chat", "TOOL": "execute_tool", "AGENT": "invoke_agent", "CHAIN": "invoke_workflow"}
"""What OpenInference calls a span."""


def _call(span: Span, attributes: Mapping[str, Any], base: Said, *, is_first: bool) -> Iterator[Said]:
    """The messages that went to a model and came from it, as far as they are new, and the tokens. A call after the
    first that sends no history sends new messages only, whatever was said before."""
    asked, answered = messages_of(attributes, "input"), messages_of(attributes, "output")
    has_history = any(word(each, "role") in ("assistant", "model") for each in asked)
    names = _Names("" if has_history or is_first else f"{base.id}:")
    system = attributes.get("gen_ai.system_instructions")
    for part in objects({"": system}, ""):
        if words := text(part, "content"):
            yield base._replace(
                text=words, source="host", id=f"system:{digest(words.encode('utf-8', 'replace')).hex()[:16]}"
            )
    for message in asked:
        yield from _message(message, base._replace(id=names.of(message)))
    ended = _millis(span, "endTimeUnixNano") or base.at
    for message in answered:
        yield from _message({"role": "assistant", **message}, base._replace(id=names.of(message), at=ended))
    yield from _usage(attributes, base._replace(at=ended))


def _digest(said: str) -> str:
    return digest(said.encode("utf-8", "replace")).hex()[:16]


class _Names:
    """Names of messages: the same for the same message, however often a history is sent."""

    def __init__(self, before: str) -> None:
        self._before = before
        self._times: Counter[str] = Counter()

    def of(self, message: Mapping[str, Any]) -> str:
        parts = json.dumps(message.get("parts"), sort_keys=True, ensure_ascii=False)
        role = word(message, "role")
        said = _digest(f"{'assistant' if role == 'model' else role} {parts}")
        self._times[said] += 1
        own = "" if role == "assistant" else self._before
        return f"{own}message:{said}:{self._times[said]}"


def _message(message: Mapping[str, Any], base: Said) -> Iterator[Said]:
    role, parts = word(message, "role"), list(objects(message, "parts"))
    thoughts = [text(each, "content") for each in parts if word(each, "type") in ("reasoning", "thinking")]
    words = "\n".join(filter(None, (text(each, "content") for each in parts if word(each, "type") == "text")))
    calls = [each for each in parts if word(each, "type") == "tool_call"]
    for place, thought in enumerate(thoughts):
        yield base._replace(kind=THOUGHT, id=f"{base.id}:thought:{place}", text=thought, sealed=not thought)
    if role in ("assistant", "model"):
        stop = STOPS.get(word(message, "finish_reason"), "tool" if calls else "")
        yield base._replace(kind=TURN, text=words, stop=stop)
    elif words:
        yield base._replace(text=words, source="user" if role == "user" else "host")
    for place, call in enumerate(calls):
        name = text(call, "id") or f"{base.id}:call:{place}"
        given = arguments_in(call.get("arguments"))
        yield base._replace(kind=CALL, id=name, name=word(call, "name"), arguments=given)
    for part in parts:
        if word(part, "type") == "tool_call_response":
            result = part["response"] if "response" in part else part.get("result")
            yield base._replace(kind=RESULT, id=text(part, "id"), text=_shown(result))


def _tool(span: Span, attributes: Mapping[str, Any], base: Said) -> Iterator[Said]:
    """A call of a tool. Without a result it may still come with a message, unless nothing was written down at all."""
    given = arguments_in(attributes.get("gen_ai.tool.call.arguments", attributes.get("input.value")))
    result = attributes.get("gen_ai.tool.call.result", attributes.get("output.value"))
    name = text(attributes, "gen_ai.tool.call.id") or f"span:{base.id}"
    called = word(attributes, "gen_ai.tool.name") or word(attributes, "tool.name") or word(span, "name")
    failed = bool(word(attributes, "error.type")) or at(span, "status", "code") in (2, "STATUS_CODE_ERROR")
    yield base._replace(kind=CALL, id=name, name=called, arguments=given)
    if result is not None or failed or given is None or name.startswith("span:"):
        began, ended = _millis(span, "startTimeUnixNano"), _millis(span, "endTimeUnixNano")
        took = ended - began if began and ended and ended >= began else None
        shown = _shown(result) or (text(span, "status", "message") if failed else "")
        outcome = "error" if failed else "ok"
        yield base._replace(kind=RESULT, id=name, text=shown, outcome=outcome, at=ended, millis=took)


def _shown(result: Any) -> str:
    if isinstance(result, str):
        return result
    return "" if result is None else json.dumps(result, ensure_ascii=False)


def _usage(attributes: Mapping[str, Any], base: Said) -> Iterator[Said]:
    def first(*names: str) -> int | None:
        return next((count for each in names if (count := number(attributes, each)) is not None), None)

    window = first("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt") or 0
    cached = first("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens")
    stored = first("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens")
    written = first("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
    fresh = max(window - cached - (stored or 0), 0) if cached is not None else None
    cost = micro_dollars(attributes.get("gen_ai.usage.cost"))
    counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": written, "cost": cost}
    yield base._replace(kind=USAGE, id=f"{base.id}:usage", window=window, counts=counts)


class OtelReader(ChatReader):
    """Reads spans."""

    def __init__(self, session: str) -> None:
        super().__init__(HOST, SpansSaid(), True, False, session)
        self._carried = Carried(self.tally, self.origin)

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        before = self.tally.records
        for span in _spans(record.value) if record.name == "resourceSpans" else ():
            attributes = attributes_of(span)
            whole = Record(record.line, attributes, "span")
            if steps := self._carried.steps(attributes.get(NAME), whole):
                self.origin.session = text(steps[0][1], "session") or self.origin.session
                yield from self._carried.in_turn(steps)
            elif NAME not in attributes:
                self._telling.host = word(attributes, "gen_ai.agent.name") or self._telling.host
                yield from super().feed(Record(record.line, span, "span"))
        self.tally.records = before


FORMAT = Format("otel", "OpenTelemetry spans", True, looks, OtelReader)
