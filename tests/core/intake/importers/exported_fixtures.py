"""Sessions as `export` writes them for other programs, and as other programs write the same formats."""

import json
from typing import Any

from ccos_core.session.exporting.atif import write_atif
from ccos_core.session.exporting.otel import write_otel
from ccos_core.session.exporting.recorded import Leaving, Step

AT = 1_767_323_045_000
OF = {"host": "codex", "session": "s1", "at": AT}
SAID: tuple[dict[str, Any], ...] = (
    {"kind": "prompt", "actor": "user", "call": "p1", "said": "Fix it.", "source": "user"},
    {"kind": "thought", "actor": "agent", "call": "m1", "said": "Hm."},
    {"kind": "turn", "actor": "agent", "call": "m1", "said": "I look.", "model": "m-1", "stop": "tool"},
    {"kind": "usage", "actor": "agent", "call": "m1", "window": 100, "written": 9, "cached": 40},
    {"kind": "tool", "actor": "agent", "call": "c1", "name": "read_file", "arguments": {"path": "/w/a.py"},
     "outcome": "ok", "result": "one\ntwo\n", "millis": 5},
    {"kind": "seen", "actor": "agent", "call": "c1", "path": "/w/a.py", "how": "read", "content": "one\ntwo\n"},
    {"kind": "prompt", "actor": "agent", "call": "p2", "context": "sub", "said": "Look around.", "source": "agent"},
    {"kind": "turn", "actor": "agent", "call": "m2", "context": "sub", "said": "Nothing there."},
    {"kind": "compaction", "actor": "host", "call": "k1", "trigger": "auto", "exact": True, "kept": ["p1"],
     "before": 100, "after": 20, "summary": "All so far: one file was read."},
    {"kind": "tool", "actor": "agent", "call": "c2", "name": "shell", "arguments": {"command": "make"},
     "outcome": "error", "result": "boom"},
    {"kind": "turn", "actor": "agent", "call": "m3", "said": "Done.", "stop": "end"},
)  # fmt: skip


def steps() -> list[Step]:
    return [Step(number, {**OF, **said}) for number, said in enumerate(SAID, 2)]


def atif() -> dict[str, Any]:
    parts: list[bytes] = []
    write_atif(steps(), parts.append, Leaving())
    found: dict[str, Any] = json.loads(b"".join(parts))
    return found


def otel() -> dict[str, Any]:
    parts: list[bytes] = []
    write_otel(steps(), parts.append, Leaving())
    return {"resourceSpans": [each for part in parts for each in json.loads(part)["resourceSpans"]]}


def atif_of_another() -> dict[str, Any]:
    call = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "make"}}
    return {
        "schema_version": "ATIF-v1.4",
        "session_id": "s2",
        "agent": {"name": "harbor-agent", "version": "1", "model_name": "m-1"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "Be brief."},
            {"step_id": 2, "source": "user", "message": "Fix it.", "timestamp": "2026-01-02T03:04:05Z"},
            {"step_id": 3, "source": "agent", "message": "I look.", "reasoning_content": "Hm.", "tool_calls": [call],
             "observation": {"results": [{"source_call_id": "c1", "content": "made"}]},
             "metrics": {"prompt_tokens": 100, "completion_tokens": 9, "cached_tokens": 40, "cost_usd": 0.001}},
            {"step_id": 4, "source": "agent", "message": "Done."},
        ],
    }  # fmt: skip


def _span(number: int, name: str, **attributes: Any) -> dict[str, Any]:
    def value(said: Any) -> dict[str, Any]:
        if isinstance(said, int):
            return {"intValue": str(said)}
        return {"stringValue": said if isinstance(said, str) else json.dumps(said)}

    began = (AT + number) * 1_000_000
    named = {"traceId": "t1", "spanId": f"{number:016x}", "name": name}
    times = {"startTimeUnixNano": str(began), "endTimeUnixNano": str(began + 500_000)}
    return {**named, **times, "attributes": [{"key": key, "value": value(each)} for key, each in attributes.items()]}


def _spans(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [each]}]} for each in spans]}


def otel_of_another() -> dict[str, Any]:
    """Today's convention: lists of messages with parts; a history is sent again with each call."""

    def message(role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"role": role, "parts": list(parts), **more}

    asked = message("user", {"type": "text", "content": "Fix it."})
    call = {"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"command": "make"}}
    turned = message("assistant", {"type": "text", "content": "I look."}, call, finish_reason="tool_call")
    answered = message("tool", {"type": "tool_call_response", "id": "c1", "response": "made"})
    done = message("assistant", {"type": "text", "content": "Done."}, finish_reason="stop")
    chat = {"gen_ai.operation.name": "chat", "gen_ai.conversation.id": "s3", "gen_ai.request.model": "m-1"}
    usage = {"gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 9}
    first = {**chat, **usage, "gen_ai.input.messages": [asked], "gen_ai.output.messages": [turned]}
    then = {**chat, **usage, "gen_ai.input.messages": [asked, turned, answered], "gen_ai.output.messages": [done]}
    return _spans(_span(1, "chat m-1", **first), _span(9, "chat m-1", **then))


def otel_numbered() -> dict[str, Any]:
    """As OpenInference numbers messages and calls."""
    asked, answered = "llm.input_messages.0.message", "llm.output_messages.0.message"
    call = f"{answered}.tool_calls.0.tool_call"
    first = {
        "openinference.span.kind": "LLM", "session.id": "s4", "llm.model_name": "m-1",
        f"{asked}.role": "user", f"{asked}.content": "Fix it.",
        f"{answered}.role": "assistant", f"{answered}.content": "I look.", f"{call}.id": "c1",
        f"{call}.function.name": "bash", f"{call}.function.arguments": '{"command": "make"}',
        "llm.token_count.prompt": 100, "llm.token_count.completion": 9,
    }  # fmt: skip
    tool = {"openinference.span.kind": "TOOL", "session.id": "s4", "tool.name": "bash", "gen_ai.tool.call.id": "c1",
            "input.value": '{"command": "make"}', "output.value": "made"}  # fmt: skip
    agent = {"openinference.span.kind": "AGENT", "session.id": "s4"}
    return _spans(_span(0, "agent", **agent), _span(1, "ChatCompletion", **first), _span(5, "bash", **tool))
