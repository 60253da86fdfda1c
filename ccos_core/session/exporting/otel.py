"""Write sessions as OpenTelemetry spans of generative AI, in the JSON of OTLP: one line a span.

Each session is a trace: a span of the agent, one for each call of a model and each call of a tool. The messages of a
call are those that are new since the one before. What the conventions have no words for goes beside them in the
attribute `ccos`, which `import` takes back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.intake.importers.exported.carried import FIELDS, NAME, carried
from ccos_core.session.exporting.recorded import Leaving, Step
from ccos_core.values.canon import digest

NANOS = 1_000_000
LATEST = 9_223_372_036_854
"""The last millisecond that fits a span's clock."""
INTERNAL, CLIENT = 1, 3
"""Kinds of spans."""
FAILED = 2
PROVIDERS = {"claude": "anthropic", "gpt": "openai", "o1": "openai", "o3": "openai", "codex": "openai",
             "gemini": "gcp.gemini", "mistral": "mistral_ai", "grok": "x_ai", "deepseek": "deepseek"}  # fmt: skip
"""How the names of models begin → whose they are."""
FINISHED = {"end": "stop", "tool": "tool_call", "limit": "length", "error": "error"}
TALK = ("prompt", "thought", "turn", "usage")
ROLES = {"user": "user", "agent": "user"}
USAGE = {
    "gen_ai.usage.input_tokens": "window",
    "gen_ai.usage.output_tokens": "written",
    "gen_ai.usage.cache_read.input_tokens": "cached",
    "gen_ai.usage.cache_creation.input_tokens": "stored",
}
WITH_CALL = ("seen", "gone", "renamed")


@dataclass(slots=True)
class _Conversation:
    """A session, or a subagent's part of one, whose span is written when all is read."""

    first: int
    last: int
    parent: str


def write_otel(steps: Iterable[Step], write: Callable[[bytes], object], leaving: Leaving) -> None:
    """Write the steps of any number of sessions."""
    spans = _Spans(write)
    for step in steps:
        if step.said["kind"] not in FIELDS or not step.stream[1]:
            leaving.left_out[step.said["kind"]] += 1
            continue
        leaving.steps += 1
        spans.take(step)
    spans.end()


