"""Print what the user said in a recorded session, read from its raw JSON.

This is a second reading of "what the user said", written apart from the importers: it shares no code with them, so it
can judge them. Claude Code transcripts (also gzipped), Codex rollouts and OpenCode exports are read.

    python tests/bench/told/raw_words.py SESSION...      one line a sentence: id, channel, words

An id is `line:block:start-end`: the line of the record (for OpenCode the number of the message, from 0), the content
block within it, and the characters of that block's raw text.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

CHANNELS = ("prompt", "command", "queued", "withdrawn", "answer", "refusal", "plan", "subagent")
"""`command` is what follows a slash command; `withdrawn` was queued and never reached the agent; `plan` is
the reason for rejecting a plan; `subagent` the reason for refusing a subagent's call: the main agent doesn't see it."""

_REFUSED = re.compile(
    r"(?:The user doesn't want to (?:proceed with|take) this|Permission for this tool use was denied)"
    r"[\s\S]*?(?:[Tt]he user said|[Tt]he user provided the following reason for the rejection):\s"
)
_ARGUMENTS = re.compile(r"<command-args>([\s\S]*?)</command-args>")
_COMMAND = re.compile(r"/[\w:-]+(?=\s|\Z)")
_HOSTS = re.compile(
    r"<(system-reminder|ide_selection|ide_opened_file|local-command-stdout|local-command-stderr|local-command-caveat|"
    r"command-name|command-message|bash-input|bash-stdout|bash-stderr|task-notification|user-prompt-submit-hook|"
    r"environment_context|user_instructions|permissions instructions)\b[\s\S]*?(?:</\1>|\Z)"
    r"|\[Request interrupted by user[^\]]*\]|\[Image #?\d*[^\]]*\]|\[Pasted text[^\]]*\]"
)
_HOST_TEXTS = (
    "This session is being continued from a previous conversation",
    "Caveat: The messages below",
    "Operation stopped by hook:",
    "Implement the following plan:",
    "# AGENTS.md instructions",
)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.):]|#{1,6}|>)?[ \t]*")
_END = re.compile(r"[.!?…。]+[)\"'”’*_`]*(?=\s)")
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|incl|resp|approx|z\.B|d\.h|bzw)|\b[A-Z]|^\s*\d+)\.$")


class Spoken(NamedTuple):
    """Words of the user: characters `start` to `end` of the raw text of one block."""

    line: int
    block: int
    start: int
    end: int
    channel: str
    text: str

    @property
    def id(self) -> str:
        return f"{self.line}:{self.block}:{self.start}-{self.end}"


class _Block(NamedTuple):
    line: int
    number: int
    channel: str
    raw: str
    spans: list[tuple[int, int]]


def spoken(path: Path) -> Iterator[Spoken]:
    """Yield what the user said, by sentence or list item, in the order of the file."""
    for block in blocks(path):
        for first, last in block.spans:
            for start, end in _sentences(block.raw, first, last):
                yield Spoken(block.line, block.number, start, end, block.channel, block.raw[start:end])


def blocks(path: Path) -> Iterator[_Block]:
    """Yield the blocks of a session that hold words of the user."""
    if path.name.endswith(".json"):
        yield from _opencode(json.loads(path.read_bytes()))
        return
    records = list(_records(path))
    kinds = {record.get("type") for _, record in records}
    if kinds & {"session_meta", "event_msg"}:
        yield from _codex(records)
    elif "sanitization_notice" in kinds:
        for line, record in records:
            if record.get("role") == "user":
                yield _whole(line, -1, "prompt", record["text"])
    else:
        yield from _claude_code(records)


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    read = gzip.open if path.name.endswith(".gz") else open
    with read(path, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            yield from ((number, record) for record in _objects(line) if isinstance(record, dict))


def _objects(line: str) -> Iterator[Any]:
    """Yield the objects of a line: one, or several that a host wrote without a line break between them."""
    decoder, at = json.JSONDecoder(), 0
    while line := line[at:].lstrip():
        try:
            value, at = decoder.raw_decode(line)
        except ValueError:
            return
        yield value


def _claude_code(records: list[tuple[int, dict[str, Any]]]) -> Iterator[_Block]:
    tools: dict[str, str] = {}
    withdrawn = _withdrawn(records)
    for line, record in records:
        kind = record.get("type")
        if kind == "queue-operation" and record.get("operation") == "enqueue":
            yield _queued(line, str(record.get("content") or ""), line in withdrawn)
        if kind == "progress":
            yield from _of_progress(line, record)
        if kind not in ("user", "assistant") or record.get("isSidechain"):
            continue
        content = _content(record)
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        shift = -1 if isinstance(content, str) else 0
        for number, part in enumerate(parts):
            if part.get("type") == "tool_use":
                tools[part.get("id", "")] = part.get("name", "")
            elif kind == "user" and part.get("type") == "tool_result":
                yield from _of_result(line, number, part, tools.get(part.get("tool_use_id", ""), ""), record)
            elif kind == "user" and part.get("type") == "text" and not _of_host(record):
                yield _whole(line, number + shift, "prompt", part["text"])


def _content(record: dict[str, Any]) -> Any:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _of_progress(line: int, record: dict[str, Any]) -> Iterator[_Block]:
    """Yield the reasons for refusing a call that a subagent made."""
    inner = (record.get("data") or {}).get("message")
    parts = _content(inner) if isinstance(inner, dict) else None
    for number, part in enumerate(parts if isinstance(parts, list) else []):
        if part.get("type") == "tool_result":
            for block in _of_result(line, number, part, "", {}):
                yield block._replace(channel="subagent")


def _of_host(record: dict[str, Any]) -> bool:
    return bool(record.get("isMeta") or record.get("isCompactSummary") or record.get("sourceToolUseID"))


def _queued(line: int, words: str, withdrawn: bool) -> _Block:
    command = _COMMAND.match(words)
    channel = "withdrawn" if withdrawn else "command" if command else "queued"
    return _Block(line, -1, channel, words, [(command.end() if command else 0, len(words))])


def _withdrawn(records: list[tuple[int, dict[str, Any]]]) -> set[int]:
    """Return the lines of queued words that never left the queue, or went back into the input field."""
    waiting: list[int] = []
    back: list[int] = []
    for line, record in records:
        if record.get("type") == "queue-operation":
            operation = record.get("operation")
            if operation == "enqueue":
                waiting.append(line)
            elif operation == "popAll":
                back += waiting
                waiting.clear()
            elif operation in ("remove", "dequeue"):
                del waiting[:1]
    return {*back, *waiting}


def _of_result(line: int, number: int, part: dict[str, Any], tool: str, record: dict[str, Any]) -> Iterator[_Block]:
    content = part.get("content")
    text = content if isinstance(content, str) else "\n".join(piece.get("text", "") for piece in content or [])
    refused = _REFUSED.match(text) if part.get("is_error") else None
    if refused:
        spans = [(refused.end(), len(text))]
        yield _Block(line, number, "plan" if tool == "ExitPlanMode" else "refusal", text, spans)
    elif tool == "AskUserQuestion" and not part.get("is_error"):
        outcome = record.get("toolUseResult")
        answers = outcome.get("answers", {}) if isinstance(outcome, dict) else {}
        given = [answer for answer in answers.values() if isinstance(answer, str) and answer in text]
        spans = [(text.rindex(answer), text.rindex(answer) + len(answer)) for answer in given]
        yield _Block(line, number, "answer", text, sorted(spans))


def _whole(line: int, number: int, channel: str, text: str) -> _Block:
    arguments = _ARGUMENTS.search(text)
    if arguments and "<command-name>" in text:
        return _Block(line, number, "command", text, [arguments.span(1)])
    if text.startswith(_HOST_TEXTS):
        return _Block(line, number, channel, text, [])
    spans, at = [], 0
    for hosts in _HOSTS.finditer(text):
        spans.append((at, hosts.start()))
        at = hosts.end()
    return _Block(line, number, channel, text, [*spans, (at, len(text))])


def _codex(records: list[tuple[int, dict[str, Any]]]) -> Iterator[_Block]:
    told = any(record.get("payload", {}).get("type") == "user_message" for _, record in records)
    for line, record in records:
        payload = record.get("payload") or {}
        if payload.get("type") == "user_message":
            yield _whole(line, -1, "prompt", str(payload.get("message", "")))
        elif not told and payload.get("type") == "message" and payload.get("role") == "user":
            for number, part in enumerate(payload.get("content", [])):
                yield _whole(line, number, "prompt", str(part.get("text", "")))


def _opencode(session: dict[str, Any]) -> Iterator[_Block]:
    for line, message in enumerate(session.get("messages", [])):
        if message.get("info", {}).get("role") == "user":
            for number, part in enumerate(message.get("parts", [])):
                if part.get("type") == "text" and not part.get("synthetic"):
                    yield _whole(line, number, "prompt", part["text"])


def _sentences(raw: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences, list items and fenced blocks between two characters of a text."""
    at = first
    for fence in _FENCE.finditer(raw, first, last):
        yield from _lines(raw, at, fence.start())
        yield fence.span()
        at = fence.end()
    yield from _lines(raw, at, last)


def _lines(raw: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    at = first
    while at < last:
        end = raw.find("\n", at, last)
        end = last if end < 0 else end
        yield from _within(raw, _item_start(raw, at, end), end)
        at = end + 1


def _item_start(raw: str, at: int, end: int) -> int:
    item = _ITEM.match(raw, at, end)
    return item.end() if item else at


def _within(raw: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    start = at
    for stop in _END.finditer(raw, at, end):
        if not _SHORT.search(raw[start : stop.start() + 1]):
            yield from _trimmed(raw, start, stop.end())
            start = stop.end()
    yield from _trimmed(raw, start, end)


def _trimmed(raw: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = raw[start:end]
    if any(letter.isalnum() for letter in words):
        yield start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def main(paths: Iterable[str]) -> None:
    for name in paths:
        path = Path(name)
        print(f"# {path.name}")
        for piece in spoken(path):
            print(f"{piece.id}\t{piece.channel}\t{' '.join(piece.text.split())}")


if __name__ == "__main__":
    main(sys.argv[1:])
