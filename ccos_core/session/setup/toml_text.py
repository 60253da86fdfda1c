"""TOML as a text to be edited: one table of ours among others' in a file that keeps every other byte.

Only what a table of ours may need: it is appended, its keys are set, it is taken out. Statements are found by where
they begin and end; what they say is asked of Python's own reader, which also judges every result.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import NotUnderstood, Refused

Path = tuple[str, ...]
STRINGS = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)
"""What may hold a bracket or the end of a line without meaning it."""


@dataclass(slots=True)
class Statement:
    """A header or a pair, with the table it stands in."""

    start: int
    end: int
    table: Path
    key: Path
    """Empty for a header."""


def values(text: str) -> dict[str, Any]:
    """What the file says, to compare; a number with a point as it is spelled."""
    try:
        return tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotUnderstood(f"can't be read as TOML: {error}") from None


def with_table(text: str, path: Path, entry: Mapping[str, object]) -> str:
    """The text with these keys in the table at `path`."""
    there = _at(values(text), path)
    if there is None:
        return _appended(text, path, entry)
    header = next((each for each in statements(text) if each.table == path and not each.key), None)
    if header is None or not isinstance(there, dict):
        raise Refused(f"{'.'.join(path)} is written in a form that setup can't edit", hint=_by_hand(path, entry))
    for key, value in entry.items():
        if there.get(key) != value:
            text = _with_key(text, path, key, value)
    return text


def without_table(text: str, path: Path) -> str:
    """The text without the table at `path` and those below it."""
    if _at(values(text), path) is None:
        return text
    spans = [(each.start, each.end) for each in statements(text) if each.table[: len(path)] == path]
    if not spans:
        raise Refused(f"{'.'.join(path)} is written in a form that setup can't edit", hint="Remove it by hand.")
    first = spans[0][0]
    for start, end in reversed(spans):
        text = text[:start] + text[_line_end(text, end) :]
    before = text[:first]
    for blank in ("\r\n\r\n", "\n\n"):
        if before.endswith(blank):
            return before[: -len(blank) // 2] + text[first:]
    return text


def statements(text: str) -> Iterator[Statement]:
    """Every header and pair, in order. The text must be TOML."""
    at = 0
    table: Path = ()
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text[at] == "#":
            at = _line_end(text, at)
        else:
            end = _statement_end(text, at)
            said = text[at:end]
            key = _path(said)
            if said.startswith("["):
                table, key = key, ()
            yield Statement(at, end, table, key)
            at = end


def _statement_end(text: str, at: int) -> int:
    depth = 0
    while at < len(text):
        match = STRINGS.match(text, at)
        if match:
            if text[at] == "#" and not depth:
                break
            at = match.end()
            continue
        if text[at] == "\n" and depth == 0:
            break
        depth += (text[at] in "[{") - (text[at] in "]}")
        at += 1
    return len(text[:at].rstrip())


def _path(said: str) -> Path:
    """The keys a statement names, from the outside in; those of its value aren't followed."""
    if not said.startswith("["):
        said = said[: _equals(said)] + "= 0"
    node: Any = tomllib.loads(said)
    path = []
    while isinstance(node, (dict, list)) and node:
        if isinstance(node, list):
            node = node[0]
        else:
            ((key, node),) = node.items()
            path.append(key)
    return tuple(path)


def _equals(said: str) -> int:
    at = 0
    while said[at] != "=":
        match = STRINGS.match(said, at)
        at = match.end() if match else at + 1
    return at


def _with_key(text: str, path: Path, key: str, value: object) -> str:
    within = [each for each in statements(text) if each.table == path]
    for each in within:
        if each.key == (key,):
            start = each.start + _equals(text[each.start : each.end]) + 1
            return text[:start] + " " + _spelled(value) + text[each.end :]
        if each.key[:1] == (key,):
            raise Refused(f"{'.'.join((*path, *each.key))} is written in a form that setup can't edit")
    end = _line_end(text, within[0].end)
    lead = "" if text[:end].endswith("\n") else _newline(text)
    return text[:end] + lead + f"{key} = {_spelled(value)}" + _newline(text) + text[end:]


def _appended(text: str, path: Path, entry: Mapping[str, object]) -> str:
    newline = _newline(text)
    before = text if not text or text.endswith("\n") else text + newline
    gap = newline if before.strip() else ""
    made = before + gap + _table(path, entry).replace("\n", newline)
    try:
        values(made)
    except NotUnderstood:
        raise Refused(f"{path[0]} is written in a form that setup can't edit", hint=_by_hand(path, entry)) from None
    return made


def _table(path: Path, entry: Mapping[str, object]) -> str:
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {_spelled(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _by_hand(path: Path, entry: Mapping[str, object]) -> str:
    return "Add this by hand:\n  " + _table(path, entry).strip().replace("\n", "\n  ")


def _spelled(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_spelled, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_spelled(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _at(node: Any, path: Path) -> Any:
    for key in path:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
