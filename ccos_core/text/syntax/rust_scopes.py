"""What Rust names mean where they stand, as far as the file itself makes them mean something.

A file is cut into spans that lie in each other; those of items are scopes. A local value reaches from the end of its
`let`, or from where a pattern names it, to the end of what is around it; it hides plain values only. A type parameter
or an item of a function hides all of its name.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.values.code import MODULE

if TYPE_CHECKING:
    from tree_sitter import Node

NORMAL, TOKENS, ATTRIBUTE, SILENT = range(4)
"""How names are read: parsed, as what a macro is given, as what an attribute says, not at all."""

_BINDS = re.compile(rb"(?<![\w.:'\x80-\xff])(?:r#)?[a-z_\x80-\xff][\w\x80-\xff]*(?![\w\x80-\xff]|\s*(?:::|[!(]))")
_GUARD = re.compile(rb"\bif\b")


class Binding(NamedTuple):
    """A local value."""

    since: int
    until: int
    """From where to where its name means it."""
    at: int
    """Where it gets its name, ..."""
    let: Node | None
    """... and by which `let`, if it is one."""


_NONE: set[bytes] = set()
_UNBOUND: dict[bytes, list[Binding]] = {}


class Span:
    """A stretch of text that names may stand in."""

    __slots__ = ("bound", "end", "item", "items", "kind", "mode", "node", "outer", "owner", "scope", "start", "symbol")

    def __init__(self, kind: str, node: Node | None, start: int, end: int) -> None:
        self.kind = kind
        self.node = node
        self.start = start
        self.end = end
        self.outer: Span | None = None
        self.item: Span | None = None
        """The innermost item it is or lies in."""
        self.scope: Span | None = None
        """The innermost item with names of its own."""
        self.symbol = MODULE
        self.owner = MODULE
        """The symbol it is, or lies in."""
        self.mode = NORMAL
        self.items = _NONE
        """In a scope: what it defines, and its type parameters."""
        self.bound = _UNBOUND
        """In a scope: what it binds."""

    def has_names(self) -> None:
        """Make it a scope."""
        self.scope, self.items, self.bound = self, set(), {}


EVERYWHERE = Span("", None, 0, sys.maxsize)
"""The span around all others, ..."""
NOWHERE = Span("", None, sys.maxsize, sys.maxsize)
"""... and one after them."""


def bound_names(source: bytes, start: int, end: int, found: set[int]) -> None:
    """Add where a pattern may give names: what is written small, without a path, arguments or a guard."""
    if source[start:end].replace(b"_", b"a").isalnum():  # mostly it is a name
        found.add(start)
        return
    if (guard := _GUARD.search(source, start, end)) is not None:
        end = guard.start()
    found.update(match.start() for match in _BINDS.finditer(source, start, end))


def binding(start: int, top: Span) -> Binding:
    """What a name bound at `start` is."""
    span: Span | None = top
    while span is not None:
        if span.kind == "let":
            around = span.outer
            while around is not None and around.kind != "reach" and around is not span.scope:
                around = around.outer
            return Binding(span.end, around.end if around is not None else span.end, start, span.node)
        if span.kind == "reach" or span is top.scope:
            return Binding(start, span.end, start, None)
        span = span.outer
    return Binding(start, top.end, start, None)


def is_hidden(name: bytes, at: int, top: Span, beyond_values: bool) -> bool:
    """Whether what is around it has made the name its own."""
    scope = top.scope
    while scope is not None:
        if name in scope.items:
            return True
        scope = scope.outer.scope if scope.outer is not None else None
    return not beyond_values and bound_here(name, at, top) is not None


def bound_here(name: bytes, at: int, top: Span) -> Binding | None:
    """What a name is bound to here; asked in the order of the text. A function sees nothing of those around it."""
    scope = top.scope
    while scope is not None:
        found = scope.bound.get(name, [])
        while found and found[-1].until <= at:
            found.pop()
        for bound in reversed(found):
            if bound.since <= at < bound.until:
                return bound
        scope = scope.outer.scope if scope.kind != "function" and scope.outer is not None else None
    return None
