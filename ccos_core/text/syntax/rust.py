"""Rust sources, outlined.

Spans are met in the order of the text; names are judged by the innermost span around them (`rust_names`).

Symbols are called as a path would call them: by the inline modules around them and, in an `impl`, by its type,
whichever trait it is for (`Type.method`; `impl.method` where that is no named type). The base of a type is a trait it
has, that of a function the type it gives. In imports, `mod x;` takes `x` from `mod` (from `mod:FILE` where a `path`
attribute says so), and `#[macro_use]` takes `*!`, all macros. A doc comment lies above the span, so that showing an
item costs no more than the item. In references `a::b` is `a.b`, a leading `::` an empty first name, `self::x` plain
`x`, and a macro keeps its `!`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from ccos_core.text.syntax.outlining import Text
from ccos_core.text.syntax.rust_given import Given, given
from ccos_core.text.syntax.rust_names import Names
from ccos_core.text.syntax.rust_scopes import ATTRIBUTE, NORMAL, SILENT, TOKENS, Span, given_type
from ccos_core.text.syntax.rust_text import (
    IDENT,
    Before,
    before,
    impl_type,
    is_public,
    may_end_comment,
    spelled,
    use_tree,
)
from ccos_core.values.code import MODULE, Import, Outline, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

DEEPEST = 200
"""Spans around another that count; what lies deeper belongs to these."""
LONGEST = 1_000
"""Letters of a name that others are qualified with."""
_NEAR = 80
_ENDS = (b";", b"{", b"}", b"]")
"""What stands before an item, if anything does."""

ITEMS = ("function", "struct", "enum", "union", "trait", "impl", "constant", "static", "type", "macro", "module")
SCOPES = frozenset(ITEMS) - {"module", "macro"}
_MODES = {"tokens": TOKENS, "attribute": ATTRIBUTE, "silent": SILENT, "use": SILENT, "crate": SILENT}
_LOCAL = frozenset(("function", "constant", "static", "macro"))
_TYPES = frozenset(("struct", "enum", "union", "trait", "type"))
_IMPL = re.compile(rb"\bimpl\b")
_PATH = re.compile(rb"\bpath\s*=\s*\"([^\"]*)\"")
_CRATE = re.compile(rb"\bextern\s+crate\s+(" + IDENT + rb")(?:\s+as\s+(" + IDENT + rb"))?")


class _Item(Span):
    """A definition, with the name it gives to what is inside."""

    __slots__ = ("before", "given", "local", "opaque", "prefix")

    def __init__(self, kind: str, node: Node | None, above: Before, end: int, made: Given | None = None) -> None:
        super().__init__(kind, node, above.start, end)
        self.before = above
        self.given = made
        self.local = False
        """Whether it lies in a function, so that nothing outside can name it."""
        self.opaque = kind in _LOCAL
        """Whether what is inside of it is local; `const _` only holds things together."""
        self.prefix = ""


def outline(source: bytes, root: Node, captures: Captures) -> Outline:
    """The outline of a Rust tree."""
    sweep = _Sweep(source, captures)
    sweep.define()
    imports = tuple(each for _, each in sorted(sweep.taken, key=itemgetter(0)))
    names = Names(sweep, captures, sweep.spans)
    names.bases, names.skipped = sweep.bases, names.skipped | sweep.named
    names.read(sweep.symbols, imports, sweep.selves)
    return Outline(tuple(sweep.symbols), imports, names.references())


class _Sweep(Text):
    """One file, met from its first byte to its last: what it defines and imports."""

    def __init__(self, source: bytes, captures: Captures) -> None:
        super().__init__(source)
        self.symbols: list[Symbol] = []
        self.taken: list[tuple[int, Import]] = []
        """What is imported, with where that is said."""
        self.named: set[int] = set()
        """Where the names of definitions stand."""
        self.bases: set[int] = set()
        """Where their bases stand: traits, and types that functions give."""
        self.selves: list[tuple[int, int]] = []
        """Functions that give their own type, and where they say so."""
        self.spans = sorted(self._spans(captures), key=lambda span: (span.start, -span.end))

    def _spans(self, captures: Captures) -> Iterator[Span]:
        for kind in (*ITEMS, "variant"):
            for node in captures.get(kind, ()):
                yield _Item(kind, node, before(self.source, node.start_byte), node.end_byte)
        for kind in ("let", "reach", *_MODES):
            for node in captures.get(kind, ()):
                yield Span(kind, node, node.start_byte, node.end_byte)
        for node in captures.get("invocation", ()):
            if self._stands_alone(start := node.start_byte):
                for made in given(self.source, start, node.end_byte):
                    yield _Item(made.kind, None, before(self.source, made.start), made.end, made)

    def _stands_alone(self, start: int) -> bool:
        """Whether an item may begin there, by what stands before it."""
        near = self.source[max(0, start - _NEAR) : start].rstrip()
        if near[-1:] in _ENDS or not near:
            return True
        if not may_end_comment(self.source, start):
            return False
        at = before(self.source, start).start
        return at < start and self.source[max(0, at - _NEAR) : at].rstrip()[-1:] in _ENDS

    def define(self) -> None:
        """Fill in symbols and imports, and who owns which span."""
        stack: list[Span] = []
        impls: list[_Item] = []
        spans, self.spans = self.spans, []
        for span in spans:
            while stack and stack[-1].end <= span.start:
                stack.pop()
            if len(stack) >= DEEPEST:
                continue
            self.spans.append(span)
            self._enter(span, stack[-1] if stack else None)
            if isinstance(span, _Item):
                if span.kind == "impl":
                    impls.append(span)
                self._item(span)
            elif span.kind == "crate":
                self._crate(span)
            stack.append(span)
        self._own(impls)
        for span in self.spans:
            if span.kind == "use" and not (isinstance(span, _Item) and span.local):
                made = span.given if isinstance(span, _Item) else None
                self._use(made.start if made is not None else span.start, span.end, span.owner)

    def _enter(self, span: Span, outer: Span | None) -> None:
        span.mode = _MODES.get(span.kind, NORMAL)
        is_item = isinstance(span, _Item)
        if outer is not None:
            span.outer, span.item, span.scope = outer, outer.item, outer.scope
            if outer.mode > span.mode and (span.node is None or not is_item):
                span.mode = outer.mode
        if isinstance(span, _Item):
            if isinstance(span.item, _Item):
                span.local = span.item.local or span.item.opaque
            if span.kind != "use":
                span.item = span
            if span.kind in SCOPES:
                span.has_names()

    def _own(self, impls: list[_Item]) -> None:
        """Give every span its symbol: an impl is its type's, where the file defines that."""
        types: dict[str, int] = {}
        for at, symbol in enumerate(self.symbols):
            if symbol.kind in _TYPES:
                types.setdefault(symbol.name, at)
        for each in impls:
            if not each.local:
                each.symbol = types.get(each.prefix, MODULE)
        for span in self.spans:
            if span.symbol != MODULE:
                span.owner = span.symbol
            elif span.outer is not None:
                span.owner = span.outer.owner

    # -- definitions ----------------------------------------------------------------------------------------------

    def _item(self, span: _Item) -> None:
        outer = _around(span)
        prefix = outer.prefix if outer is not None else ""
        if span.kind == "use":
            return
        if span.kind == "impl":
            span.prefix = _joined(prefix, self._type(span))
            return
        named = span.node.child_by_field_name("name") if span.node is not None else None
        if span.given is not None:
            at, name = span.given.at, span.given.name
        else:
            at = named.start_byte if named is not None else span.start
            name = spelled(self.source[at : named.end_byte if named is not None else at])
        self.named.add(at)
        body = span.node.child_by_field_name("body") if span.node is not None else None
        if span.kind == "module" and body is None and not (span.given is not None and span.given.whole):
            if span.given is None or not span.local:
                self._declared(span, name)
        elif name == "_":
            span.prefix, span.opaque = prefix, False
        elif span.local or len(prefix) > LONGEST:
            if span.given is None and outer is not None and outer.scope is not None and outer.kind in _LOCAL:
                outer.scope.items.add(name.encode())
            span.prefix = name
        else:
            span.prefix = _joined(prefix, name)
            span.symbol = len(self.symbols)
            self.symbols.append(self._symbol(span, at, body, outer))
            if span.node is not None:
                self._leans(span.node, span.kind, span.symbol)

    def _symbol(self, span: _Item, at: int, body: Node | None, outer: _Item | None) -> Symbol:
        kind = span.kind
        if kind == "function" and outer is not None and outer.kind in ("impl", "trait"):
            kind = "method"
        line, last = self.line(at), self.line(max(span.start, span.end - 1))
        head = span.end
        if span.given is not None:
            head = span.given.head
        elif body is not None and self.source[body.start_byte] == 0x7B:  # {
            head = body.start_byte
        elif kind in ("constant", "static") and span.node is not None:
            value = span.node.child_by_field_name("value")
            head = value.start_byte if value is not None else head
        elif kind == "macro":
            head = at + 1
        signature = self.line(max(at, len(self.source[at:head].rstrip()) + at - 1))
        first = min(line, self.line(span.before.first))
        doc = self.line(span.before.doc) if span.before.doc >= 0 else 0
        return Symbol(span.prefix, kind, line, first, signature, last, doc)

    def _leans(self, node: Node, kind: str, symbol: int) -> None:
        """Note where the bases of a function or trait stand: what it gives, what it asks for."""
        if kind == "function" and (given := node.child_by_field_name("return_type")) is not None:
            at, path = given_type(self.source, given.start_byte, given.end_byte)
            self.bases.add(at)
            if path == b"Self":
                self.selves.append((symbol, at))
        elif kind == "trait" and (bounds := node.child_by_field_name("bounds")) is not None:
            self.bases.update(each.start_byte for each in bounds.named_children)

    def _type(self, span: _Item) -> str:
        """What an impl is for."""
        if span.given is not None or span.node is None:
            return span.given.name if span.given is not None else ""
        body, trait = span.node.child_by_field_name("body"), span.node.child_by_field_name("trait")
        if trait is not None:
            self.bases.add(trait.start_byte)
        word = _IMPL.search(self.source, span.node.start_byte)
        end = body.start_byte if body is not None else span.end
        return impl_type(self.source[word.end() : end]) if word is not None else ""

    # -- imports --------------------------------------------------------------------------------------------------

    def _declared(self, span: _Item, name: str) -> None:
        """`mod x;`"""
        start = span.node.start_byte if span.node is not None else span.given.start if span.given else span.start
        above = self.source[span.before.start : start]
        line, owner, public = self.line(start), self._place(span), is_public(self.source[start : start + 8])
        files = [match.group(1).decode("utf-8", "replace") for match in _PATH.finditer(above)]
        if not files or b"cfg_attr" in above:
            self.taken.append((start, Import(name, "mod", name, line, owner, public)))
        for file in files:
            self.taken.append((start, Import(name, f"mod:{file}", name, line, owner, public)))
        if b"macro_use" in above:
            self.taken.append((start, Import("*", f"self::{name}", "*!", line, owner)))

    def _crate(self, span: Span) -> None:
        """`extern crate x as y;`"""
        match = _CRATE.search(self.source, span.start, span.end)
        if match is None:
            return
        name, alias = spelled(match.group(1)), spelled(match.group(2) or match.group(1))
        module = "crate" if name == "self" else f"::{name}"
        line, owner = self.line(match.start()), self._place(span)
        public = is_public(self.source[span.start : span.end])
        self.taken.append((span.start, Import("" if alias == "_" else alias, module, "", line, owner, public)))
        if b"macro_use" in self.source[before(self.source, span.start).start : span.start]:
            self.taken.append((span.start, Import("*", module, "*!", line, owner)))

    def _use(self, start: int, end: int, owner: int) -> None:
        text = self.source[start:end]
        public = is_public(text)
        for name, module, item, at in use_tree(text):
            line = self.line(start + at)
            self.taken.append((start + at, Import(name, module, item, line, owner, public)))

    def _place(self, span: Span) -> int:
        """The symbol around it, while owners aren't given yet."""
        outer: Span | None = span.outer
        while outer is not None and outer.symbol == MODULE:
            outer = outer.outer
        return outer.symbol if outer is not None else MODULE


def _around(span: _Item) -> _Item | None:
    """The item around one, through blocks and macros that have no name."""
    outer = span.outer
    while outer is not None:
        if isinstance(outer, _Item) and outer.kind != "use":
            return outer
        outer = outer.outer
    return None


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
