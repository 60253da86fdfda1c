"""TOON 4 (https://github.com/toon-format/spec): JSON values as lines that take fewer tokens to read.

Lists of records that all have the same fields become tables, objects become indented lines, and most strings need no
quotes. `encode` writes commas and two spaces, and `decode` reads what it writes, with comments and blank lines.

    >>> print(encode({"at": 3, "steps": [{"step": 1, "kind": "edit"}, {"step": 2, "kind": "tool"}]}))
    at: 3
    steps[2]{step,kind}:
      1,edit
      2,tool
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

Field = tuple[str, "Fields | None"]
"""A column of a table, and the columns below it where its values are objects."""
Fields = tuple[Field, ...]
INDENT = "  "
PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
NUMERIC = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
LITERALS = {"true": True, "false": False, "null": None}
NEEDS_QUOTES = re.compile('[:"\\\\\\[\\]{},\x00-\x1f\ud800-\udfff]|^[-# ]| $')
ESCAPED = re.compile('["\\\\\x00-\x1f\ud800-\udfff]')
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
LAST_OF_PLANE = 0xFFFF
"""The last character that an escape can spell."""


class NotToon(ValueError):
    """The text isn't TOON; says in which line."""


def encode(value: Any, hidden: Container[str] = "") -> str:
    """Write a JSON value as TOON, the characters of `hidden` as escapes where the format allows it.

    A lone surrogate becomes an escape as well: the format has no way to write one, and other readers refuse it."""
    return "\n".join(INDENT * depth + line for depth, line in _Writer(hidden).root(value))


def decode(text: str) -> Any:
    """Read what `encode` wrote; raises `NotToon`."""
    return _Reader(text).root()


class _Writer:
    """Yields lines, each with its depth."""

    def __init__(self, hidden: Container[str]) -> None:
        self.hidden = hidden

    def root(self, value: Any) -> Iterator[tuple[int, str]]:
        if isinstance(value, Mapping) and not _keyed_fields(value):
            return self._fields(value, 0)
        if isinstance(value, (Mapping, list, tuple)) and value:
            return self._value("", value, 0)
        return iter([(0, self._inline([]) if isinstance(value, (list, tuple)) else self._cell(value))])

    def _fields(self, value: Mapping[str, Any], depth: int) -> Iterator[tuple[int, str]]:
        for key, each in value.items():
            yield from self._value(self._key(key), each, depth)

    def _value(self, name: str, value: Any, depth: int) -> Iterator[tuple[int, str]]:
        if isinstance(value, Mapping):
            if fields := _keyed_fields(value):
                yield depth, f"{name}[{len(value)}:]{self._header(fields)}:"
                rows = ((f"{self._key(key)}: ", each) for key, each in value.items())
                yield from ((depth + 1, lead + self._row(each, fields)) for lead, each in rows)
            else:
                yield depth, f"{name}:"
                yield from self._fields(value, depth + 1)
        elif not isinstance(value, (list, tuple)):
            yield depth, f"{name}: {self._cell(value)}"
        elif not value:
            yield depth, f"{name}: []"
        elif fields := _fields_of(value):
            yield depth, f"{name}[{len(value)}]{self._header(fields)}:"
            yield from ((depth + 1, self._row(each, fields)) for each in value)
        else:
            yield from self._list(name, value, depth)

    def _list(self, name: str, value: Sequence[Any], depth: int) -> Iterator[tuple[int, str]]:
        """A list that is no table."""
        if all(map(_is_primitive, value)):
            yield depth, f"{name}[{len(value)}]: {self._inline(value)}" if value else f"{name}[0]:"
            return
        yield depth, f"{name}[{len(value)}]:"
        for each in value:
            yield from self._item(each, depth + 1)

    def _item(self, value: Any, depth: int) -> Iterator[tuple[int, str]]:
        if isinstance(value, Mapping):
            lines = self._fields(value, depth + 1)
            _, first = next(lines, (depth, ""))
            yield depth, f"- {first}".rstrip(" ")
            yield from lines
        elif isinstance(value, (list, tuple)):
            yield from ((at, f"- {line}" if at == depth else line) for at, line in self._list("", value, depth))
        else:
            yield depth, f"- {self._cell(value)}"

    def _header(self, fields: Fields) -> str:
        return "{" + ",".join(self._key(key) + (self._header(below) if below else "") for key, below in fields) + "}"

    def _row(self, value: Mapping[str, Any], fields: Fields) -> str:
        return ",".join(self._row(value[key], below) if below else self._cell(value[key]) for key, below in fields)

    def _inline(self, value: Sequence[Any]) -> str:
        return ",".join(map(self._cell, value)) or "[]"

    def _key(self, key: str) -> str:
        return key if PLAIN_KEY.fullmatch(key) else self._quoted(key)

    def _cell(self, value: Any) -> str:
        if not isinstance(value, str):
            return _number(value) if isinstance(value, float) else json.dumps(value)
        quotes = not value or value in LITERALS or NUMERIC.fullmatch(value) or NEEDS_QUOTES.search(value)
        return self._quoted(value) if quotes or self._hides(value) else value

    def _hides(self, text: str) -> bool:
        return bool(self.hidden) and any(char in self.hidden for char in text)

    def _quoted(self, text: str) -> str:
        text = ESCAPED.sub(lambda found: SHORT_ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text)
        if self._hides(text):
            spelled = (ord(char) <= LAST_OF_PLANE and char in self.hidden for char in text)
            text = "".join(f"\\u{ord(char):04x}" if each else char for char, each in zip(text, spelled, strict=True))
        return f'"{text}"'


