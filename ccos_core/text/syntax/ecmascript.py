"""JavaScript and TypeScript sources, outlined.

Statements are walked for what is defined and handed out; uses are met in one flat sweep over captures, and only names
the file can know are looked at twice. Where such a name is given to something else, a parameter or a local, a stretch
of text is noted in which it means that, so hiding is one search in sorted numbers. Values and types are told apart: a
local `Foo` hides no type of that name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from ccos_core.text.syntax.ecmascript_commonjs import expression
from ccos_core.text.syntax.ecmascript_draft import Draft
from ccos_core.text.syntax.ecmascript_statements import Statements
from ccos_core.values.code import MODULE, Outline, Reference

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

_CHAIN = re.compile(rb"((?:\s*(?:!\s*)?\??\.\s*#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)*)(\s*(?:!\s*)?(?:\?\.\s*)?[(`])?")
_JOINTS = re.compile(rb"[\s!?]+")
_SELF = (b"this", b"super")
_TYPE = b":"
"""Put before a name that is a type's."""

_Stretches = dict[bytes, tuple[list[int], list[int]]]
"""Name → where stretches begin, and where they end; in order, none touching another."""


def outline(source: bytes, root: Node, captures: Captures) -> Outline:
    """The outline of a tree of JavaScript or TypeScript."""
    draft = Draft(source)
    _bind_loaded(draft, captures)
    Statements(draft, expression).read(root.named_children)
    draft.spans.sort()
    _take_loaded(draft, captures)
    imports = tuple(each for _, each in sorted(draft.imports, key=lambda pair: pair[0]))
    return Outline(tuple(draft.symbols), imports, _Uses(draft, captures).references())


def _bind_loaded(draft: Draft, captures: Captures) -> None:
    """Modules that are given a name by a declaration: `const x = require("x")`, wherever it stands."""
    for node in captures.get("loading", ()):
        loaded, pattern = draft.loaded(node.child_by_field_name("value")), node.child_by_field_name("name")
        if loaded is None or pattern is None:
            continue
        string, item = loaded
        module = draft.specifier(string)
        for named, part in draft.bound(pattern):
            draft.names.add(named.start_byte)
            draft.take(named, draft.text(named), module, item or part)


def _take_loaded(draft: Draft, captures: Captures) -> None:
    """Modules that are loaded without a name; and for all that calls load, the symbols they are loaded in."""
    for string in captures.get("loaded", ()):
        if string.start_byte not in draft.read and draft.is_loaded(string):
            draft.take(string, "", draft.specifier(string), draft.taken(string))
    inside = _Inside(draft.spans)
    for at, (start, told) in sorted(enumerate(draft.imports), key=lambda pair: pair[1][0]):
        owner = inside.of(start)
        if owner != MODULE and told.owner == MODULE and not told.exported and told.module:
            row = type(told)(told.name, told.module, told.item, told.line, owner)
            draft.imports[at] = (start, row)


class _Inside:
    """The innermost symbol at a place, asked from the first place to the last."""

    def __init__(self, spans: list[tuple[int, int, int]]) -> None:
        self.spans = spans
        self.at = 0
        self.stack: list[tuple[int, int]] = []

    def of(self, place: int) -> int:
        spans, stack = self.spans, self.stack
        while self.at < len(spans) and spans[self.at][0] <= place:
            start, end, symbol = spans[self.at]
            while stack and stack[-1][0] <= start:
                stack.pop()
            stack.append((-end, symbol))
            self.at += 1
        while stack and stack[-1][0] <= place:
            stack.pop()
        return stack[-1][1] if stack else MODULE


