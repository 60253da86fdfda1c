"""Go sources, outlined.

What is declared at the top becomes a symbol, what is declared inside of a function hides what is outside
(`go_scopes`), and what is used is noted with the symbol it stands in. Names that nothing in the file defines are kept,
since another file of the package may.

A dot leads further than the name before it, so outlines say where: the *base* of a type is what it embeds or stands
for, the base of a function, variable or field is the one named type it gives first or is of. The package clause is an
import of everything, from `package NAME`: that is what it does for the names of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from ccos_core.text.syntax.go_paths import default_name
from ccos_core.text.syntax.go_scopes import DOT, NAME, Scopes
from ccos_core.text.syntax.outlining import Nested, Text, Uses
from ccos_core.values.code import MODULE, Import, Outline, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

_WORD = re.compile(NAME)
_NAMES = re.compile(rb"(" + NAME + rb")((?:\s*,\s*" + NAME + rb")*)\s*(:=\s*)?")
"""Names with commas between, and whether they are given values there."""
_FUNCTION = re.compile(rb"func\s+" + NAME)
_TYPE_NAMES = re.compile(rb"\s*\[\s*(" + NAME + rb"(?:\s*,\s*" + NAME + rb")*)\s*,?\s*\]")
_DIRECTIVE = re.compile(rb"\s*//(?:[a-z0-9]+:[a-z0-9]|nolint\b|export\b|extern\b|\s*\+build\b)")
"""A comment that is meant for tools."""
_COMMENT_BYTES = 20_000
_REACH_BYTES = 80
"""How far back to look for what an element stands behind."""
_KINDS = {"struct_type": "struct", "interface_type": "interface"}
_MET = (
    *("package", "import", "function", "literal", "type", "value", "field", "method", "element", "shape"),
    *("switch", "case", "parameter", "generic", "short", "taken"),
)
"""Captures that declare something or have a meaning for what they hold; each is met by the method of its name."""


def outline(source: bytes, root: Node, captures: Captures) -> Outline:
    """The outline of a Go tree."""
    sweep = _Sweep(source, captures)
    sweep.run()
    return Outline(tuple(sweep.symbols), tuple(sweep.imports), sweep.uses.references())


class _Sweep(Text):
    """One file, met from its first byte to its last."""

    def __init__(self, source: bytes, captures: Captures) -> None:
        super().__init__(source)
        self.captures = captures
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.uses = Uses(self)
        self.owners = Nested(MODULE)
        self.scopes = Scopes(source, captures, self._named())
        self.local = 0
        """Where the function around this place ends."""
        self.switches: list[tuple[int, bytes]] = []
        """Type switches around this place, as (end, the name they give)."""
        self.repeated = b""
        """The last constant with a value of its own: those below without one repeat it."""
        self.skipped = _field_keys(captures)
        """Where a name stands that isn't used there."""
        self.bases: set[int] = set()
        """Where the name of a base begins."""
        self.called = {node.start_byte for node in captures.get("called", ())}
        self.docs: dict[int, int] = {}

    def run(self) -> None:
        scopes, skipped, bound, text = self.scopes, self.skipped, self.scopes.bound, self.scopes.source
        held: list[tuple[int, int, int, Callable[[Node, int, int], None], Node]] = [
            (node.start_byte, -(end := node.end_byte), end, getattr(self, f"_{kind}"), node)
            for kind in _MET
            for node in self.captures.get(kind, ())
        ]
        held.sort(key=itemgetter(0, 1))  # what holds comes before what it holds
        at = 0
        due = held[0][0] if held else len(text)
        for start, end, role in self._names():
            while due <= start:
                begin, _, to, handler, node = held[at]
                handler(node, begin, to)
                at += 1
                due = held[at][0] if at < len(held) else len(text)
            if start in skipped:
                continue
            if found := bound.get(text[start:end]):
                since, until, leads = found[-1]
                if since <= start < until and (not leads or text[end] != DOT):
                    continue  # most names are a function's own
            for chain, _, is_called in scopes.chains(start, end):
                if role == "type":
                    used_as = "call" if start in self.called else "base" if start in self.bases else "type"
                else:
                    used_as = "call" if is_called else role
                self.uses.note(self.owners.at(start), chain, used_as, start)
        for begin, _, to, handler, node in held[at:]:
            handler(node, begin, to)

    def _names(self) -> list[tuple[int, int, str]]:
        """Where names stand that aren't behind a dot, and the role they have there if nothing else is known."""
        source = self.scopes.source
        names = [(node.start_byte, node.end_byte, "name") for node in self.captures.get("name", ())]
        for node in self.captures.get("type_name", ()):
            start = node.start_byte
            if source[start - 1] != DOT or source[start - 3 : start] == b"...":
                names.append((start, node.end_byte, "type"))
        names.sort()
        return names

    def _named(self) -> frozenset[bytes]:
        """What the file calls by a name of its own."""
        found: set[bytes] = set()
        for kind, pattern in (("function", _FUNCTION), ("type", _NAMES), ("value", _NAMES)):
            for node in self.captures.get(kind, ()):
                match = pattern.match(self.source, node.start_byte, node.end_byte)
                found.update(_WORD.findall(match.group()) if match is not None else ())
        return frozenset(found)

    # -- where names come from ------------------------------------------------------------------------------------

    def _package(self, node: Node, start: int, end: int) -> None:
        name = node.named_child(0)
        if name is not None:
            self.imports.append(Import("*", f"package {self.text_of(name)}", "*", self.line(start)))

    def _import(self, node: Node, start: int, end: int) -> None:
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is not None:
            module = self.text_of(path)[1:-1]
            name = self.text_of(alias) if alias is not None else default_name(module)
            name, item = {".": ("*", "*"), "_": ("", "")}.get(name, (name, ""))
            self.imports.append(Import(name, module, item, self.line(start)))

    # -- what is defined ------------------------------------------------------------------------------------------

    def _function(self, node: Node, start: int, end: int) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        result, receiver = node.child_by_field_name("result"), node.child_by_field_name("receiver")
        self.scopes.enter(start, end, body.start_byte if body is not None else end)
        is_local, self.local = start < self.local, max(self.local, end)
        if name is None or is_local:  # the latter only in broken code
            return
        self.skipped.add(name.start_byte)
        head = result or node.child_by_field_name("parameters") or name
        of = self._received(receiver, end) if receiver is not None else ""
        self._symbol(of + self.text_of(name), "method" if receiver is not None else "function", node, name, head)
        self._gives(result)

    def _received(self, receiver: Node, end: int) -> str:
        """The type a method belongs to, with a dot; the type's parameters get their names here."""
        for each in receiver.named_children:
            of = each.child_by_field_name("type") if each.type == "parameter_declaration" else None
            chain, at = self.scopes.type_of(of)
            if of is not None and chain:
                match = _TYPE_NAMES.match(self.source, at + len(chain), of.end_byte)
                for word in _WORD.findall(match.group(1)) if match is not None else ():
                    self.scopes.bind(word, receiver.start_byte, end, b"")
                return chain.decode("utf-8", "replace") + "."
        return ""

    def _gives(self, result: Node | None) -> None:
        """The base of a function is the type it gives, or gives first."""
        if result is not None and result.type == "parameter_list":
            first = next((each for each in result.named_children if each.type == "parameter_declaration"), None)
            result = first.child_by_field_name("type") if first is not None else None
        self.bases.add(self.scopes.type_of(result)[1])

    def _type(self, node: Node, start: int, end: int) -> None:
        name, of = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None:
            return
        self.skipped.add(name.start_byte)
        if start < self.local:
            self.scopes.bind(self.bytes_of(name), start, self.scopes.innermost(start)[0], b"")
        else:
            kind = _KINDS.get(of.type if of is not None else "", "type")
            self._symbol(self.text_of(name), kind, node, name, of or name)
            self.bases.add(self.scopes.type_of(of)[1])
        self.scopes.enter(start, end, end)  # for its parameters

    def _value(self, node: Node, start: int, end: int) -> None:
        names = [each for each in node.children_by_field_name("name") if each.type == "identifier"]
        self.skipped.update(each.start_byte for each in names)
        of, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        base, at = self.scopes.type_of(of)
        values = value.named_children if value is not None and of is None else []
        if start < self.local:
            until = self.scopes.innermost(start)[0]
            for nth, name in enumerate(names):
                self.scopes.bind(self.bytes_of(name), end, until, base or self._nth(values, len(names), nth))
            return
        kind = "constant" if node.type == "const_spec" else "variable"
        placed = [(nth, text) for nth, name in enumerate(names) if (text := self.text_of(name)) not in ("", "_")]
        first = len(self.symbols)
        for nth, text in placed:
            self._symbol(text, kind, node, names[nth], names[nth], owns=len(self.symbols) == first)
        if placed:
            self.bases.add(at)
        for index, (nth, _) in enumerate(placed, first):
            if base and index > first:
                self.uses.note(index, base, "base", at)
            elif not base and (leads := self._nth(values, len(names), nth)):
                self.uses.note(index, leads, "base", values[0].start_byte)
        if (
            kind == "constant" and names
        ):  # without a value it has the one of the last that had any, with the next `iota`
            if value is not None:
                self.repeated = self.bytes_of(names[0])
            elif self.repeated not in (b"", b"_"):
                for index in range(first, len(self.symbols)):
                    self.uses.note(index, self.repeated, "name", names[0].start_byte)
                    self.uses.note(index, self.repeated, "base", names[0].start_byte)

    def _outer(self, start: int, *kinds: str) -> Symbol | None:
        """The symbol around a place, if it is at the top and of one of these kinds."""
        owner = self.owners.at(start)
        is_known = start >= self.local and owner != MODULE and self.symbols[owner].kind in kinds
        return self.symbols[owner] if is_known else None

    def _field(self, node: Node, start: int, end: int) -> None:
        outer = self._outer(start, "struct", "field")
        if outer is None:
            return
        of = node.child_by_field_name("type")
        base, at = self.scopes.type_of(of)
        self.bases.add(at)
        first = len(self.symbols)
        for name in node.children_by_field_name("name"):
            if name.type == "field_identifier" and (text := self.text_of(name)) != "_":
                self._symbol(f"{outer.name}.{text}", "field", node, name, of or name, owns=len(self.symbols) == first)
        for later in range(first + 1, len(self.symbols)) if base else ():
            self.uses.note(later, base, "base", at)

    def _method(self, node: Node, start: int, end: int) -> None:
        outer, name = self._outer(start, "interface"), node.child_by_field_name("name")
        if outer is not None and name is not None:
            self._symbol(f"{outer.name}.{self.text_of(name)}", "method", node, name, node)
            self._gives(node.child_by_field_name("result"))
        self.scopes.enter(start, end, end)

    def _element(self, node: Node, start: int, end: int) -> None:
        """What stands alone in an interface is embedded; between brackets it is an argument."""
        if self._outer(start, "interface") is not None:
            before = self.source[max(0, start - _REACH_BYTES) : start].rstrip(b" \t\r")[-1:]
            if before in (b"{", b";", b"\n") and node.named_child_count == 1:
                self.bases.add(start)

    def _symbol(self, name: str, kind: str, node: Node, at: Node, head: Node, owns: bool = True) -> None:
        start, end = node.start_byte, node.end_byte
        if at.start_byte == at.end_byte:
            return  # missing in broken code
        if owns:
            self.owners.enter(end, len(self.symbols))
        # The head of what has members ends where they begin.
        ends = head.start_byte if head.type in _KINDS else max(head.end_byte - 1, start)
        first, line, last = self.line(start), self.line(at.start_byte), self.line(max(end - 1, start))
        self.symbols.append(Symbol(name, kind, line, first, max(line, self.line(ends)), last, self._doc(first)))

    def _doc(self, first: int) -> int:
        """The first line that says something in the comments right above a line; 0 where there is none."""
        if first not in self.docs:
            line = first
            while line > 1:
                text = self.source[self.starts[line - 2] : self.starts[line - 1]].strip()
                if text.startswith(b"//"):
                    line -= 1
                    continue
                end = self.starts[line - 1]
                opened = self.source.rfind(b"/*", max(0, end - _COMMENT_BYTES), end) if text.endswith(b"*/") else -1
                begins = self.line(opened)
                if opened < 0 or self.source[self.starts[begins - 1] : opened].strip():
                    break  # no comment, or one that belongs to what stands before it
                line = begins
            self.docs[first] = next((each for each in range(line, first) if self._says(each)), 0)
        return self.docs[first]

    def _says(self, line: int) -> bool:
        text = self.source[self.starts[line - 1] : self.starts[line]]
        return bool(_WORD.search(text)) and not _DIRECTIVE.match(text)

    # -- what is bound --------------------------------------------------------------------------------------------

    def _literal(self, node: Node, start: int, end: int) -> None:
        body = node.child_by_field_name("body")
        self.scopes.enter(start, end, body.start_byte if body is not None else end)
        self.local = max(self.local, end)

    def _shape(self, node: Node, start: int, end: int) -> None:
        self.scopes.enter(start, end, end)

    def _switch(self, node: Node, start: int, end: int) -> None:
        self.scopes.enter(start, end, start)
        alias, value = node.child_by_field_name("alias"), node.child_by_field_name("value")
        name = alias.named_child(0) if alias is not None else None
        self.switches.append((end, self.bytes_of(name) if name is not None else b""))
        if name is not None:
            self.skipped.add(name.start_byte)
            self.scopes.bind(self.bytes_of(name), value.end_byte if value is not None else start, end, b"")

    def _case(self, node: Node, start: int, end: int) -> None:
        self.scopes.enter(start, end, start)
        while self.switches and self.switches[-1][0] <= start:
            self.switches.pop()
        types = node.children_by_field_name("type")
        if self.switches and self.switches[-1][1] and len(types) == 1:
            self.scopes.bind(self.switches[-1][1], types[0].end_byte, end, self.scopes.type_of(types[0])[0])

    def _parameter(self, node: Node, start: int, end: int) -> None:
        if (names := _NAMES.match(self.source, start, end)) is not None:
            until, since = self.scopes.innermost(start)
            leads = self.scopes.type_at(names.end(), end)[0]  # of `xs ...T` only the elements are of the type
            self._bind(names, since, until, leads, leads)

    def _generic(self, node: Node, start: int, end: int) -> None:
        if (names := _NAMES.match(self.source, start, end)) is not None:
            self._bind(names, start, self.scopes.innermost(start)[0], b"", b"")

    def _short(self, node: Node, start: int, end: int) -> None:
        if (names := _NAMES.match(self.source, start, end)) is not None:
            # What a call gives first is the first one's; what follows isn't known.
            leads = self.scopes.value(names.end(), end) if names.group(3) else b""
            self._bind(names, end, self.scopes.innermost(start)[0], leads, b"")

    _taken = _short

    def _bind(self, names: re.Match[bytes], since: int, until: int, leads: bytes, others: bytes) -> None:
        """Bind the names that stand there: what the first leads into, and what the others do."""
        self.skipped.add(names.start(1))
        self.scopes.bind(names.group(1), since, until, leads)
        for match in _WORD.finditer(names.group(2)) if names.group(2) else ():
            self.skipped.add(names.start(2) + match.start())
            self.scopes.bind(match.group(), since, until, others)

    def _nth(self, values: list[Node], names: int, nth: int) -> bytes:
        """What the nth of several names leads into: its own value, or the first result of the one there is."""
        value = values[nth] if len(values) == names else values[0] if len(values) == 1 and nth == 0 else None
        return self.scopes.value(value.start_byte, value.end_byte) if value is not None else b""


def _field_keys(captures: Captures) -> set[int]:
    """Where names stand before a colon in a literal that may be of a struct: they are its fields."""
    plain = {node.end_byte for node in captures.get("without_fields", ())}
    literals = sorted((node.start_byte, -node.end_byte, node.start_byte) for node in captures.get("members", ()))
    around = Nested(-1, literals)
    keys = sorted(node.start_byte for node in captures.get("key", ()))
    return {key for key in keys if around.at(key) not in plain}
