"""What a dot after a Rust name leads into, where the text says so.

`db: &Db` leads into `Db`, `x` of `let x = Db { .. }` as well, and that of `let x = Db::open(..)?` into whatever
`Db::open` gives: such a chain is written `Db.open`, and the resolver asks the function. What is between is taken for
granted: references, and `Result`, `Option` and the boxes that are opened on the way. Everything else (fields, elements,
what closures give, parameters that are only bounded) leads nowhere here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccos_core.text.syntax.rust_text import IDENT

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_STEPS, LONGEST = 8, 300
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


def given_type(source: bytes, start: int, end: int) -> tuple[int, bytes]:
    """(where its path begins, the path) of the type a function gives, taken out of what it is wrapped in."""
    match = _GIVEN.match(source, start, end)
    return (match.start(1), match.group(1)) if match is not None else (-1, b"")


def bound_type(source: bytes, at: int, made: Node | None) -> bytes:
    """The path of what the name bound at `at` leads into; `made` is the `let` it is bound by. Empty for none."""
    match = _TYPED.match(source, at)
    if match is not None:
        return match.group(1) if len(match.group(1)) < LONGEST else b""
    pattern = made.child_by_field_name("pattern") if made is not None else None
    if made is None or pattern is None or pattern.start_byte != at or pattern.type != "identifier":
        return b""
    return _value(source, made.child_by_field_name("value"))


def _value(source: bytes, node: Node | None) -> bytes:
    """The path of what a value is made by."""
    for _ in range(MOST_STEPS):
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
    if node is None or node.end_byte - node.start_byte > LONGEST:
        return b""
    match = _MADE.match(source, node.start_byte, node.end_byte)
    return match.group(1) if match is not None and match.end() == node.end_byte else b""