class _Spans:
    """Spans on their way out."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._open: list[Step] = []
        self._now = 0
        """The last moment that was named, in milliseconds."""
        self._conversations: dict[tuple[str, str, str], _Conversation] = {}

    def take(self, step: Step) -> None:
        """Add a recorded step to the span that is open, or to a new one."""
        if self._open and self._begins(step):
            self._close()
        self._open.append(step)

    def end(self) -> None:
        """Write what is open, and the spans of the agents."""
        self._close()
        for stream, each in self._conversations.items():
            host, session, context = stream
            attributes = {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": context or host or "unknown",
                "gen_ai.provider.name": host or "unknown",
            }
            span = _span(f"invoke_agent {context or host}".rstrip(), INTERNAL, session, attributes)
            self._put(stream, {**span, "spanId": _root(stream)}, each.parent, each.first, each.last)

    def _begins(self, step: Step) -> bool:
        kind, last = step.said["kind"], self._open[-1]
        if step.stream != last.stream:
            return True
        if kind in WITH_CALL:
            return last.said["kind"] not in ("tool", *WITH_CALL)
        if kind not in TALK or last.said["kind"] not in TALK:
            return True
        there = {each.said["kind"] for each in self._open}
        return kind in there & {"turn", "usage"} or (kind in ("prompt", "thought") and "turn" in there)

    def _close(self) -> None:
        if not self._open:
            return
        steps, self._open = self._open, []
        stream = steps[0].stream
        times = [at for each in steps if (at := each.said.get("at")) is not None and 0 <= at <= LATEST]
        first, last = (min(times), max(times)) if times else (self._now, self._now)
        self._now = last
        span = _of(steps, stream)
        said = steps[0].said
        if said["kind"] == "tool":
            first = max(first - said.get("millis", 0), 0)
        root = self._conversations.get(stream)
        if root is None:
            parent = _root((stream[0], stream[1], "")) if stream[2] else ""
            root = self._conversations[stream] = _Conversation(first, last, parent)
        root.first, root.last = min(root.first, first), max(root.last, last)
        span["attributes"][NAME] = _json(carried([(each.number, each.said) for each in steps], span["around"]))
        self._put(stream, {**span, "spanId": _id(stream, steps[0].number)}, _root(stream), first, last)

    def _put(self, stream: tuple[str, str, str], span: Mapping[str, Any], parent: str, first: int, last: int) -> None:
        written = {
            "traceId": digest(f"{stream[0]}\0{stream[1]}".encode("utf-8", "replace")).hex()[:32],
            "spanId": span["spanId"],
            **({"parentSpanId": parent} if parent else {}),
            "name": span["name"],
            "kind": span["kind"],
            "startTimeUnixNano": str(first * NANOS),
            "endTimeUnixNano": str(last * NANOS),
            "attributes": [{"key": name, "value": _value(value)} for name, value in span["attributes"].items()],
            **({"status": span["status"]} if "status" in span else {}),
        }
        resource = {"attributes": [{"key": "service.name", "value": _value(stream[0] or "unknown")}]}
        scoped = {"scope": {"name": "ccos-tui"}, "spans": [written]}
        line = {"resourceSpans": [{"resource": resource, "scopeSpans": [scoped]}]}
        self._write(_json(line).encode() + b"\n")


def _of(steps: list[Step], stream: tuple[str, str, str]) -> dict[str, Any]:
    """A span of recorded steps, without its times; `around` is what its attributes say once they are read."""
    said = [each.said for each in steps]
    first = said[0]
    if first["kind"] == "tool":
        return _tool(first, stream[1])
    if any(each["kind"] in TALK for each in said):
        return _chat(said, stream[1])
    return _span(first["kind"], INTERNAL, stream[1], {})


def _span(name: str, kind: int, session: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    around = {**attributes, "gen_ai.conversation.id": session}
    written = {key: _json(each) if isinstance(each, dict | list) else each for key, each in around.items()}
    return {"name": name, "kind": kind, "attributes": written, "around": around}


def _tool(said: Mapping[str, Any], session: str) -> dict[str, Any]:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": said["name"]}
    named = {"call": "gen_ai.tool.call.id", "arguments": "gen_ai.tool.call.arguments"}
    named["result"] = "gen_ai.tool.call.result"
    attributes |= {named[name]: said[name] for name in named if name in said}
    failed = said["outcome"] in ("error", "interrupted")
    attributes |= {"error.type": said["outcome"]} if failed else {}
    span = _span(f"execute_tool {said['name']}", INTERNAL, session, attributes)
    return {**span, "status": {"code": FAILED}} if failed else span


def _chat(said: list[dict[str, Any]], session: str) -> dict[str, Any]:
    """A call of a model: what is new before it, and what it gave."""
    model = next((each["model"] for each in said if "model" in each), "")
    provider = next((whose for begins, whose in PROVIDERS.items() if model.startswith(begins)), "unknown")
    attributes: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider}
    if model:
        attributes |= {"gen_ai.request.model": model, "gen_ai.response.model": model}
    asked = [
        {"role": ROLES.get(each["source"], "system"), "parts": [{"type": "text", "content": each["said"]}]}
        for each in said
        if each["kind"] == "prompt"
    ]
    parts = [
        {"type": "reasoning" if each["kind"] == "thought" else "text", "content": each["said"]}
        for each in said
        if each["kind"] in ("thought", "turn") and each.get("said")
    ]
    stop = next((FINISHED[each["stop"]] for each in said if each.get("stop") in FINISHED), "")
    attributes |= {"gen_ai.input.messages": asked} if asked else {}
    if parts:
        attributes["gen_ai.output.messages"] = [{"role": "assistant", "parts": parts, "finish_reason": stop or "stop"}]
    for each in said:
        if each["kind"] == "usage":
            attributes |= {name: each[field] for name, field in USAGE.items() if field in each}
    return _span(f"chat {model}".rstrip(), CLIENT, session, attributes)


def _value(value: Any) -> dict[str, Any]:
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": str(value)}


def _root(stream: tuple[str, str, str]) -> str:
    return _id(stream, 0)


def _id(stream: tuple[str, str, str], number: int) -> str:
    return digest(_json([*stream, number]).encode("utf-8", "replace")).hex()[:16]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
