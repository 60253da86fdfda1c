"""What Rust names mean where they stand, as far as the file itself makes them mean something.

A file is cut into spans that lie in each other; those of items are scopes. A local value reaches from the end of its
`let`, or from where a pattern names it, to the end of what is around it; it hides plain values only. A type parameter
or an item of a function hides all of its name. A dot after a name leads into what the text says it is: `db: &Db` into
`Db`, `x` of `let x = Db::open(..)?` into what `Db::open` gives, written `Db.open`. References, `Result`, `Option` and
boxes are looked through on the way; fields, elements and what closures give lead nowhere here.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.text.syntax.rust_text import IDENT
from ccos_core.values.code import MODULE

if TYPE_CHECKING:
    from tree_sitter import Node

NORMAL, TOKENS, ATTRIBUTE, SILENT = range(4)
"""How names are read: parsed, as what a macro is given, as what an attribute says, not at all."""

_BINDS = re.compile(rb"(?<![\w.:'\x80-\xff])(?:r#)?[a-z_\x80-\xff][\w\x80-\xff]*(?![\w\x80-\xff]|\s*(?:::|[!(]))")
_GUARD = re.compile(rb"\bif\b")
_MOST_STEPS, _PATH_BYTES = 8, 300
"""Steps from a value to the call that makes it, and bytes of a path."""
_PATH = rb"((?:::\s*)?(?:" + IDENT + rb"\s*::\s*)*" + IDENT + rb")(?![\w\x80-\xff]|\s*(?:!|::))"
_REFERRED = rb"(?:&\s*(?:'\w+\s*)?(?:mut\b\s*)?|(?:dyn|impl)\b\s*"
_TYPED = re.compile(IDENT + rb"\s*:\s*" + _REFERRED + rb")*" + _PATH)
_GIVEN = re.compile(
    _REFERRED + rb"|(?:" + IDENT + rb"\s*::\s*)*(?:Result|Option|Box|Rc|Arc)\s*<\s*)*" + _PATH,
)
_MADE = re.compile(_PATH)
_OPENED = frozenset((b"unwrap", b"expect", b"unwrap_or_default", b"clone"))
"""Methods that give what is inside, or the same again."""
_WRAPPED = frozenset(("try_expression", "await_expression", "reference_expression", "parenthesized_expression"))


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


def given_type(source: bytes, start: int, end: int) -> tuple[int, bytes]:
    """(where its path begins, the path) of the type a function gives, taken out of what it is wrapped in."""
    match = _GIVEN.match(source, start, end)
    return (match.start(1), match.group(1)) if match is not None else (-1, b"")


def bound_type(source: bytes, at: int, made: Node | None) -> bytes:
    """The path of what the name bound at `at` leads into; `made` is the `let` it is bound by. Empty for none."""
    match = _TYPED.match(source, at)
    if match is not None:
        return match.group(1) if len(match.group(1)) < _PATH_BYTES else b""
    pattern = made.child_by_field_name("pattern") if made is not None else None
    if made is None or pattern is None or pattern.start_byte != at or pattern.type != "identifier":
        return b""
    return _value(source, made.child_by_field_name("value"))


def _value(source: bytes, node: Node | None) -> bytes:
    """The path of what a value is made by."""
    for _ in range(_MOST_STEPS):
        if node is None:
            return b""
        if node.type in _WRAPPED:
            node = node.named_child(node.named_child_count - 1)
        elif node.type == "struct_expression":
            return _path(source, node.child_by_field_name("name"))
        elif node.type == "call_expression":
            function = node.child_by_field_name("function")
            if function is None or function.type != "field_expression":
                return _path(source, function)
            method = function.child_by_field_name("field")
            if method is None or source[method.start_byte : method.end_byte] not in _OPENED:
                return b""
            node = function.child_by_field_name("value")
        else:
            return b""
    return b""


def _path(source: bytes, node: Node | None) -> bytes:
    if node is None or node.end_byte - node.start_byte > _PATH_BYTES:
        return b""
    match = _MADE.match(source, node.start_byte, node.end_byte)
    return match.group(1) if match is not None and match.end() == node.end_byte else b""
