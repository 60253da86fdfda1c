"""What the window of Claude Code held, told from its raw transcript alone.

This knows JSON and the words of a text and nothing else of the project: it is what `carriers` is compared with. A call
counts from the line of its result on, as it does in a record.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ccos_core.text.retrieval.carried import normalised_words

COLOURS = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z])?")
LINE_NUMBERS = re.compile(r"^ *\d+[→\t]", re.MULTILINE)
CLEAR = "<command-name>/clear</command-name>"
COUNTED = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
DROPS_THOUGHTS = re.compile(r"claude-(?:sonnet-4-5|haiku-4-5|sonnet-4-2|opus-4-[12])")
PATHS = ("file_path", "notebook_path")
BROUGHT_BACK = 5
"""Files, touched last, that the host may show again after a compaction."""


class RawText(NamedTuple):
    """One text that a window got."""

    line: int
    kind: str
    name: str
    """The call or the record."""
    parts: tuple[tuple[str, ...], ...]
    """Words; what stands in two parts doesn't stand together."""
    tokens: int = 0
    """Of a thought, about how many."""
    about: str = ""
    """Of a result, what its call was given."""

    def has(self, words: tuple[str, ...]) -> bool:
        size = len(words)
        return any(part[at : at + size] == words for part in self.parts for at in range(len(part) - size + 1))


@dataclass
class RawContext:
    """One stream: each text with the line at which it came and the line at which it went."""

    texts: list[tuple[RawText, int]] = field(default_factory=list)
    """All that ever were there; the line from which on it isn't, or a very large one."""
    waiting: dict[str, Any] = field(default_factory=dict)
    """Call without a result → its arguments."""
    count: int = 0
    """Tokens that the host counted last, since a cut."""
    falls: list[int] = field(default_factory=list)
    """Lines at which the host counted far less, and said of no cut."""
    asked: int = 0
    """The line of the last prompt."""
    touched: dict[str, None] = field(default_factory=dict)
    """Paths that calls named, the last one last."""
    brought: list[tuple[int, int, RawText]] = field(default_factory=list)
    """(first line, the line from which on not, text) of files that the host may have shown again after a cut."""

    def add(self, text: RawText) -> None:
        if any(text.parts):
            self.texts.append((text, FOREVER))

    def drop(self, line: int, names: set[str] | None = None) -> None:
        """Drop all texts, or those of some results."""
        self.count = 0
        if names is None:
            self.brought = [(first, min(end, line), text) for first, end, text in self.brought]
            last = list(self.touched)[-BROUGHT_BACK:]
            again = [text for text, end in self.texts if end == FOREVER and any(path in text.about for path in last)]
            self.brought += [(line, FOREVER, text) for text in again]
        for at, (text, end) in enumerate(self.texts):
            if end == FOREVER and (names is None or (text.kind == "result" and text.name in names)):
                self.texts[at] = text, line

    def there(self, line: int) -> list[RawText]:
        return [text for text, end in self.texts if text.line <= line < end]

    def maybe(self, line: int) -> list[RawText]:
        """Texts of files that the host may have shown again."""
        return [text for first, end, text in self.brought if first <= line < end]

    def is_sure(self, text: RawText, line: int) -> bool:
        """Whether no fall says that a text may be gone."""
        return not any(text.line < fall <= line for fall in self.falls)

    def counted(self, line: int, tokens: int, model: str) -> None:
        """The host counted; models of some names don't get thoughts of earlier turns."""
        if DROPS_THOUGHTS.match(model):
            for at, (text, end) in enumerate(self.texts):
                if text.kind == "thought" and text.line < self.asked and end == FOREVER:
                    self.texts[at] = text, line
                    self.count = max(self.count - text.tokens, 0)
        if 10 * tokens < 9 * self.count:
            self.falls.append(line)
        self.count = tokens


FOREVER = 10**9


