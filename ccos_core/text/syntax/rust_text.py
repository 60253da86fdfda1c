"""What is read of Rust from its letters rather than from its tree.

Use trees, what stands above an item, and what an `impl` is for would take many small steps through the tree; and where
a macro is given them (`rust_given`) there is no tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

IDENT = rb"(?:r#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*"
FARTHEST = 4_000
"""Bytes an attribute above an item may have, ..."""
LONGEST = 20_000
"""... and a comment."""
DEEPEST, WIDEST = 100, 1_000
"""Groups around each other in a `use`, and letters before one."""

_USE_TOKEN = re.compile(rb"//[^\n]*|/\*.*?\*/|" + IDENT + rb"|::|[{},*]", re.DOTALL)
_USE = re.compile(rb"\s*(?:pub\b\s*(?:\([^)]*\))?|crate\b)?\s*use\b")
_PUBLIC = re.compile(rb"\s*pub\b")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PART = re.compile(rb"[-=]>|[<>(){}\[\],]|'?" + IDENT)
_BEFORE_TYPE = re.compile(rb"(?:\s|&|\*|\(\s*(?=dyn\b)|(?:mut|const|dyn)\b|'\w+)*")
_TYPE = re.compile(rb"(?:::\s*)?((?:" + IDENT + rb"\s*::\s*)*)(" + IDENT + rb")(?!\s*[!(\w])")
_NO_TYPE = frozenset((b"fn", b"for", b"impl", b"unsafe", b"extern"))
_OPENING, _CLOSING = frozenset((b"<", b"(", b"[", b"{")), frozenset((b">", b")", b"]", b"}"))
NO_NAME = "impl"
"""What an `impl` is called that isn't for a type with a name: a tuple, a slice, anything that fulfils a bound."""
_SPACE = b" \t\r\n"
_NEAR = 160
_ENDS = (b"]", b"/")


class Before(NamedTuple):
    """What stands above an item and belongs to it. All in bytes."""

    start: int
    """Where the first of it begins."""
    first: int
    """Where its attributes begin, as far as no comment stands between them and the item."""
    doc: int
    """Its description's first line with words; -1 without one."""


def spelled(name: bytes) -> str:
    """A name as it is known, however it is written: `r#type` is `type`."""
    return name.removeprefix(b"r#").decode("utf-8", "replace")


def is_public(text: bytes) -> bool:
    """Whether an item begins with a `pub` of any reach."""
    return _PUBLIC.match(text) is not None


def use_tree(text: bytes) -> Iterator[tuple[str, str, str, int]]:
    """(name here, module, item, offset) of each name a `use` declaration takes."""
    opened = _USE.match(text)
    prefix: list[str] = []
    outer: list[int] = []
    path: list[str] = []
    alias, named, at, last = "", False, 0, b""
    for match in _USE_TOKEN.finditer(text, opened.end() if opened else 0):
        token = match.group()
        if token.startswith((b"//", b"/*")):
            continue
        if token == b"{":
            if len(outer) == DEEPEST or sum(map(len, path)) > WIDEST:
                return
            outer.append(len(prefix))
            prefix, path = prefix + path, []
        elif token in (b",", b"}"):
            yield from _used(prefix, path, alias, at)
            path, alias, named = [], "", False
            if token == b"}" and outer:
                prefix = prefix[: outer.pop()]
        elif token == b"::":
            if not path and not prefix:
                path = [""]
        elif token == b"as" and last not in (b"", b"::", b"{", b","):
            named = True
        elif named:
            alias = spelled(token)
        else:
            path.append(spelled(token))
            at = match.start()
        last = token
    yield from _used(prefix, path, alias, at)


def _used(prefix: list[str], path: list[str], alias: str, at: int) -> Iterator[tuple[str, str, str, int]]:
    if not path:
        return
    full = prefix + path
    if full[-1] == "self" and len(full) > 1:
        full = full[:-1]
    name = "" if alias == "_" else alias or full[-1]
    if full == ["*"]:
        full = ["", "*"]
    if len(full) == 1 or (len(full) == 2 and not full[0] and full[1] != "*"):
        yield name, "::".join(full), "", at
    else:
        yield name, "::".join(full[:-1]), full[-1], at


