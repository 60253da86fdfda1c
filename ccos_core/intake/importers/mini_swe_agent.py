"""mini-swe-agent: one document with every message of a run, in which the only tool is a shell.

A call is asked for by a tool call, by an item of a response, or by a block of shell in what the model said; its answer
is a message of its own. What ends a run (`exit`) answers the call it ended with, which nobody saw the output of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.importers.fields import at, decoded, micro_dollars, millis, number, objects, parts, text, word
from ccos_core.intake.importers.images import texts_and_images
from ccos_core.intake.importers.reasoning import thoughts_of_message
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

HOST = "mini-swe-agent"
SILENT = ("trajectory_format", "instance_id", "info")
"""Fields that tell nothing of what happened."""
MESSAGES = ("messages", "")
"""Where messages stand: in a list of that name, or in one that is all there is."""
_BLOCK = re.compile(
    r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```|<mswea_bash_command>(.*?)</mswea_bash_command>", re.DOTALL
)
_CODE = re.compile(r"<returncode>\s*(-?\d+)\s*</returncode>")
_ANSWER = re.compile(r"<returncode>\s*-?\d+\s*</returncode>\s*<(?:output|warning)>")
_OUTPUT = re.compile(r"<output>\n?(.*?)\n?</output>\s*\Z", re.DOTALL)
_HEAD_AND_TAIL = re.compile(
    r"<output_head>\n(.*?)</output_head>.*?<elided_chars>\s*(\d+).*?</elided_chars>\s*<output_tail>\n(.*?)</output_tail>",
    re.DOTALL,
)


def looks(records: Iterable[Record]) -> bool:
    """Whether a document says which agent wrote it, or its messages are as only this one writes them."""
    return any(_is_ours(record) for record in records)


class Reader(TellingReader):
    """Reads one run."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._index = 0
        """Of the message that is being read, from 1."""
        self._asked: dict[str, Any] = {}
        """Call → the message that asked for it, to know it again."""
        self._prompted = False

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        if record.name in MESSAGES and isinstance(record.value, dict):
            self._index += 1
            yield from self._message(record.value, record.line)
        elif record.name == "info":
            self._learn(record.value)
        elif record.name == "instance_id":
            self.origin.title = text(record.value) or self.origin.title
        elif record.name not in SILENT:
            self.tally.note(f"field {record.name}"[:200], record.line)

    # -- one way per kind of message ------------------------------------------------------------------------------

    def _message(self, message: dict[str, Any], line: int) -> Iterator[Observation]:
        where = self._where(message, line)
        role = word(message, "role") or word(message, "type") or word(message, "object")
        if role == "assistant" or (role == "response" and "output" in message):
            yield from self._turn(where, message)
        elif role in ("tool", "function_call_output"):
            yield from self._answer(where, message, _named(message))
        elif role == "user":
            yield from self._user(where, message)
        elif role == "system":
            yield from self._telling.prompt(where, _content(message), "host")
        elif role == "exit":
            yield from self._exit(where, message)
        else:
            self.tally.note(f"message {role or 'without a role'}", line)

    def _turn(self, where: Where, message: dict[str, Any]) -> Iterator[Observation]:
        response = at(message, "extra", "response") if "output" not in message else message
        model = word(response, "model")
        self.origin.uses(model)
        calls = list(_calls(message))
        for place, thought in enumerate(thoughts_of_message(message)):
            yield from self._telling.thought(where, thought.words, number=place, sealed=thought.sealed)
        yield from self._telling.turn(where, _said(message), model, _stop(response, bool(calls)))
        yield from self._usage(where, at(response, "usage"), model, micro_dollars(at(message, "extra", "cost")))
        self._ask(where, message, calls)

    def _usage(self, where: Where, usage: Any, model: str, cost: int | None) -> Iterator[Observation]:
        """Two spellings, one meaning: what is cached is part of what the model was given."""
        window = number(usage, "prompt_tokens") or number(usage, "input_tokens") or 0
        details = at(usage, "prompt_tokens_details") or at(usage, "input_tokens_details")
        cached = number(details, "cached_tokens")
        written = number(usage, "completion_tokens") or number(usage, "output_tokens")
        fresh = max(window - cached, 0) if cached is not None else None
        spent = at(usage, "completion_tokens_details") or at(usage, "output_tokens_details")
        counts = {"fresh": fresh, "cached": cached, "written": written, "cost": cost}
        counts["thinking"] = number(spent, "reasoning_tokens")
        yield from self._telling.usage(where, window, counts, model)

    def _ask(self, where: Where, message: dict[str, Any], calls: list[tuple[str, str, Any]]) -> None:
        for place, (said, name, arguments) in enumerate(calls):
            call = said or f"{where.id}:{place}"
            known = self._asked.get(call)
            if known == message:
                self.tally.note("message twice", where.line)
                continue
            if known is not None:  # an id that was given again
                call = f"{call}~{where.id}"
            self._asked[call] = message
            self._telling.asked(Call(replace(where, id=call), name, arguments))

    def _user(self, where: Where, message: dict[str, Any]) -> Iterator[Observation]:
        """What the user said, or the host; or, where a call is written into what is said, what it printed."""
        interrupted = word(message, "extra", "interrupt_type")
        waiting = next(iter(self._telling.waiting.values()), None)
        calls = list(_calls(message)) if at(message, "extra", "actions") is not None else []
        if waiting is not None and not interrupted and not calls:
            yield from self._answer(where, message, waiting.where.id)
            return
        if interrupted.startswith("User"):
            yield from self._ended(where, "interrupted")
        by_user = interrupted.startswith("User") or bool(calls) or not self._prompted
        self._prompted = True
        yield from self._telling.prompt(where, _content(message), "user" if by_user else "host")
        self._ask(where, message, calls)

    def _answer(self, where: Where, message: dict[str, Any], named: str) -> Iterator[Observation]:
        call = self._call(where, named)
        if call is None:
            self.tally.note("result without a call", where.line)
            return
        content = _content(message)
        outcome = _outcome(message, content)
        succeeded = {"ok": True, "error": False}.get(outcome)
        command, cwd = _command(call.arguments), where.cwd or "."
        text_of = partial(self._telling.files.text, cwd=cwd)
        effects = effects_of_command(command, _printed(message, content), succeeded, cwd, text_of)
        answered = replace(where, id=call.where.id)
        yield from self._telling.answered(answered, content, outcome, effects)

    def _exit(self, where: Where, message: dict[str, Any]) -> Iterator[Observation]:
        """The run is over. The last command said so itself, or whatever waits was never finished."""
        status = word(message, "extra", "exit_status")
        yield from self._ended(where, "ok" if status == "Submitted" else "interrupted")
        self.origin.ended = status or self.origin.ended
        yield from self._telling.ended(where, status, _content(message))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _ended(self, where: Where, outcome: str) -> Iterator[Observation]:
        """Whatever waits gets no answer any more."""
        for call in list(self._telling.waiting.values()):
            yield from self._telling.answered(replace(where, id=call.where.id), None, outcome)

    def _call(self, where: Where, named: str) -> Call | None:
        """The call that waits under a name. One that was given again waits under a longer one."""
        exact = self._telling.asked_for(where.session, named)
        longer = (call for (_, key), call in self._telling.waiting.items() if key.startswith(f"{named}~message:"))
        return exact or (next(longer, None) if named else None)

    def _where(self, message: dict[str, Any], line: int) -> Where:
        moment = millis(at(message, "extra", "timestamp"))
        moment = moment if moment is not None else millis(at(message, "timestamp"))
        if self.origin.started is None:
            self.origin.started = moment
        return Where(self.origin.session, f"message:{self._index}", moment, "", self.origin.cwd, line)

    def _learn(self, info: Any) -> None:
        self.origin.cwd = word(info, "config", "environment", "cwd") or self.origin.cwd
        if not self.origin.models:
            self.origin.uses(word(info, "config", "model", "model_name"))


