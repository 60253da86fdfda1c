"""JSON with comments and trailing commas as a text to be edited: what isn't ours keeps every byte it has.

A text is read into nodes that know where they stand; an edit is a splice between two of them. Values are only made to
be compared, so numbers stay as they are spelled. What can't be read is refused with the line it fails at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ccos_core.errors import NotUnderstood

DEEPEST = 200
"""Levels that are followed; no configuration has them."""
BETWEEN = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
"""Space and comments."""
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*"')
COMMENT = re.compile(STRING.pattern + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
"""A comment, or a string, in which nothing is one."""
WORD = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
WHITE = " \t\r\n"


@dataclass(slots=True)
class Node:
    """A value where it stands."""

    kind: str
    """`{`, `[`, `"` or `word`."""
    start: int
    end: int = 0
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A member of an object or an item of an array."""

    start: int
    key: str
    """Empty in an array."""
    value: Node
    comma: int = -1
    """Where the comma behind it stands, if there is one."""


@lru_cache(maxsize=3)
def parsed(text: str) -> Node | None:
    """The value a text holds; None where it holds nothing but space and comments. Nodes are looked at only: an edit
    asks for them several times, and some configurations have many megabytes."""
    reader = _Reader(text)
    at = reader.skip(0)
    if at == len(text):
        return None
    node = reader.value(at, 0)
    if (end := reader.skip(node.end)) != len(text):
        raise reader.trouble(end, "there is text after the end")
    return node


