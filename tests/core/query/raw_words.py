"""What users said in recorded sessions, read from the raw records without any of the importers.

The recordings lie beside the checkout and aren't part of the project. Each reader below knows one host's records and
yields (channel, text) of everything that a person wrote. Tags that hosts put around their own words are taken out by a
plain replacement, which is enough for what was recorded.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[4] / "shared"
FOLDERS = ("sessions/claude-code", "bench/compactions", "sessions/codex", "sessions/opencode", "sessions/more-formats")
FURTHER = ("sessions/real-hosts", "sessions/mini-swe-agent", "sessions/swe-agent")
TAGS = r"system-reminder|ide_opened_file|ide_selection|bash-input|bash-stdout|bash-stderr|command-name|command-message"
TAGGED = re.compile(rf"<({TAGS}|local-command-[a-z]+|task-notification)\b[^>]*>.*?</\1>", re.DOTALL)
IMAGE = re.compile(r"\[Image #\d+\]|\[Request interrupted by user[^\]]*\]|^Caveat: The messages below.*", re.DOTALL)
FILLER = "[trimmed for fixture]"
"""What stands for texts that were taken out of a recording."""
SUMMARY = "This session is being continued from"
REFUSED = "The user doesn't want to proceed", "Permission for this tool use was denied"
SAID = re.compile(r"(?:[tT]he user said:\n|The user provided the following reason for the rejection:)(.*)", re.DOTALL)
FENCE = re.compile(r"^\s*```[\w+-]*", re.MULTILINE)
HOST_OF_CODEX = re.compile(r"\s*(?:<[a-z_ ]+>|# AGENTS\.md instructions)", re.IGNORECASE)

Heard = tuple[str, str]


def recordings() -> list[Path]:
    """All recordings of hosts that have a reader, by path."""
    found = [path for folder in (*FOLDERS, *FURTHER) for path in sorted((SHARED / folder).rglob("*"))]
    return [path for path in found if path.suffix in (".jsonl", ".json", ".gz", ".traj") and _is_session(path)]


def said_in(path: Path, host: str) -> list[Heard]:
    """What the user said in a recording of a host."""
    return [
        (channel, FENCE.sub("", text)) for channel, text in _READERS[host](path) if text.strip() not in ("", FILLER)
    ]


def content_of(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


# -- readers of raw records -------------------------------------------------------------------------------------------


def _claude_code(path: Path) -> Iterator[Heard]:
    seen: set[str] = set()
    queue = _Queue()
    tools: dict[str, str] = {}
    for value in _lines(path):
        kind = value.get("type")
        if value.get("uuid") in seen:
            continue
        seen |= {value["uuid"]} if value.get("uuid") else set()
        content = (value.get("message") or {}).get("content") if isinstance(value.get("message"), dict) else None
        if kind == "assistant":
            tools |= {each.get("id"): each.get("name") for each in _blocks(content) if each.get("type") == "tool_use"}
        elif kind == "message" and value.get("role") == "user":
            yield "", "" if value["text"].startswith(SUMMARY) else _text(value["text"])
        elif kind in ("queue-operation", "attachment"):
            yield "queued", queue.left_by(value)
        elif kind == "user":
            yield from _user_of_claude_code(value, content, tools)
        elif kind == "progress" and value["data"].get("type") == "agent_progress":
            inner = value["data"]["message"]
            if inner["type"] == "user" and inner["uuid"] not in seen:
                seen.add(inner["uuid"])
                yield from _user_of_claude_code({**inner, "isSidechain": True}, inner["message"]["content"], tools)


class _Queue:
    """What was typed while the agent of Claude Code worked."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.told: list[str] = []

    def left_by(self, value: dict[str, Any]) -> str:
        """What reaches the agent with this record."""
        attachment, operation = value.get("attachment", {}), value.get("operation")
        words = ""
        if operation == "enqueue":
            self.waiting.append(value["content"])
        elif operation == "popAll":
            self.waiting = []
        elif operation and self.waiting:
            first = self.waiting.pop(0)
            words = first if operation == "remove" and not first.startswith("/") else ""
        elif attachment.get("type") == "queued_command" and attachment.get("commandMode") == "prompt":
            words = _text(attachment.get("prompt"))
            words = words if words not in self.told else ""
        self.told.append(words)
        return words


def _user_of_claude_code(value: dict[str, Any], content: Any, tools: dict[str, str]) -> Iterator[Heard]:
    for block in _blocks(content):
        if block.get("type") == "tool_result":
            text, answers = _text(block.get("content")), value.get("toolUseResult")
            if block.get("is_error") and text.startswith(REFUSED):
                yield "refusal", "".join(SAID.findall(text))
            if tools.get(block.get("tool_use_id")) == "AskUserQuestion" and isinstance(answers, dict):
                yield "answer", "\n".join(answers.get("answers", {}).values())
    flags = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isVirtual")
    typed = (value.get("origin") or {}).get("kind") if isinstance(value.get("origin"), dict) else value.get("origin")
    if any(value.get(flag) for flag in flags) or typed not in (None, "human"):
        return
    words = _plain(content)
    if words.startswith("Operation stopped by hook:") or "planContent" in value:
        return
    if "<command-name>" in words:
        yield "command", "".join(re.findall(r"<command-args>(.*)</command-args>", words, re.DOTALL))
    else:
        yield "", _text(content)