FORMAT = Format(name=HOST, title="mini-swe-agent", document=True, looks=looks, reader=Reader)


def _is_ours(record: Record) -> bool:
    if record.name == "info":
        return at(record.value, "mini_version") is not None
    if record.name == "trajectory_format":
        return text(record.value).startswith(HOST)
    if record.name in MESSAGES and isinstance(record.value, dict):
        extra = at(record.value, "extra")
        if isinstance(extra, dict) and ("returncode" in extra or isinstance(extra.get("actions"), list)):
            return True
        return word(record.value, "role") == "user" and _ANSWER.match(text(record.value, "content")) is not None
    return False


def _calls(message: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(id, name, arguments) of what a message asks for; the id is empty where none is given."""
    if isinstance(message.get("tool_calls"), list) and message["tool_calls"]:
        for call in objects(message, "tool_calls"):
            yield text(call, "id"), word(call, "function", "name"), _arguments(at(call, "function", "arguments"))
    elif "output" in message:
        for item in objects(message, "output"):
            if item.get("type") == "function_call":
                yield text(item, "call_id") or text(item, "id"), word(item, "name"), _arguments(item.get("arguments"))
    elif isinstance(at(message, "extra", "actions"), list):
        for action in objects(message, "extra", "actions"):
            yield text(action, "tool_call_id"), "bash", {"command": text(action, "command")}
    else:
        blocks = ["".join(found) for found in _BLOCK.findall(_content(message))]
        if len(blocks) == 1:  # the host runs one, and refuses any other number
            yield "", "bash", {"command": blocks[0]}


def _arguments(said: Any) -> Any:
    return decoded(said, otherwise=said) if isinstance(said, str) else said


def _command(arguments: Any) -> str:
    return text(arguments, "command") if isinstance(arguments, dict) else text(arguments)


def _named(message: dict[str, Any]) -> str:
    return text(message, "tool_call_id") or text(message, "call_id")


def _said(message: dict[str, Any]) -> str:
    if "output" not in message:
        return _content(message)
    items = (item for item in objects(message, "output") if item.get("type") == "message")
    return "\n".join(said for item in items for said in parts(item, "content"))


def _content(message: dict[str, Any]) -> str:
    content = message.get("content", message.get("output"))
    return content if isinstance(content, str) else "\n".join(texts_and_images(message, "content"))


def _stop(response: Any, calls: bool) -> str:
    said = next((word(choice, "finish_reason") for choice in objects(response, "choices")), "")
    known = {"stop": "end", "tool_calls": "tool", "function_call": "tool", "length": "limit"}
    return "tool" if calls else known.get(said, "")


def _outcome(message: dict[str, Any], content: str) -> str:
    said = at(message, "extra", "returncode")
    said = at(_structured(content), "returncode") if said is None else said
    if said is None:
        code = _CODE.search(content)
        if code is None:
            return "error" if content.startswith("The last command") and "timed out" in content[:10_000] else "unknown"
        said = int(code[1]) if len(code[1]) < 20 else 1
    return "ok" if said == 0 and not isinstance(said, bool) else "error"


def _printed(message: dict[str, Any], content: str) -> str:
    """What the command printed, as far as the agent was shown it."""
    told = _structured(content)
    cut = _HEAD_AND_TAIL.search(content) if told is None else None
    if cut is not None:
        return _in_two(cut[1].removesuffix("\n"), cut[2], cut[3])
    if isinstance(at(told, "output_head"), str):
        return _in_two(told["output_head"], str(number(told, "elided_chars") or 0), text(told, "output_tail"))
    if told is not None:
        return text(told, "output")
    raw = at(message, "extra", "raw_output")
    if isinstance(raw, str) and raw.strip("\n") in content:
        return raw
    output = _OUTPUT.search(content)
    return output[1] if output is not None else content


def _structured(content: str) -> Any:
    """An answer that is an object with the output in it, as some settings have it; None for any other."""
    told = decoded(content) if content.startswith("{") else None
    return told if isinstance(told, dict) and "returncode" in told else None


def _in_two(head: str, left_out: str, tail: str) -> str:
    """An output without its middle. It was cut between two characters, so the last line before it may be a part."""
    return f"{head[: head.rfind(chr(10)) + 1]}[... {left_out} characters truncated ...]\n{tail}"
