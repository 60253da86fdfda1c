"""What the text of a Go file tells without its scopes: lines, the comments above them, and names at their place."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from ccos_core.text.syntax.go_scopes import NAME

if TYPE_CHECKING:
    from ccos_core.text.syntax.parse import Captures

WORD = re.compile(NAME)
NAMES = re.compile(rb"(" + NAME + rb")((?:\s*,\s*" + NAME + rb")*)\s*(:=\s*)?")
"""Names with commas between, and whether they are given values there."""
_FUNCTION = re.compile(rb"func\s+" + NAME)
_DIRECTIVE = re.compile(rb"\s*//(?:[a-z0-9]+:[a-z0-9]|nolint\b|export\b|extern\b|\s*\+build\b)")
"""Comments that are meant for tools."""

_LONGEST = 20_000
"""Bytes of a comment."""


class Lines:
    """The lines of a file, counted from 1."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]
        """Where each begins; one more at the end."""
        self.docs: dict[int, int] = {}

    def line(self, at: int) -> int:
        """The line a byte is in."""
        return bisect_right(self.starts, at)

    def doc(self, first: int) -> int:
        """The first line that says something in the comment right above a line; 0 where there is none."""
        if first not in self.docs:
            self.docs[first] = next((line for line in self._above(first) if self._says(line)), 0)
        return self.docs[first]

    def _above(self, line: int) -> range:
        """The lines of the comments that end right above a line."""
        first = line
        while first > 1:
            told = self.source[self.starts[first - 2] : self.starts[first - 1]].strip()
            if told.startswith(b"//"):
                first -= 1
            elif told.endswith(b"*/") and (opened := self._opened(self.starts[first - 1])) >= 0:
                line_of = self.line(opened)
                if self.source[self.starts[line_of - 1] : opened].strip():
                    break  # it belongs to what stands before it
                first = line_of
            else:
                break
        return range(first, line)

    def _opened(self, end: int) -> int:
        return self.source.rfind(b"/*", max(0, end - _LONGEST), end)

    def _says(self, line: int) -> bool:
        told = self.source[self.starts[line - 1] : self.starts[line]]
        return bool(WORD.search(told)) and not _DIRECTIVE.match(told)


def named(source: bytes, captures: Captures) -> frozenset[bytes]:
    """What the file calls by a name of its own."""
    found: set[bytes] = set()
    for kind, pattern in (("function", _FUNCTION), ("type", NAMES), ("value", NAMES)):
        for node in captures.get(kind, ()):
            match = pattern.match(source, node.start_byte, node.end_byte)
            found.update(WORD.findall(match.group()) if match is not None else ())
    return frozenset(found)


def field_keys(captures: Captures) -> set[int]:
    """Where names stand before a colon in a literal that may be of a struct: they are its fields."""
    plain = {node.end_byte for node in captures.get("without_fields", ())}
    literals = sorted((node.start_byte, node.end_byte) for node in captures.get("members", ()))
    fields: set[int] = set()
    around: list[tuple[int, int]] = []
    at = 0
    for key in sorted(node.start_byte for node in captures.get("key", ())):
        while at < len(literals) and literals[at][0] < key:
            while around and around[-1][1] <= literals[at][0]:
                around.pop()
            around.append(literals[at])
            at += 1
        while around and around[-1][1] <= key:
            around.pop()
        if not (around and around[-1][0] in plain):
            fields.add(key)
    return fields