def _codex(path: Path) -> Iterator[Heard]:
    calls: dict[str, str] = {}
    events: list[str] = []
    items: list[str] = []
    for value in _lines(path):
        item = value.get("payload") if isinstance(value.get("payload"), dict) else value
        kind = item.get("type")
        if kind == "function_call":
            calls[item["call_id"]] = item["name"]
        elif kind == "function_call_output" and calls.get(item["call_id"]) == "request_user_input":
            answers = json.loads(item["output"])["answers"].values()
            yield "answer", "\n".join(each for answer in answers for each in answer["answers"])
        elif kind == "user_message":
            events.append(item["message"])
        elif kind == "message" and item.get("role") == "user":
            words = _text(item["content"])
            if not HOST_OF_CODEX.match(words):
                items.append(words)
                yield "", words
    # newer versions say it in items, and older ones in events as well
    yield from (("", words) for words in events if not any(words in item for item in items))


def _opencode(path: Path) -> Iterator[Heard]:
    for message in json.loads(content_of(path))["messages"]:
        for part in message["parts"]:
            if message["info"]["role"] == "user" and part["type"] == "text" and not part.get("synthetic"):
                yield "", part["text"]
            if part["type"] == "tool" and part["tool"] == "question":
                answers = part["state"].get("metadata", {}).get("answers", [])
                yield "answer", "\n".join(each for answer in answers for each in answer)


def _first_of_chat(path: Path) -> Iterator[Heard]:
    """What a benchmark gives to its agent once: the first message of the user that isn't a demonstration."""
    told = json.loads(content_of(path))
    messages = [each for each in told.get("messages", told.get("history", [])) if not each.get("is_demo")]
    yield "", _text(next(each["content"] for each in messages if each["role"] == "user"))


def _gemini(path: Path) -> Iterator[Heard]:
    """Each message as it was written last."""
    document = {} if path.suffix == ".jsonl" else json.loads(content_of(path))
    messages = document.get("messages") or list(_lines(path))
    messages += [each for value in messages for each in value.get("$set", {}).get("messages", ())]
    for message in {each.get("id"): each for each in messages}.values():
        words = _plain(message.get("displayContent") or message.get("content") or message.get("parts"))
        if message.get("type") == "user" and "This is the Gemini CLI" not in words:
            is_command = words.startswith("/")
            yield "command" if is_command else "", words.partition(" ")[2] if is_command else words


def _qwen(path: Path) -> Iterator[Heard]:
    for value in _lines(path):
        if value.get("type") == "user":
            words = value.get("systemPayload", {}).get("displayText") or _plain(value["message"]["parts"])
            yield "queued" if value.get("subtype") == "mid_turn_user_message" else "", words


def _chat(path: Path) -> Iterator[Heard]:
    """The messages of a user, wherever a chat has them, without what a host wrote into them."""
    document = {} if path.suffix == ".jsonl" else json.loads(content_of(path))
    yield from (("", each["message"]["text"]) for each in document.get("requests", ()))
    messages = document.get("messages") or document.get("history")
    for value in messages or (_lines(path) if not document else ()):
        inner = value.get("message") if isinstance(value.get("message"), dict) else value
        kind = value.get("type")
        if kind == "user.message":
            yield "", value["data"]["content"]
        elif kind == "user_input":
            yield "", value["user_input"]["user_response"]
        elif kind == "USER_INPUT":
            yield "", re.sub(r".*<USER_REQUEST>(.*)</USER_REQUEST>.*", r"\1", value["content"], flags=re.DOTALL)
        elif "user" in (inner.get("role"), value.get("role"), kind) and not value.get("synthetic_reason"):
            made = inner.get("origin", {}).get("kind") == "injection"
            words = [each["text"] for each in _blocks(inner.get("content")) if each.get("type") == "text"]
            own = [each for each in words if not each.startswith("<system-reminder>")]
            yield "", "" if made else re.sub(r"</?user_query>", "", "\n".join(own))


_READERS = {
    "gemini": _gemini,
    "qwen-code": _qwen,
    **dict.fromkeys(
        (
            "amp",
            "antigravity",
            "continue",
            "copilot-cli",
            "cursor",
            "droid",
            "grok",
            "hermes",
            "kimi",
            "pi",
            "vscode-copilot",
            "windsurf",
        ),
        _chat,
    ),
    "claude-code": _claude_code,
    "codex": _codex,
    "opencode": _opencode,
    "mini-swe-agent": _first_of_chat,
    "swe-agent": _first_of_chat,
}


# -- helpers ----------------------------------------------------------------------------------------------------------


def _is_session(path: Path) -> bool:
    return path.is_file() and "hook-events" not in str(path) and path.name != "ground_truth.json"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in content_of(path).decode("utf-8", "replace").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [each for each in content or () if isinstance(each, dict)]


def _plain(content: Any) -> str:
    return "\n".join(each.get("text", "") for each in _blocks(content) if "text" in each)


def _text(content: Any) -> str:
    return IMAGE.sub("", TAGGED.sub("", _plain(content)))
