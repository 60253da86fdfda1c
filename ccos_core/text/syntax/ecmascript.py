"""JavaScript and TypeScript sources, outlined.

Statements are walked for what is defined and handed out; uses are met in one flat sweep over captures, and only names
the file can know are looked at twice. Where such a name is given to something else, a parameter or a local, a stretch
of text is noted in which it means that, so hiding is one search in sorted numbers. Values and types are told apart: a
local `Foo` hides no type of that name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING

from ccos_core.text.syntax.ecmascript_commonjs import expression
from ccos_core.text.syntax.ecmascript_draft import Draft
from ccos_core.text.syntax.ecmascript_statements import Statements
from ccos_core.text.syntax.outlining import Nested, Uses
from ccos_core.values.code import MODULE, Outline

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
    names = _Names(draft, captures)
    names.read()
    return Outline(tuple(draft.symbols), imports, names.references())


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
            draft.take(named, draft.text_of(named), module, item or part)


def _take_loaded(draft: Draft, captures: Captures) -> None:
    """Modules that are loaded without a name; and for all that calls load, the symbols they are loaded in."""
    for string in captures.get("loaded", ()):
        if string.start_byte not in draft.read and draft.is_loaded(string):
            draft.take(string, "", draft.specifier(string), draft.taken(string))
    inside = Nested(MODULE, draft.spans)
    for at, (start, each) in sorted(enumerate(draft.imports), key=lambda pair: pair[1][0]):
        owner = inside.at(start)
        if owner != MODULE and each.owner == MODULE and not each.exported and each.module:
            draft.imports[at] = (start, each._replace(owner=owner))


class _Names(Uses):
    """One file's uses of names it can know."""

    def __init__(self, draft: Draft, captures: Captures) -> None:
        super().__init__(draft)
        self.draft = draft
        self.captures = captures
        self.source = draft.source
        self.own = {*_SELF} | ({b"module", b"exports"} if draft.common else set())
        self.qualifiers = self._starts("qualifier")
        self.known = self._known()
        self.members = {symbol.name.rpartition(".")[2].encode() for symbol in draft.symbols if "." in symbol.name}
        self.skipped = draft.names | self._starts("part")
        self.hidden = self._hidden()
        self.aside = _join([(node.start_byte, node.end_byte) for node in captures.get("aside", ())])
        self.bases = self._starts("base")
        self.decorated = self._starts("decorated")
        self.called = self._starts("generic")
        for node in captures.get("element", ()):
            word = self.source[node.start_byte : node.end_byte]
            is_platform = word[:1].islower() and b"." not in word
            (self.skipped if is_platform else self.called).add(node.start_byte)

    def read(self) -> None:
        """Note every use, in the order of the text."""
        source, known = self.source, self.known
        kept = [
            (start, end, word, typed)
            for capture, typed in (("name", False), ("typename", True), ("self", False))
            for node in self.captures.get(capture, ())
            if (word := source[(start := node.start_byte) : (end := node.end_byte)]) in known
        ]
        kept.sort(key=itemgetter(0))
        inside = Nested(MODULE, self.draft.spans)
        for start, end, word, typed in kept:
            key = _TYPE + word if typed else word
            if start in self.skipped or _is_within(self.hidden.get(key), start) or _is_within(self.aside, start):
                continue
            used, owner = self._used(start, end, word, typed), inside.at(start)
            if used is not None and (owner != MODULE or word not in _SELF):
                self.note(owner, *used, start)

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
        kinds = {symbol.name: symbol.kind for symbol in self.draft.symbols}
        known = set(self.own)
        for symbol in self.draft.symbols:
            outer, _, name = symbol.name.rpartition(".")
            if not outer or kinds.get(outer) == "namespace":
                known.add(name.encode())
        return known | {each.name.encode() for _, each in self.draft.imports if each.name and not each.exported}

    def _starts(self, capture: str) -> set[int]:
        return {node.start_byte for node in self.captures.get(capture, ())}

    # -- what hides what ------------------------------------------------------------------------------------------

    def _hidden(self) -> _Stretches:
        found: dict[bytes, list[tuple[int, int]]] = {}
        given = sorted(self._given(), key=itemgetter(0))
        spans = [
            (node.start_byte, -node.end_byte, (node.start_byte, kind))
            for kind in ("block", "function")
            for node in (self.captures.get(kind, ()) if given else ())
        ]
        spans.sort()
        around = Nested((0, ""), spans)
        for place, word, capture in given:
            around.at(place)
            # A definition's name holds around it, a `var` in all of the function.
            fitting = around.open[:-1] if capture in ("hoisted", "retyped") else around.open
            kinds = ("function",) if capture == "var" else ("function", "block")
            stretch = next(((start, end) for end, (start, kind) in reversed(fitting) if kind in kinds), None)
            if stretch is not None:
                for key in _spellings(word, capture):
                    found.setdefault(key, []).append(stretch)
        for node in self.captures.get("rebinds", ()):
            if node.start_byte not in self.draft.own:
                found.setdefault(b"this", []).append((node.start_byte, node.end_byte))
        if b"this" in found:
            found[b"super"] = found[b"this"]
        return {name: _join(stretches) for name, stretches in found.items()}

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


def _spellings(word: bytes, capture: str) -> tuple[bytes, ...]:
    """Whether a name is given to a value, to a type, or (classes, and functions with them) to both."""
    if capture in ("typed", "retyped"):
        return (_TYPE + word,)
    return (word, _TYPE + word) if capture == "hoisted" else (word,)


def _join(stretches: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(stretches):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def _is_within(stretches: tuple[list[int], list[int]] | None, place: int) -> bool:
    if not stretches:
        return False
    at = bisect_right(stretches[0], place) - 1
    return at >= 0 and place < stretches[1][at]
