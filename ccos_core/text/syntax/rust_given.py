"""The items among what a Rust macro is given.

The grammar knows only tokens there, though whole crates define their types inside of a macro (`ast_struct! { pub struct
Expr { .. } }`), and many put parts of themselves into one that turns them on and off (`cfg_net! { impl Peer { .. } }`).
So tokens are read as the language would read them: what begins, goes on and ends like an item is one, whatever the
macro adds in between. The bodies of `impl`, `trait` and `mod` hold further items, those of `enum` hold variants; other
braces are looked into where the macro itself is written with braces, which is how `if` and `else` of such macros look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ccos_core.text.syntax.rust_text import IDENT, impl_type, spelled

_KINDS = {
    b"fn": "function",
    b"struct": "struct",
    b"enum": "enum",
    b"union": "union",
    b"trait": "trait",
    b"type": "type",
    b"const": "constant",
    b"static": "static",
    b"mod": "module",
    b"macro_rules": "macro",
}
_FOLLOWS = {
    "function": b"(<",
    "type": b"=<:",
    "constant": b":=",
    "static": b":=",
    "macro": b"{([",
}
"""What may stand behind the name; after those of other kinds a macro may have words of its own."""
_VALUES = frozenset(("type", "constant", "static"))
_HOLDING = frozenset(("impl", "trait", "module"))
_KEYWORDS = rb"(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules|use|impl)\b"
_ITEM = re.compile(rb"\b" + _KEYWORDS)
_PASSED = (
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\bb?r(#*)\".*?(?:\"\1|\Z)|\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\Z)"
    rb"|'(?:\\[^\n][^'\n]{0,10}|[^'\\\n])'|'\w+"
)
"""Comments, strings, characters and lifetimes."""
_TOKEN = re.compile(_PASSED + rb"|((?<![#$])\b" + _KEYWORDS + rb"|[{}()\[\];])", re.DOTALL)
_WORD = re.compile(_PASSED + rb"|(" + IDENT + rb"|[{}()\[\],])", re.DOTALL)
_NAMED = re.compile(rb"\s*!?\s+(?:(?:ref|mut)\s+)?(" + IDENT + rb")\s*")
_RESERVED = frozenset((*_KINDS, b"unsafe", b"extern", b"async", b"impl", b"for", b"where", b"ref", b"mut", b"_"))
_HEAD = re.compile(rb"(?:\bpub\s*(?:\([^()]*\)\s*)?)?(?:\b(?:const|async|unsafe|default|extern(?:\s*\"\w*\")?)\s+)*$")
_FARTHEST = 80
"""Bytes looked back for the words before a keyword."""
_CLOSING = {b"{": b"}", b"(": b")", b"[": b"]"}
_BRACES = b"{"


@dataclass(frozen=True, slots=True)
class Given:
    """An item among what a macro is given. All in bytes."""

    kind: str
    """The kind of its symbol; `use` for what is imported, `impl` for what belongs to the type called `name`."""
    name: str
    at: int
    """Where its name stands."""
    start: int
    head: int
    """Where its head ends."""
    end: int
    whole: bool = True
    """Whether it has a body: `mod x;` has none."""


class _Token(NamedTuple):
    text: bytes
    start: int
    end: int


def given(source: bytes, start: int, end: int) -> list[Given]:
    """The items among the tokens from `start` to `end`, those that hold others first."""
    if _ITEM.search(source, start, end) is None:
        return []
    return _Reader(source, start, end).found


class _Reader:
    """The tokens of one macro."""

    def __init__(self, source: bytes, start: int, end: int) -> None:
        self.source = source
        self.tokens = _tokens(_TOKEN, source, start, end)
        self.closed = _pairs(self.tokens)
        """Place of each opening token → place of the one that closes it, or the number of tokens."""
        self.outermost = next(iter(self.closed), 0)
        self.found: list[Given] = []
        waiting = [(0, len(self.tokens), True)]
        while waiting:
            first, last, entered = waiting.pop()
            waiting += self._items(first, last, entered)

    def _items(self, at: int, last: int, entered: bool) -> Iterator[tuple[int, int, bool]]:
        """Note the items between two tokens; gives what lies between others and may hold more."""
        while at < last:
            text = self.tokens[at].text
            if text in _CLOSING:
                if entered and (text == _BRACES or at == self.outermost):
                    yield at + 1, self.closed[at], text == _BRACES
                at = self.closed[at] + 1
            elif text == b"use":
                at = self._use(at, last)
            elif text in _KINDS or text == b"impl":
                item, after = self._item(at, last)
                if item is not None:
                    self.found.append(item)
                    if item.kind in _HOLDING and item.whole:
                        yield self._body(at, after), after - 1, True
                    elif item.kind == "enum" and item.whole:
                        self._variants(self.tokens[self._body(at, after) - 1].end, item.end - 1)
                at = after
            else:
                at += 1

    def _use(self, at: int, last: int) -> int:
        to = self._closing(at, last, b";")
        if to < last:
            start = self._start(at)
            self.found.append(Given("use", "", start, start, self.tokens[to].start, self.tokens[to].start))
        return to + 1 if to < last else at + 1

    def _item(self, at: int, last: int) -> tuple[Given | None, int]:
        """The item whose keyword stands there, if it is one, and the place behind it."""
        source, token = self.source, self.tokens[at]
        kind = _KINDS.get(token.text, "impl")
        named = _NAMED.match(source, token.end)
        if kind != "impl" and (named is None or named.group(1) in _RESERVED or not _goes_on(source, kind, named.end())):
            return None, at + 1
        to = self._closing(at + 1, last, b";" if kind in _VALUES else b";{")
        whole = to < last and self.tokens[to].text == _BRACES
        if to >= last and kind not in _VALUES:  # what never begins a body is a word among others
            return None, at + 1
        head = self.tokens[to].start if to < last else self.tokens[last].start if last < len(self.tokens) else token.end
        after = self.closed[to] + 1 if whole else to + 1
        end = self.tokens[min(after, len(self.tokens)) - 1].end if to < last else head
        if kind == "impl" or named is None:
            name, where = impl_type(source[token.end : head]), token.start
            return Given("impl", name, where, self._start(at), head, end) if whole else None, after
        name, where = spelled(named.group(1)), named.start(1)
        return Given(kind, name, where, self._start(at), max(head, named.end(1)), end, whole), min(after, last)

    def _variants(self, start: int, end: int) -> None:
        """Note the variants of an enum between its braces: the first word of each, attributes aside."""
        depth, last = 0, start
        first: _Token | None = None
        for token in (*_tokens(_WORD, self.source, start, end), _Token(b",", end, end)):
            if token.text in _CLOSING:
                depth += 1
            elif token.text in _CLOSING.values():
                depth -= 1
            elif depth == 0 and token.text != b",":
                first = first or token
            elif depth == 0 and first is not None:
                self.found.append(Given("variant", spelled(first.text), first.start, first.start, last, last))
                first = None
            last = token.end

    def _closing(self, at: int, last: int, ends: bytes) -> int:
        """The first of some tokens from there on, what is between brackets passed over; `last` if none comes."""
        while at < last:
            text = self.tokens[at].text
            if text in ends:
                return at
            at = self.closed[at] + 1 if text in _CLOSING else at + 1
        return last

    def _body(self, at: int, after: int) -> int:
        """The first token inside of the braces that close right before `after`."""
        return self._closing(at, after, _BRACES) + 1

    def _start(self, at: int) -> int:
        start = self.tokens[at].start
        head = _HEAD.search(self.source, max(0, start - _FARTHEST), start)
        return head.start() if head else start


def _goes_on(source: bytes, kind: str, at: int) -> bool:
    """Whether what stands behind a name is what an item would have there."""
    return kind not in _FOLLOWS or source[at : at + 1] in _FOLLOWS[kind]


def _tokens(pattern: re.Pattern[bytes], source: bytes, start: int, end: int) -> list[_Token]:
    return [
        _Token(match.group(2), match.start(), match.end())
        for match in pattern.finditer(source, start, end)
        if match.lastindex == 2  # neither what is passed over nor the marks of a raw string
    ]


def _pairs(tokens: list[_Token]) -> dict[int, int]:
    closed = {at: len(tokens) for at, token in enumerate(tokens) if token.text in _CLOSING}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if at in closed:
            opened.append(at)
        elif opened and token.text == _CLOSING[tokens[opened[-1]].text]:
            closed[opened.pop()] = at
    return closed
