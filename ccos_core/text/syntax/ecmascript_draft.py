"""What has been read of a JavaScript or TypeScript file so far, and the few things every reader of it asks.

Both readers of statements write here: the one for declarations and modules, the one for CommonJS. Byte positions are
kept beside symbols, since the sweep over uses needs to know where each begins and ends. Never `node.text`, which asks
the tree for it and costs more than all the rest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccos_core.text.syntax.outlining import Text
from ccos_core.values.code import MODULE, Import, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

DEEPEST = 20
"""Namespaces, patterns and broken stretches that are followed inside of each other."""
WHOLE = "export="
"""What a module is as a whole is exported under this name, by `export =` and by `module.exports =`."""
FUNCTIONS = ("arrow_function", "function_expression", "generator_function")

_LOADER = re.compile(rb"(?:(?<![\w$.\x80-\xff])|(?<=\.\.\.))(?:require|import)\s*\((?:\s|/\*[^*]*\*/)*\Z")
_TAKEN = re.compile(rb"\s*\)(?:\s*\))?\s*\.\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)")
_LOADER_REACH = 200
_DOC_REACH = 10_000
_HEADS = ("signature", "definition", "parameter")
"""Ends of the kinds of nodes that are all head."""
_WRAPPERS = ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression")


class Draft(Text):
    """One file's symbols and imports, as they are found."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.symbols: list[Symbol] = []
        self.spans: list[tuple[int, int, int]] = []
        """(first byte, minus the end, symbol): in order, the outer before the inner."""
        self.imports: list[tuple[int, Import]] = []
        """With the byte each stands at."""
        self.names: set[int] = set()
        """Where names stand that symbols and loaded modules are given: these hide nothing."""
        self.own: set[int] = set()
        """Where functions and classes begin that are symbols: `this` in them means what they stand in."""
        self.read: set[int] = set()
        """Where specifiers stand that have become imports."""
        self.common = False
        """Whether it hands out by CommonJS."""

    def add(self, name: str, kind: str, outer: int, node: Node, named: Node | None, anchor: Node) -> int:
        """A symbol that begins where `anchor` does and ends with `node`."""
        line = (named or anchor).start_point[0] + 1
        full = f"{self.symbols[outer].name}.{name}" if outer != MODULE else name
        first = anchor.start_point[0] + 1
        doc = self._doc(anchor.start_byte, first)
        signature = max(line, head_end(node))
        self.symbols.append(Symbol(full, kind, line, first, signature, node.end_point[0] + 1, doc))
        at = len(self.symbols) - 1
        self.spans.append((anchor.start_byte, -node.end_byte, at))
        if named is not None:
            self.names.add(named.start_byte)
        return at

    def extend(self, at: int, node: Node, named: Node) -> None:
        """A further signature of the symbol, or the body these were for: one function, written in several places."""
        self.symbols[at] = self.symbols[at]._replace(signature=head_end(node), last=node.end_point[0] + 1)
        self.spans.append((node.start_byte, -node.end_byte, at))
        self.names.add(named.start_byte)

    def take(self, node: Node, name: str, module: str, item: str, owner: int = MODULE, exported: bool = False) -> None:
        """An import, or with no module a name the file hands out of its own."""
        line = node.start_point[0] + 1
        self.imports.append((node.start_byte, Import(name, module, item, line, owner, exported)))

    def loaded(self, value: Node | None) -> tuple[Node, str] | None:
        """(specifier, the one name taken or empty) where a value is `require("x")`, `await import("x")` or of it."""
        item = ""
        for _ in range(DEEPEST):
            if value is None:
                return None
            if value.type == "member_expression" and not item:
                taken = value.child_by_field_name("property")
                item = self.text_of(taken) if taken is not None else ""
                value = value.child_by_field_name("object")
            elif value.type == "await_expression" or value.type in _WRAPPERS:
                value = first_in(value)
            elif value.type == "call_expression":
                arguments = value.child_by_field_name("arguments")
                value = first_in(arguments)
                if value is not None and value.type == "string":
                    return (value, item) if self.is_loaded(value) else None
                if value is None or value.type != "call_expression":
                    return None  # only a helper around the call, as compilers write it, is looked through
            else:
                return None
        return None

    def is_loaded(self, string: Node) -> bool:
        """Whether this string is what `require(` or `import(` is given."""
        at = string.start_byte
        return _LOADER.search(self.source, max(0, at - _LOADER_REACH), at) is not None

    def specifier(self, string: Node) -> str:
        """What a string names, marked as having become an import."""
        self.read.add(string.start_byte)
        return self.text_of(string)[1:-1]

    def taken(self, string: Node) -> str:
        """The name that is taken at once of what a call loads: `import("x").Name`."""
        match = _TAKEN.match(self.source, string.end_byte)
        return match.group(1).decode("utf-8", "replace") if match else ""

    def bound(self, pattern: Node, depth: int = 0) -> list[tuple[Node, str]]:
        """(identifier, the name it takes of the object or empty) of each name a pattern gives."""
        if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
            return [(pattern, self.text_of(pattern) if pattern.type != "identifier" else "")]
        if pattern.type == "assignment_pattern":
            left = pattern.child_by_field_name("left")
            return self.bound(left, depth + 1) if left is not None and depth < DEEPEST else []
        found: list[tuple[Node, str]] = []
        for child in pattern.named_children if depth < DEEPEST else ():
            if child.type == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None:
                    plain = value.type in ("identifier", "assignment_pattern")
                    inner = self.bound(value, depth + 1)
                    found += [(node, self.text_of(key) if plain else "") for node, _ in inner]
            elif child.type == "object_assignment_pattern":
                left = child.child_by_field_name("left")
                found += self.bound(left, depth + 1) if left is not None else []
            elif child.type.endswith(("pattern", "identifier")):
                found += self.bound(child, depth + 1)
        return found

    def _doc(self, start: int, line: int) -> int:
        """The line of the description in the comment right above; 0 when there is none."""
        source = self.source
        end = len(source[max(0, start - _DOC_REACH) : start].rstrip()) + max(0, start - _DOC_REACH)
        if source[end - 2 : end] != b"*/":
            return 0
        begin = source.rfind(b"/**", max(0, end - _DOC_REACH), end - 2)
        if begin < 0:
            return 0
        line -= source.count(b"\n", begin, start)
        for text in source[begin + 3 : end - 2].split(b"\n"):
            if words := text.strip(b" \t\r*"):
                return line if not words.startswith(b"@") or words.startswith(b"@deprecated") else 0
            line += 1
        return 0


def first_in(node: Node | None) -> Node | None:
    """The first of a node's parts that isn't a comment."""
    parts = node.named_children[:DEEPEST] if node is not None else []
    return next((part for part in parts if part.type != "comment"), None)


def unwrapped(value: Node | None) -> Node | None:
    """A value without the parentheses and type assertions around it."""
    while value is not None and value.type in _WRAPPERS:
        value = first_in(value)
    return value


def head_end(node: Node) -> int:
    """The last line of what stands before a definition's body or value."""
    value = node.child_by_field_name("value")
    inner = unwrapped(value)
    if inner is not None and inner.type in (*FUNCTIONS, "class"):
        node, value = inner, None
    body = value or node.child_by_field_name("body")
    if body is None:
        return (node.end_point if node.type.endswith(_HEADS) else node.start_point)[0] + 1
    row = node.start_point[0]
    for child in node.children:
        if child.start_byte >= body.start_byte:
            break
        row = child.end_point[0]
    return row + 1