def _is_primitive(value: Any) -> bool:
    return not isinstance(value, (Mapping, list, tuple))


def _keyed_fields(value: Mapping[str, Any]) -> Fields:
    """Return the columns of an object whose values are records with the same fields; none if they aren't."""
    return _fields_of(list(value.values())) if len(value) > 1 else ()


def _fields_of(rows: Sequence[Any]) -> Fields:
    """Return the columns of records that all have the same fields; none if they haven't, or some can't be cells."""
    first = rows[0]
    if not isinstance(first, Mapping):
        return ()
    if not all(isinstance(row, Mapping) and row.keys() == first.keys() for row in rows):
        return ()
    found: list[Field] = []
    for key in first:
        cells = [row[key] for row in rows]
        below = None if all(map(_is_primitive, cells)) else _fields_of(cells)
        if below == ():
            return ()
        found.append((key, below))
    return tuple(found)


def _number(value: float) -> str:
    """Write a float without exponent; one that is no number is null."""
    if not math.isfinite(value):
        return "null"
    return str(int(value)) if value.is_integer() else f"{Decimal(repr(value)):f}"


QUOTED = r'"(?:[^"\\]|\\.)*"'
TABLE = re.compile(rf"({QUOTED}|[A-Za-z_][\w.]*)?\[(0|[1-9]\d*)(:?)\](\{{.*\}}):", re.ASCII)
ARRAY = re.compile(rf"({QUOTED}|[A-Za-z_][\w.]*)?\[(0|[1-9]\d*)\]:(.*)", re.ASCII)
PAIR = re.compile(rf'({QUOTED}|[^:"\[]*?) *:(.*)')
CELL = re.compile(rf" *({QUOTED}|[^,]*?) *(,|$)")
NAME = re.compile(rf"({QUOTED}|[^,{{}}]+)")
LONG_ESCAPES = {escape: char for char, escape in SHORT_ESCAPES.items()}
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.?)", re.DOTALL)