def without_comments(text: str) -> str:
    """The same text with spaces in place of comments, so that lines stay where they are."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0])

    return COMMENT.sub(blank, text)


def plain(text: str, node: Node | None) -> Any:
    """A value to compare; a number as it is spelled."""
    if node is None:
        return None
    if node.kind == "{":
        return {part.key: plain(text, part.value) for part in node.parts}
    if node.kind == "[":
        return [plain(text, part.value) for part in node.parts]
    said = text[node.start : node.end]
    return json.loads(said) if node.kind == '"' or said in ("true", "false", "null") else ("number", said)


def found(text: str, keys: tuple[str, ...]) -> Node | None:
    """The value at a path of keys. Of a key that is there twice the last counts, as for the hosts that read it."""
    node = parsed(text)
    for key in keys:
        node = member(node, key)
    return node


def member(node: Node | None, key: str) -> Node | None:
    if node is None or node.kind != "{":
        return None
    return next((part.value for part in reversed(node.parts) if part.key == key), None)


def put(text: str, keys: tuple[str, ...], value: object) -> str:
    """The text with a value at a path of keys; what leads there is made where it is missing."""
    root = parsed(text)
    if root is None:
        return _document(text, _nested(keys, value))
    node = root
    for depth, key in enumerate(keys):
        if node.kind != "{":
            raise NotUnderstood(f"{'.'.join(keys[:depth]) or 'the whole'} isn't an object")
        below = member(node, key)
        if below is None:
            return inserted(text, root, node, _nested(keys[depth + 1 :], value), key)
        node = below
    return text[: node.start] + _written(text, root, value, _margin(text, node.start)) + text[node.end :]


def inserted(text: str, root: Node, into: Node, value: object, key: str | None = None) -> str:
    """The text with a further member or item at the end of a container."""
    close = into.end - 1
    end = len(text[:close].rstrip(WHITE))
    spread = _is_spread(text, root, into, end)
    margin = _margin_within(text, root, into)
    named = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    if not spread:
        piece = (" " if into.parts else "") + named + json.dumps(value, ensure_ascii=False)
    else:
        piece = _newline(text) + margin + named + _written(text, root, value, margin)
    tail = text[end:]
    if spread and "\n" not in text[end:close]:
        tail = _newline(text) + _margin(text, into.start) + tail
    if not into.parts:
        return text[:end] + piece + tail
    last = into.parts[-1]
    if last.comma >= 0:
        return text[:end] + piece + "," + tail
    return text[: last.value.end] + "," + text[last.value.end : end] + piece + tail


def removed(text: str, out_of: Node, index: int) -> str:
    """The text without a member or an item, and without the comma that only it needed."""
    part = out_of.parts[index]
    start, end = len(text[: part.start].rstrip(WHITE)), part.value.end
    if part.comma >= 0:
        rest = text[end : part.comma] + text[part.comma + 1 :]
    else:
        rest = text[end:]
    blank = rest.partition("\n")[0].strip(WHITE) == ""
    if not blank and "\n" in text[start : part.start]:  # what follows keeps the line it is on
        start, rest = part.start, rest.lstrip(" \t")
    head = text[:start]
    if part.comma < 0 and index > 0 and (comma := out_of.parts[index - 1].comma) >= 0:
        head = head[:comma] + head[comma + 1 :]
    if len(out_of.parts) == 1 and not head[out_of.start + 1 :].strip(WHITE):
        inside, bracket, behind = rest.partition("}" if out_of.kind == "{" else "]")
        if not inside.strip(WHITE):
            return head[: out_of.start + 1] + bracket + behind
    return head + rest


def dropped(text: str, keys: tuple[str, ...]) -> str:
    """The text without what stands at a path of keys, however often."""
    while (out_of := found(text, keys[:-1])) is not None and out_of.kind == "{":
        index = next((at for at, part in enumerate(out_of.parts) if part.key == keys[-1]), None)
        if index is None:
            break
        text = removed(text, out_of, index)
    return text


def pruned(text: str, made: Iterable[tuple[str, ...]]) -> str:
    """The text without those of these containers that are empty; the innermost first."""
    for keys in sorted(made, key=len, reverse=True):
        node = found(text, keys)
        if node is not None and node.kind in "{[" and not node.parts:
            text = dropped(text, keys)
    return text


# ---- how it is read ----


class _Reader:
    """One reading of a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def trouble(self, at: int, fact: str) -> NotUnderstood:
        line = self.text.count("\n", 0, at) + 1
        return NotUnderstood(f"line {line} can't be read as JSON: {fact}")

    def skip(self, at: int) -> int:
        match = BETWEEN.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, depth: int) -> Node:
        if depth > DEEPEST:
            raise self.trouble(at, "nested too deeply")
        sign = self.text[at : at + 1]
        if sign in ("{", "["):
            return self._container(at, sign, depth)
        pattern, kind = (STRING, '"') if sign == '"' else (WORD, "word")
        match = pattern.match(self.text, at)
        if match is None:
            raise self.trouble(at, "a value is missing" if sign else "unexpected end")
        if kind == '"':
            self._string(at, match.group())
        return Node(kind, at, match.end())

    def _container(self, at: int, sign: str, depth: int) -> Node:
        node, close = Node(sign, at), "}" if sign == "{" else "]"
        at = self.skip(at + 1)
        while not self.text.startswith(close, at):
            if node.parts and node.parts[-1].comma < 0:
                raise self.trouble(at, "a comma is missing")
            part = self._part(at, sign, depth)
            at = self.skip(part.value.end)
            if self.text.startswith(",", at):
                part.comma = at
                at = self.skip(at + 1)
            node.parts.append(part)
        node.end = at + 1
        return node

    def _part(self, at: int, sign: str, depth: int) -> Part:
        if sign == "[":
            return Part(at, "", self.value(at, depth + 1))
        match = STRING.match(self.text, at)
        if match is None:
            raise self.trouble(at, "a name is missing" if at < len(self.text) else "unexpected end")
        colon = self.skip(match.end())
        if not self.text.startswith(":", colon):
            raise self.trouble(colon, "a colon is missing")
        return Part(at, self._string(at, match.group()), self.value(self.skip(colon + 1), depth + 1))

    def _string(self, at: int, said: str) -> str:
        try:
            return str(json.loads(said))
        except ValueError:
            raise self.trouble(at, "invalid string") from None


# ---- how it is written ----


def _nested(keys: tuple[str, ...], value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _document(text: str, value: object) -> str:
    newline = _newline(text)
    before = text if not text or text.endswith("\n") else text + newline
    return before + json.dumps(value, ensure_ascii=False, indent=2).replace("\n", newline) + newline


def _written(text: str, root: Node, value: object, margin: str) -> str:
    said = json.dumps(value, ensure_ascii=False, indent=_unit(text, root))
    return said.replace("\n", _newline(text) + margin)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str, root: Node) -> str:
    """One step of indentation, as the file has it."""
    return (_margin_of(text, root.parts[0].start) if root.parts else None) or "  "


def _margin_within(text: str, root: Node, into: Node) -> str:
    margin = _margin_of(text, into.parts[-1].start) if into.parts else None
    return _margin(text, into.start) + _unit(text, root) if margin is None else margin


def _margin_of(text: str, at: int) -> str | None:
    """The space a line begins with, where nothing but it stands before this place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if "\n" in text[:at] and not line.strip(WHITE) else None


def _margin(text: str, at: int) -> str:
    """The space the line of this place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _is_spread(text: str, root: Node, into: Node, end: int) -> bool:
    """Whether a container has its parts on lines of their own."""
    if not into.parts:
        return into is root or "\n" in text[root.start : root.end]
    return "\n" in text[into.start : into.parts[0].start] or "\n" in text[end : into.end]
