"""Source text as spans of roles, lexed as far as somebody looks.

A lexer is a generator, so the first screen of a long file costs that screen. A text is lexed in chunks of lines, each
from its own beginning, so that the end of a long one doesn't cost all of it; a comment over a chunk's border loses
its colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

CHUNK_LINES = 400
LONGEST_LINE = 2_000  # characters; a longer line (minified code, data) stays plain
SHOWN_PLAIN = ("text", "")

_ROLES = (
    ("Token.Comment", "syntax-comment"),
    ("Token.Literal.String", "syntax-string"),
    ("Token.Literal.Number", "syntax-number"),
    ("Token.Keyword.Constant", "syntax-number"),
    ("Token.Keyword", "syntax-keyword"),
    ("Token.Operator.Word", "syntax-keyword"),
    ("Token.Name.Function", "syntax-name"),
    ("Token.Name.Class", "syntax-name"),
    ("Token.Name.Tag", "syntax-name"),
    ("Token.Name.Decorator", "syntax-builtin"),
    ("Token.Name.Builtin", "syntax-builtin"),
    ("Token.Name.Attribute", "syntax-builtin"),
    ("Token.Name.Variable", "syntax-builtin"),
    ("Token.Generic.Heading", "heading"),
    ("Token.Generic.Subheading", "heading"),
    ("Token.Generic.Strong", "strong"),
    ("Token.Generic.Emph", "syntax-emphasis"),
)
"""Kind of token → role; of several the first that it belongs to."""


class Highlighted:
    """The lines of one text."""

    def __init__(self, lines: Sequence[str], language: str) -> None:
        self._lines = lines
        self._language = language
        self._known: dict[int, list[tuple[str, str]]] = {}
        self._lexing: dict[int, Iterator[list[tuple[str, str]]]] = {}
        self._reached: dict[int, int] = {}

    def line(self, at: int) -> list[tuple[str, str]]:
        """Return (text, role) of one line."""
        if at in self._known:
            return self._known[at]
        lexer = lexer_of(self._language)
        if lexer is None:
            return [(self._lines[at], "")]
        chunk = at // CHUNK_LINES
        if chunk not in self._lexing:
            first = chunk * CHUNK_LINES
            lines = [each if len(each) <= LONGEST_LINE else "" for each in self._lines[first : first + CHUNK_LINES]]
            self._lexing[chunk] = _lexed(lexer, "\n".join(lines))
            self._reached[chunk] = first
        for spans in self._lexing[chunk]:
            reached = self._reached[chunk]
            self._reached[chunk] += 1
            self._known[reached] = spans if len(self._lines[reached]) <= LONGEST_LINE else [(self._lines[reached], "")]
            if reached == at:
                return self._known[at]
        return [(self._lines[at], "")]


@lru_cache(maxsize=64)
def lexer_of(language: str) -> Any:
    """Return the lexer of a language; None where there is none."""
    if language in SHOWN_PLAIN:
        return None
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


def _lexed(lexer: Any, text: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the spans of each line."""
    line: list[tuple[str, str]] = []
    for _, token, value in lexer.get_tokens_unprocessed(text):
        role = _role(token)
        first, *rest = value.split("\n")
        if first:
            line.append((first, role))
        for each in rest:
            yield line
            line = [(each, role)] if each else []
    yield line


@lru_cache(maxsize=512)
def _role(token: Any) -> str:
    name = str(token)
    return next((role for kind, role in _ROLES if name == kind or name.startswith(kind + ".")), "")