class RawSession:
    """A transcript, read line by line."""

    def __init__(self, path: Path) -> None:
        self.contexts: dict[str, RawContext] = {}
        self.named: dict[int, tuple[str, list[str]]] = {}
        """Line → (context, names by which a record calls what it tells)."""
        self._seen: set[str] = set()
        self._boundary: set[str] = set()
        self._counted: set[str] = set()
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
            for number, line in enumerate(file, 1):
                for value in _values(line):
                    self._read(number, value)

    def context(self, name: str) -> RawContext:
        return self.contexts.setdefault(name, RawContext())

    def _read(self, line: int, value: dict[str, Any]) -> None:
        kind = value.get("type")
        if kind == "progress" and value["data"].get("type") == "agent_progress":
            data = value["data"]
            for inner in [*data.get("normalizedMessages", []), data.get("message")]:
                if isinstance(inner, dict) and inner.get("type") in ("user", "assistant"):
                    self._message(line, {**inner, "isSidechain": True, "agentId": data["agentId"]})
        elif kind in ("user", "assistant"):
            self._message(line, value)
        elif kind == "system" and value.get("subtype") == "compact_boundary" and self._is_new(value):
            self._boundary.add(_stream(value))
        elif kind == "system" and value.get("subtype") == "microcompact_boundary" and self._is_new(value):
            self.context(_stream(value)).drop(line, set(value["microcompactMetadata"]["compactedToolIds"]))
        elif kind == "system" and value.get("subtype") == "local_command" and self._is_new(value):
            self._prompt(line, value, value["content"])

    def _is_new(self, value: dict[str, Any]) -> bool:
        name = value.get("uuid", "")
        known = name in self._seen
        self._seen.add(name)
        return not (known and name)

    def _message(self, line: int, value: dict[str, Any]) -> None:
        if not self._is_new(value):
            return
        stream = _stream(value)
        context = self.context(stream)
        content = value["message"]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if stream in self._boundary and not value.get("isCompactSummary"):
            context.drop(line)
        self._boundary.discard(stream)
        names = [value.get("uuid", ""), f"prompt:{value.get('promptId', '')}"]
        if value.get("isCompactSummary"):
            context.drop(line)
            context.add(RawText(line, "summary", names[0], (_words(_text(blocks)),)))
            self.named[line] = stream, names
            return
        self._count(line, context, value)
        for block in blocks:
            name = block.get("id", "")
            if block["type"] == "tool_use":
                context.waiting[name] = block["input"]
            elif block["type"] == "thinking":
                said = block["thinking"]
                context.add(RawText(line, "thought", names[0], (_words(said),), -(-2 * len(said.encode()) // 7)))
            elif block["type"] == "tool_result":
                name = block["tool_use_id"]
                names.append(name)
                self._result(line, context, name, block.get("content"))
        said = _text(blocks)
        if value["type"] == "assistant" and said:
            context.add(RawText(line, "text", names[0], (_words(said),)))
        elif said:
            self._prompt(line, value, said)
        self.named[line] = stream, names

    def _result(self, line: int, context: RawContext, name: str, content: Any) -> None:
        owner = next((each for each in self.contexts.values() if name in each.waiting), context)
        arguments = owner.waiting.pop(name, {})
        owner.add(RawText(line, "call", name, tuple(_words(each) for each in _strings(arguments))))
        result = content if isinstance(content, str) else _text(content or [])
        if LINE_NUMBERS.match(result):
            result = LINE_NUMBERS.sub("", result)
        about = json.dumps(arguments)
        path = next((arguments[key] for key in PATHS if isinstance(arguments.get(key), str)), "")
        if path:
            owner.touched.pop(path, None)
            owner.touched[path] = None
        owner.add(RawText(line, "result", name, (_words(result),), 0, about))

    def _prompt(self, line: int, value: dict[str, Any], said: str) -> None:
        stream = _stream(value)
        if CLEAR in said:
            self.context(stream).drop(line)
        if not value.get("isMeta") and not said.lstrip().startswith(("<", "[Request interrupted", "Caveat:")):
            self.context(stream).asked = line
        self.context(stream).add(RawText(line, "prompt", value.get("uuid", ""), (_words(said),)))
        self.named[line] = stream, [value.get("uuid", ""), f"prompt:{value.get('promptId', '')}"]

    def _count(self, line: int, context: RawContext, value: dict[str, Any]) -> None:
        message = value["message"]
        usage, name, model = message.get("usage") or {}, message.get("id", ""), message.get("model", "")
        tokens = sum(usage.get(each) or 0 for each in COUNTED)
        if model != "<synthetic>" and not value.get("isApiErrorMessage") and tokens and name not in self._counted:
            self._counted.add(name)
            context.counted(line, tokens, model)


def _values(line: str) -> Iterator[Any]:
    """The values of a line: one, or two that were glued together."""
    at, decoder = 0, json.JSONDecoder()
    while at < len(line.rstrip()):
        try:
            value, at = decoder.raw_decode(line, at)
        except ValueError:
            return
        yield value


def _stream(value: dict[str, Any]) -> str:
    return str(value.get("agentId", "")) if value.get("isSidechain") else ""


def _text(blocks: list[Any]) -> str:
    return "\n".join(each["text"] for each in blocks if each["type"] == "text" and each["text"])


def _words(text: str) -> tuple[str, ...]:
    return tuple(normalised_words(COLOURS.sub(" ", text)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