class _Reader:
    """Reads lines from the first to the last."""

    def __init__(self, text: str) -> None:
        self.lines: list[tuple[int, str, int]] = []
        """(depth, line without indent, line number) of lines that aren't blank or comments."""
        self.at = 0
        for number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r")
            bare = line.lstrip(" ")
            if bare.strip() and not bare.startswith("#"):
                indent = len(line) - len(bare)
                if indent % len(INDENT) or bare.startswith("\t"):
                    raise NotToon(f"line {number}: isn't indented by two spaces a level")
                self.lines.append((indent // len(INDENT), bare.rstrip(" "), number))

    def root(self) -> Any:
        if not self.lines:
            return {}
        line = self.lines[0][1]
        if line == "[]" and len(self.lines) == 1:
            return []
        table, array = TABLE.fullmatch(line), ARRAY.fullmatch(line)
        if (found := table or array) and found[1] is None:
            self.at = 1
            value = self._table(table, 0) if table else self._array(found, 0)
        elif len(self.lines) == 1 and (re.fullmatch(QUOTED, line) or ":" not in line):
            return self._primitive(line)
        else:
            value = self._object(0)
        if self.at < len(self.lines):
            raise self._wrong("doesn't belong to what stands above it")
        return value

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (line := self._next(depth)) is not None:
            name, value = self._field(line, depth)
            if name in found:
                raise self._wrong(f"{name!r} stood there before", back=1)
            found[name] = value
        return found

    def _field(self, line: str, depth: int) -> tuple[str, Any]:
        """Read a field whose line was taken, with all that stands below it."""
        if (table := TABLE.fullmatch(line)) and table[1]:
            return self._named(table[1]), self._table(table, depth)
        if (array := ARRAY.fullmatch(line)) and array[1]:
            return self._named(array[1]), self._array(array, depth)
        pair = PAIR.fullmatch(line)
        if pair is None:
            raise self._wrong("isn't a name with a colon", back=1)
        said = pair[2].strip(" ")
        value = self._object(depth + 1) if not said else [] if said == "[]" else self._primitive(said)
        return self._named(pair[1]), value

    def _table(self, header: re.Match[str], depth: int) -> Any:
        """Read the rows below a header: a list, or an object where each row has a key."""
        fields, keyed, rows = self._header(header[4]), header[3], []
        for _ in range(int(header[2])):
            line = self._next(depth + 1)
            pair = PAIR.fullmatch(line) if keyed and line is not None else None
            if line is None or (keyed and not pair):
                raise self._wrong(f"lacks rows: {header[2]} were announced")
            cells = self._cells(pair[2] if pair else line)
            row = self._record(cells, fields)
            if next(cells, None) is not None:
                raise self._wrong("has too many cells", back=1)
            rows.append((self._named(pair[1]) if pair else "", row))
        if keyed and len(dict(rows)) < len(rows):
            raise self._wrong("ends a table with a key twice", back=1)
        return dict(rows) if keyed else [row for _, row in rows]

    def _record(self, cells: Iterator[str], fields: Fields) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, below in fields:
            if below:
                found[name] = self._record(cells, below)
            elif (cell := next(cells, None)) is None:
                raise self._wrong("has too few cells", back=1)
            else:
                found[name] = self._primitive(cell)
        return found

    def _array(self, header: re.Match[str], depth: int) -> list[Any]:
        count, said = int(header[2]), header[3].strip(" ")
        if said:
            found = [self._primitive(cell) for cell in self._cells(said)]
        else:
            found = [self._item(depth + 1) for _ in range(count)]
        if len(found) != count:
            raise self._wrong(f"has {len(found)} values where {count} were announced", back=1)
        return found

    def _item(self, depth: int) -> Any:
        line = self._next(depth)
        if line is None or not (line == "-" or line.startswith("- ")):
            raise self._wrong("should be an item of a list", back=line is not None)
        rest = line[2:].strip(" ")
        if not rest:
            return {}
        array = ARRAY.fullmatch(rest)
        if array and array[1] is None:
            return self._array(array, depth)
        if rest == "[]":
            return []
        if not (array or TABLE.fullmatch(rest) or PAIR.fullmatch(rest)):
            return self._primitive(rest)
        self.at -= 1  # the first field stands on the line of the hyphen, one level further in
        self.lines[self.at] = (depth + 1, rest, self.lines[self.at][2])
        return self._object(depth + 1)

    def _next(self, depth: int) -> str | None:
        """Take the next line if it stands this far in; None at the end, or if it belongs further out."""
        if self.at == len(self.lines) or self.lines[self.at][0] < depth:
            return None
        if self.lines[self.at][0] > depth:
            raise self._wrong("is indented too far")
        self.at += 1
        return self.lines[self.at - 1][1]

    def _cells(self, text: str) -> Iterator[str]:
        at, more = 0, True
        while more:
            found = CELL.match(text, at)
            if found is None:
                raise self._wrong("has a cell that goes on behind its quotes", back=1)
            yield found[1]
            at, more = found.end(), bool(found[2])

    def _header(self, text: str) -> Fields:
        fields, at = self._names(text, 1)
        if at != len(text):
            raise self._wrong("has braces that don't match", back=1)
        return fields

    def _names(self, text: str, at: int) -> tuple[Fields, int]:
        """Read names of columns up to the closing brace; returns where it goes on behind that."""
        found: list[Field] = []
        while True:
            name = NAME.match(text, at)
            if name is None:
                raise self._wrong("lacks a name between its braces", back=1)
            at, below = name.end(), None
            if text[at : at + 1] == "{":
                below, at = self._names(text, at + 1)
            found.append((self._named(name[1].strip(" ")), below))
            if text[at : at + 1] != ",":
                break
            at += 1
        if text[at : at + 1] != "}":
            raise self._wrong("has braces that don't match", back=1)
        return tuple(found), at + 1

    def _named(self, token: str | None) -> str:
        return self._unquoted(token or "") if (token or "").startswith('"') else token or ""

    def _primitive(self, token: str) -> Any:
        if token.startswith('"'):
            return self._unquoted(token)
        if token in LITERALS:
            return LITERALS[token]
        number = NUMBER.fullmatch(token)
        return token if number is None else float(token) if number[1] or number[2] else int(token)

    def _unquoted(self, token: str) -> str:
        if not re.fullmatch(QUOTED, token, re.DOTALL):
            raise self._wrong("has quotes that don't end", back=1)
        return _ESCAPE.sub(self._unescaped, token[1:-1])

    def _unescaped(self, found: re.Match[str]) -> str:
        if found[0] in LONG_ESCAPES:
            return LONG_ESCAPES[found[0]]
        if found[0][1:2] != "u":
            raise self._wrong(f"has an unknown escape {found[0]}", back=1)
        if len(found[0]) != len("\\u0000"):
            raise self._wrong("has an escape without four digits", back=1)
        return chr(int(found[0][2:], 16))

    def _wrong(self, fact: str, back: int = 0) -> NotToon:
        """Say what is wrong with the next line, or the one before it."""
        at = self.at - back
        return NotToon(f"line {self.lines[at][2]}: {fact}" if at < len(self.lines) else f"its end: {fact}")