class _Uses:
    """One file's uses of names it can know."""

    def __init__(self, draft: Draft, captures: Captures) -> None:
        self.draft = draft
        self.captures = captures
        self.source = draft.source
        self.own = {*_SELF} | ({b"module", b"exports"} if draft.common else set())
        self.known = self._known()
        self.members = {symbol.name.rpartition(".")[2].encode() for symbol in draft.symbols if "." in symbol.name}
        self.skipped = draft.names | self._starts("part")
        self.hidden = self._hidden()
        self.aside = _joined([(node.start_byte, node.end_byte) for node in captures.get("aside", ())])
        self.bases = self._starts("base")
        self.decorated = self._starts("decorated")
        self.called = self._starts("generic")
        self._elements()

    def references(self) -> tuple[Reference, ...]:
        """All of them, in the order of the text."""
        found: dict[tuple[int, str, str], list[int]] = {}
        inside = _Inside(self.draft.spans)
        for start, end, word, typed, node in sorted(self._kept(), key=lambda each: each[0]):
            key = _TYPE + word if typed else word
            if start in self.skipped or _within(self.hidden.get(key), start) or _within(self.aside, start):
                continue
            used, owner = self._used(start, end, word, typed), inside.of(start)
            if used is not None and (owner != MODULE or word not in _SELF):
                told = found.setdefault((owner, *used), [node.start_point[0] + 1, 0])
                told[1] += 1
        rows = [Reference(chain, role, line, owner, n) for (owner, chain, role), (line, n) in found.items()]
        return tuple(sorted(rows, key=lambda each: (each.line, each.owner, each.chain, each.role)))

    def _kept(self) -> list[tuple[int, int, bytes, bool, Node]]:
        source, known = self.source, self.known
        kept = []
        for capture, typed in (("name", False), ("typename", True), ("self", False)):
            for node in self.captures.get(capture, ()):
                start, end = node.start_byte, node.end_byte
                word = source[start:end]
                if word in known:
                    kept.append((start, end, word, typed, node))
        return kept

    def _used(self, start: int, end: int, word: bytes, typed: bool) -> tuple[str, str] | None:
        """(chain, role) of a name at a place; None where it can mean nothing of this tree."""
        match = _CHAIN.match(self.source, end)
        tail, calls = (match.group(1), match.group(2)) if match else (b"", None)
        called = not typed and (calls is not None or start in self.called)
        chain = word + _JOINTS.sub(b"", tail)
        if word in self.own and not self._means_own(chain, called):
            return None
        if start in self.bases:
            role = "base"
        elif start in self.decorated:
            role = "decorator"
        elif typed or start in self.qualifiers:
            role = "type"
        else:
            role = "call" if called else "name"
        return chain.removeprefix(b"module." if word in self.own else b"").decode("utf-8", "replace"), role

    def _means_own(self, chain: bytes, called: bool) -> bool:
        """Whether a chain from `this`, `exports` or their like leads to something of the file or its bases."""
        head, *rest = chain.split(b".")
        if head == b"module":
            return len(rest) > 1 and rest[0] == b"exports"
        return bool(rest) and (called or head == b"exports" or rest[0] in self.members)

    def _known(self) -> set[bytes]:
        """Heads of chains that lead somewhere: what stands at the top or in a namespace, and what is imported."""
        self.qualifiers = self._starts("qualifier")
        kinds = {symbol.name: symbol.kind for symbol in self.draft.symbols}
        known = set(self.own)
        for symbol in self.draft.symbols:
            outer, _, name = symbol.name.rpartition(".")
            if not outer or kinds.get(outer) == "namespace":
                known.add(name.encode())
        return known | {told.name.encode() for _, told in self.draft.imports if told.name and not told.exported}

    def _starts(self, capture: str) -> set[int]:
        return {node.start_byte for node in self.captures.get(capture, ())}

    def _elements(self) -> None:
        for node in self.captures.get("element", ()):
            word = self.source[node.start_byte : node.end_byte]
            if word[:1].islower() and b"." not in word:
                self.skipped.add(node.start_byte)
            else:
                self.called.add(node.start_byte)

    # -- what hides what ------------------------------------------------------------------------------------------

    def _hidden(self) -> _Stretches:
        found: dict[bytes, list[tuple[int, int]]] = {}
        given = sorted(self._given(), key=lambda each: each[0])
        if given:
            scopes = _Scopes(self.captures)
            for start, word, capture in given:
                stretch = scopes.around(start, capture)
                if stretch is not None:
                    for key in _spellings(word, capture):
                        found.setdefault(key, []).append(stretch)
        for node in self.captures.get("rebinds", ()):
            if node.start_byte not in self.draft.own:
                found.setdefault(b"this", []).append((node.start_byte, node.end_byte))
        if b"this" in found:
            found[b"super"] = found[b"this"]
        return {name: _joined(stretches) for name, stretches in found.items()}

    def _given(self) -> list[tuple[int, bytes, str]]:
        """Each known name that is given to something that is no symbol."""
        given = []
        for capture in ("bound", "var", "hoisted", "retyped", "typed"):
            for node in self.captures.get(capture, ()):
                start = node.start_byte
                word = self.source[start : node.end_byte]
                if word in self.known and start not in self.draft.names:
                    given.append((start, word, capture))
                    self.skipped.add(start)
        return given


class _Scopes:
    """The stretch of text in which a name given at a place holds, asked from the first place to the last."""

    def __init__(self, captures: Captures) -> None:
        self.spans = sorted(
            (node.start_byte, -node.end_byte, kind) for kind in ("block", "function") for node in captures.get(kind, ())
        )
        self.at = 0
        self.stack: list[tuple[int, int, str]] = []

    def around(self, place: int, capture: str) -> tuple[int, int] | None:
        spans, stack = self.spans, self.stack
        while self.at < len(spans) and spans[self.at][0] <= place:
            while stack and -stack[-1][1] <= spans[self.at][0]:
                stack.pop()
            stack.append(spans[self.at])
            self.at += 1
        while stack and -stack[-1][1] <= place:
            stack.pop()
        fitting = stack[:-1] if capture in ("hoisted", "retyped") else stack  # a definition's name holds around it
        for start, end, kind in reversed(fitting):
            if capture != "var" or kind == "function":
                return start, -end
        return None


def _spellings(word: bytes, capture: str) -> tuple[bytes, ...]:
    """Whether a name is given to a value, to a type, or (classes, and functions with them) to both."""
    if capture in ("typed", "retyped"):
        return (_TYPE + word,)
    return (word, _TYPE + word) if capture == "hoisted" else (word,)


def _joined(stretches: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(stretches):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def _within(stretches: tuple[list[int], list[int]] | None, place: int) -> bool:
    if not stretches:
        return False
    at = bisect_right(stretches[0], place) - 1
    return at >= 0 and place < stretches[1][at]