def before(source: bytes, start: int) -> Before:
    """The attributes and comments directly above what begins at `start`."""
    if not may_end_comment(source, start):
        return Before(start, start, -1)
    at = first = start
    doc, between = -1, False
    while True:
        end = _trimmed(source, at)
        line = source.rfind(b"\n", 0, end) + 1
        words = source[line:end].lstrip()
        if words.startswith(b"//") and not words.startswith(b"//!"):
            at, between = end - len(words), True
            if words.startswith(b"///") and words[3:4] != b"/" and words[3:].strip():
                doc = at
        elif source[end - 2 : end] == b"*/" and (opened := _comment(source, end)) >= 0:
            at, between = opened, True
            if source.startswith(b"/**", at) and end - at > 5:
                doc = at + len(source[at + 3 : end]) - len(source[at + 3 : end].lstrip(b" \t\r\n*")) + 3
        elif source[end - 1 : end] == b"]" and (opened := _attribute(source, end)) >= 0:
            at = opened
            if source.startswith((b"#[doc =", b"#[doc="), at):
                doc = at
            if not between:
                first = at
        else:
            return Before(at, first, doc)


def may_end_comment(source: bytes, start: int) -> bool:
    """Whether a comment or an attribute may end right before `start`; no only where that's sure at a glance."""
    near = source[max(0, start - _NEAR) : start].rstrip()
    line = near.rfind(b"\n")
    return near[-1:] in _ENDS or b"//" in near[line + 1 :] or (line < 0 and start > _NEAR)


def _comment(source: bytes, end: int) -> int:
    """Where the block comment that ends here begins, if nothing but it stands in its line."""
    opened = source.rfind(b"/*", max(0, end - LONGEST), end - 2)
    if opened < 0 or source.startswith(b"/*!", opened):
        return -1
    return opened if not source[source.rfind(b"\n", 0, opened) + 1 : opened].strip() else -1


def _attribute(source: bytes, end: int) -> int:
    """Where the outer attribute whose bracket closes here begins."""
    at, least = end, max(0, end - FARTHEST)
    while (at := source.rfind(b"#[", least, at)) >= 0:
        if source.count(b"[", at, end) == source.count(b"]", at, end):
            return at
        least = max(least, source.rfind(b"\n\n", least, end))  # no attribute reaches over an empty line
    return -1


def _trimmed(source: bytes, at: int) -> int:
    """Where the words before `at` end."""
    while at > 0:
        least = max(0, at - 64)
        kept = len(source[least:at].rstrip(_SPACE))
        if kept:
            return least + kept
        at = least
    return 0


def impl_type(head: bytes) -> str:
    """What an `impl` is for, by the last name of its type's path: `Foo` for `<T> Tr<T> for &mut a::Foo<T> where ..`."""
    text = _COMMENT.sub(b" ", head).strip() if b"/" in head else head.strip()
    parameters: set[bytes] = set()
    at, end, depth, opens = 0, len(text), 0, b""
    for match in _PART.finditer(text):
        part = match.group()
        if part in _OPENING:
            depth += 1
        elif part in _CLOSING:
            depth -= 1
            if part == b">" and not depth and not at and text[:1] == b"<":
                at = match.end()
        elif depth == 1 and not at and text[:1] == b"<" and opens in (b"<", b",", b"const"):
            parameters.add(part)
        elif depth == 0 and part == b"for" and text[match.end() :].lstrip()[:1] != b"<":
            at = match.end()
        elif depth == 0 and part == b"where":
            end = match.start()
            break
        opens = part
    path = _TYPE.match(text, _BEFORE_TYPE.match(text, at, end).end(), end)  # type: ignore[union-attr]
    if path is None or path.group(2) in _NO_TYPE or (not path.group(1) and path.group(2) in parameters):
        return NO_NAME
    return spelled(path.group(2))
