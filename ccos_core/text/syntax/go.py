"""Go sources, outlined.

One sweep over everything the query found, in the order of the text: what is declared at the top becomes a symbol, what
is declared inside of a function hides what is outside (`go_scopes`), and what is used is noted with the symbol it
stands in. Names that nothing in the file defines are kept, since another file of the package may.

A dot leads further than the name before it, so outlines say where: the *base* of a type is what it embeds or stands
for, the base of a function, variable or field is the one named type it gives first or is of. The package clause is an
import of everything, from `package NAME`: that is what it does for the names of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from ccos_core.text.syntax.go_paths import called
from ccos_core.text.syntax.go_scopes import DOT, NAME, Scopes
from ccos_core.text.syntax.go_text import NAMES, WORD, Lines, field_keys, named
from ccos_core.values.code import MODULE, Import, Outline, Reference, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

_TYPE_NAMES = re.compile(rb"\s*\[\s*(" + NAME + rb"(?:\s*,\s*" + NAME + rb")*)\s*,?\s*\]")
_NEAR = 80
"""Bytes looked back for what an element stands behind."""
_KINDS = {"struct_type": "struct", "interface_type": "interface"}


def outline(source: bytes, root: Node, captures: Captures) -> Outline:
    """The outline of a Go tree."""
    sweep = _Sweep(source, captures)
    sweep.run()
    return Outline(tuple(sweep.symbols), tuple(sweep.imports), tuple(sweep.references()))


class _Sweep:
    """One file, met from its first byte to its last."""

    def __init__(self, source: bytes, captures: Captures) -> None:
        self.source = source
        self.captures = captures
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.uses: dict[tuple[int, bytes, str], list[int]] = {}
        arguments = {node.start_byte: node.end_byte for node in captures.get("arguments", ())}
        blocks = sorted((node.start_byte, node.end_byte) for node in captures.get("block", ()))
        self.scopes = Scopes(source, blocks, arguments, named(source, captures))
        self.owners: list[tuple[int, int]] = []
        """Symbols around this place, as (end, place in the outline)."""
        self.local = 0
        """Where the function around this place ends."""
        self.switches: list[tuple[int, bytes]] = []
        """Type switches around this place, as (end, the name they give)."""
        self.repeated = b""
        """The last constant with a value of its own: those below without one repeat it."""
        self.skipped = field_keys(captures)
        """Where a name stands that isn't used there."""
        self.bases: set[int] = set()
        """Where the name of a base begins."""
        self.called = {node.start_byte for node in captures.get("called", ())}
        self.lines = Lines(source)

    def run(self) -> None:
        scopes, skipped, bound, text = self.scopes, self.skipped, self.scopes.bound, self.scopes.source
        held, at = self._held(), 0
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
                self._note(self._owner(start), chain, self._role(start, role, is_called), start)
        for begin, _, to, handler, node in held[at:]:
            handler(node, begin, to)

    def _held(self) -> list[tuple[int, int, int, Callable[[Node, int, int], None], Node]]:
        """All that is declared or has a meaning for what it holds, as (start, -end, end, what to do, with what)."""
        handlers: dict[str, Callable[[Node, int, int], None]] = {
            "package": self._package,
            "import": self._import,
            "function": self._function,
            "literal": self._literal,
            "type": self._type,
            "value": self._value,
            "field": self._field,
            "method": self._method,
            "element": self._element,
            "shape": self._shape,
            "switch": self._switch,
            "case": self._case,
            "parameter": self._parameter,
            "generic": self._generic,
            "short": self._short,
            "taken": self._short,
        }
        held = [
            (node.start_byte, -(end := node.end_byte), end, handler, node)
            for kind, handler in handlers.items()
            for node in self.captures.get(kind, ())
        ]
        held.sort(key=itemgetter(0, 1))  # what holds comes before what it holds
        return held

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

    def _role(self, start: int, role: str, is_called: bool) -> str:
        if role == "type":
            return "call" if start in self.called else "base" if start in self.bases else "type"
        return "call" if is_called else role

    def references(self) -> list[Reference]:
        found = [
            Reference(chain.decode("utf-8", "replace"), role, self.lines.line(at), owner, n)
            for (owner, chain, role), (at, n) in self.uses.items()
        ]
        found.sort(key=lambda each: (each.line, each.owner, each.chain, each.role))
        return found

    # -- where names come from ------------------------------------------------------------------------------------

    def _package(self, node: Node, start: int, end: int) -> None:
        name = node.named_child(0)
        if name is not None:
            self.imports.append(Import("*", f"package {self._text(name)}", "*", self.lines.line(start)))

    def _import(self, node: Node, start: int, end: int) -> None:
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is None:
            return
        module = self._text(path)[1:-1]
        name = self._text(alias) if alias is not None else called(module)
        name, item = {".": ("*", "*"), "_": ("", "")}.get(name, (name, ""))
        self.imports.append(Import(name, module, item, self.lines.line(start)))

    # -- what is defined ------------------------------------------------------------------------------------------

    def _function(self, node: Node, start: int, end: int) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        result, receiver = node.child_by_field_name("result"), node.child_by_field_name("receiver")
        self.scopes.enter(start, end, body.start_byte if body is not None else end)
        local, self.local = start < self.local, max(self.local, end)
        if name is None or local:  # the latter only in broken code
            return
        self.skipped.add(name.start_byte)
        head = result or node.child_by_field_name("parameters") or name
        of = self._received(receiver, end) if receiver is not None else ""
        self._symbol(of + self._text(name), "method" if receiver is not None else "function", node, name, head)
        self._gives(result)

    def _received(self, receiver: Node, end: int) -> str:
        """The type a method belongs to, with a dot; the type's parameters get their names here."""
        for each in receiver.named_children:
            if each.type == "parameter_declaration":
                of = each.child_by_field_name("type")
                chain, at = self.scopes.type_of(of)
                if of is not None and chain:
                    told = _TYPE_NAMES.match(self.source, at + len(chain), of.end_byte)
                    for word in WORD.findall(told.group(1)) if told is not None else ():
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
            self.scopes.bind(self._bytes(name), start, self.scopes.innermost(start)[0], b"")
        else:
            kind = _KINDS.get(of.type if of is not None else "", "type")
            self._symbol(self._text(name), kind, node, name, of or name)
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
                self.scopes.bind(self._bytes(name), end, until, base or self._nth(values, len(names), nth))
            return
        kind = "constant" if node.type == "const_spec" else "variable"
        placed = [(nth, self._text(name)) for nth, name in enumerate(names) if self._text(name) not in ("", "_")]
        first = len(self.symbols)
        for nth, told in placed:
            self._symbol(told, kind, node, names[nth], names[nth], owns=len(self.symbols) == first)
        if placed:
            self.bases.add(at)
        for index, (nth, _) in enumerate(placed):
            if base and index:
                self._note(first + index, base, "base", at)
            elif not base and (leads := self._nth(values, len(names), nth)):
                self._note(first + index, leads, "base", values[0].start_byte)
        if kind == "constant" and names:
            self._repeat(names[0], value is not None, range(first, len(self.symbols)))

    def _repeat(self, name: Node, valued: bool, symbols: range) -> None:
        """A constant without a value has the one of the last that had any, with the next `iota`."""
        if valued:
            self.repeated = self._bytes(name)
        elif self.repeated not in (b"", b"_"):
            for at in symbols:
                self._note(at, self.repeated, "name", name.start_byte)
                self._note(at, self.repeated, "base", name.start_byte)

    def _field(self, node: Node, start: int, end: int) -> None:
        outer = self._owner(start)
        if start < self.local or outer == MODULE or self.symbols[outer].kind not in ("struct", "field"):
            return
        of = node.child_by_field_name("type")
        base, at = self.scopes.type_of(of)
        self.bases.add(at)
        first = len(self.symbols)
        for name in node.children_by_field_name("name"):
            if name.type == "field_identifier" and self._text(name) != "_":
                told = f"{self.symbols[outer].name}.{self._text(name)}"
                self._symbol(told, "field", node, name, of or name, owns=len(self.symbols) == first)
        if base:
            for later in range(first + 1, len(self.symbols)):
                self._note(later, base, "base", at)

    def _method(self, node: Node, start: int, end: int) -> None:
        outer, name = self._owner(start), node.child_by_field_name("name")
        if start >= self.local and outer != MODULE and name is not None and self.symbols[outer].kind == "interface":
            self._symbol(f"{self.symbols[outer].name}.{self._text(name)}", "method", node, name, node)
            self._gives(node.child_by_field_name("result"))
        self.scopes.enter(start, end, end)

    def _element(self, node: Node, start: int, end: int) -> None:
        """What stands alone in an interface is embedded; between brackets it is an argument."""
        outer = self._owner(start)
        if start >= self.local and outer != MODULE and self.symbols[outer].kind == "interface":
            before = self.source[max(0, start - _NEAR) : start].rstrip(b" \t\r")[-1:]
            if before in (b"{", b";", b"\n") and node.named_child_count == 1:
                self.bases.add(start)

    def _symbol(self, name: str, kind: str, node: Node, at: Node, head: Node, owns: bool = True) -> None:
        start, end = node.start_byte, node.end_byte
        if at.start_byte == at.end_byte:
            return  # missing in broken code
        if owns:
            self.owners.append((end, len(self.symbols)))
        # The head of what has members ends where they begin.
        ends = head.start_byte if head.type in _KINDS else max(head.end_byte - 1, start)
        first, line, last = self.lines.line(start), self.lines.line(at.start_byte), self.lines.line(max(end - 1, start))
        self.symbols.append(
            Symbol(name, kind, line, first, max(line, self.lines.line(ends)), last, self.lines.doc(first))
        )

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
        self.switches.append((end, self._bytes(name) if name is not None else b""))
        if name is not None:
            self.skipped.add(name.start_byte)
            self.scopes.bind(self._bytes(name), value.end_byte if value is not None else start, end, b"")

    def _case(self, node: Node, start: int, end: int) -> None:
        self.scopes.enter(start, end, start)
        while self.switches and self.switches[-1][0] <= start:
            self.switches.pop()
        types = node.children_by_field_name("type")
        if self.switches and self.switches[-1][1] and len(types) == 1:
            self.scopes.bind(self.switches[-1][1], types[0].end_byte, end, self.scopes.type_of(types[0])[0])

    def _parameter(self, node: Node, start: int, end: int) -> None:
        names = NAMES.match(self.source, start, end)
        if names is not None:  # of `xs ...T` only the elements are of the type
            until, since = self.scopes.innermost(start)
            leads = self.scopes.type_at(names.end(), end)[0]
            self._bind(names, since, until, leads, leads)

    def _generic(self, node: Node, start: int, end: int) -> None:
        names = NAMES.match(self.source, start, end)
        if names is not None:
            self._bind(names, start, self.scopes.innermost(start)[0], b"", b"")

    def _short(self, node: Node, start: int, end: int) -> None:
        names = NAMES.match(self.source, start, end)
        if names is not None:  # what a call gives first is the first one's; what follows isn't known
            leads = self.scopes.value(names.end(), end) if names.group(3) else b""
            self._bind(names, end, self.scopes.innermost(start)[0], leads, b"")

    def _bind(self, names: re.Match[bytes], since: int, until: int, leads: bytes, others: bytes) -> None:
        """Bind the names that stand there: what the first leads into, and what the others do."""
        self.skipped.add(names.start(1))
        self.scopes.bind(names.group(1), since, until, leads)
        if names.group(2):
            for match in WORD.finditer(names.group(2)):
                self.skipped.add(names.start(2) + match.start())
                self.scopes.bind(match.group(), since, until, others)

    def _nth(self, values: list[Node], names: int, nth: int) -> bytes:
        """What the nth of several names leads into: its own value, or the first result of the one there is."""
        value = values[nth] if len(values) == names else values[0] if len(values) == 1 and nth == 0 else None
        return self.scopes.value(value.start_byte, value.end_byte) if value is not None else b""

    # -- what is used ---------------------------------------------------------------------------------------------

    def _note(self, owner: int, chain: bytes, role: str, at: int) -> None:
        told = self.uses.get((owner, chain, role))
        if told is None:
            self.uses[owner, chain, role] = [at, 1]
        else:
            told[1] += 1

    def _owner(self, start: int) -> int:
        while self.owners and self.owners[-1][0] <= start:
            self.owners.pop()
        return self.owners[-1][1] if self.owners else MODULE

    def _bytes(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
