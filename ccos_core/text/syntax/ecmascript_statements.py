"""The statements of a JavaScript or TypeScript file that define, import and hand out.

Only what stands at the top is a symbol, or in a namespace, a class or an object there; what functions keep to
themselves is not. Statements are few, so they are walked one by one; the many names inside of them are not looked at.
What a file hands out of its own becomes an import without a module, under the name others see: TypeScript's own
`export=` for the whole of it, `default` for the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ccos_core.text.syntax.ecmascript_draft import DEEPEST, FUNCTIONS, WHOLE, Draft, first_in, unwrapped
from ccos_core.values.code import MODULE

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = ("property_identifier", "private_property_identifier", "identifier", "string")
_MEMBERS = {
    "method_definition": "method",
    "method_signature": "method",
    "abstract_method_signature": "method",
    "public_field_definition": "field",
    "field_definition": "field",
}
_FIELD_WORDS = ("accessibility_modifier", "override_modifier", "readonly")
_SIGNATURES = ("function_signature", "method_signature")


class Statements:
    """Reads statements into a draft."""

    def __init__(self, draft: Draft, expressions: Callable[[Statements, Node, Node], None]) -> None:
        self.draft = draft
        self.expressions = expressions
        """What reads a call or an assignment at the top: the ways of CommonJS."""
        self.unfinished = MODULE
        """The function that has had signatures only so far."""

    def read(self, nodes: Iterable[Node], outer: int = MODULE, depth: int = 0) -> None:
        """Each of these statements."""
        if depth < DEEPEST:
            for node in nodes:
                self.statement(node, outer, node, depth)

    def statement(self, node: Node, outer: int, anchor: Node, depth: int) -> list[str]:
        """The names one statement defines at the top."""
        kind = node.type
        if kind in ("lexical_declaration", "variable_declaration", "using_declaration"):
            return self._variables(node, outer, anchor)
        if kind in ("function_declaration", "generator_function_declaration", "function_signature"):
            return self._function(node, outer, anchor)
        if kind in ("class_declaration", "abstract_class_declaration", "interface_declaration"):
            return self._class(node, outer, anchor)
        if kind in ("type_alias_declaration", "enum_declaration"):
            return self._type(node, outer, anchor)
        if kind in ("internal_module", "module"):
            return self._namespace(node, outer, anchor, depth)
        if kind == "ambient_declaration":
            return self._ambient(node, outer, anchor, depth)
        if kind == "import_alias":
            return self._alias(node, outer)
        if kind == "import_statement":
            self._import(node, outer)
        elif kind == "export_statement":
            self._export(node, outer, depth)
        elif kind == "expression_statement":
            self._expression(node, outer, depth)
        elif kind == "ERROR":
            self.read(node.named_children, outer, depth + 1)
        return []

    # -- definitions ----------------------------------------------------------------------------------------------

    def valued(self, name: str, outer: int, node: Node, named: Node | None, value: Node | None, anchor: Node) -> int:
        """A symbol for something that is given a value: what it is, the value says."""
        value = unwrapped(value)
        kind = value.type if value is not None else ""
        if value is not None and kind in FUNCTIONS:
            self.draft.own.add(value.start_byte)
            return self.draft.add(name, "method" if outer != MODULE else "function", outer, node, named, anchor)
        if value is not None and kind == "class":
            self.draft.own.add(value.start_byte)
            at = self.draft.add(name, "class", outer, node, named, anchor)
            self._members(value, at)
            return at
        at = self.draft.add(name, "constant", outer, node, named, anchor)
        if value is not None and kind == "object":
            self._methods(value, at)
        return at

    def _variables(self, node: Node, outer: int, anchor: Node) -> list[str]:
        found = []
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        for declarator in declarators:
            named, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if named is None:
                continue
            is_new = named.end_byte > named.start_byte and named.start_byte not in self.draft.names
            if is_new and named.type == "identifier":
                begins = anchor if declarator is declarators[0] else declarator
                self.valued(self.draft.text_of(named), outer, declarator, named, value, begins)
            names = self.draft.bound(named)
            found += [self.draft.text_of(each) for each, _ in names]
            if named.type != "identifier":
                for each, _ in names:
                    if each.start_byte not in self.draft.names:
                        self.draft.add(self.draft.text_of(each), "constant", outer, declarator, each, declarator)
        return found

    def _function(self, node: Node, outer: int, anchor: Node) -> list[str]:
        named = node.child_by_field_name("name")
        name = self._name(named)
        if named is None or not name:
            return []
        self._callable(name, "function", outer, node, named, anchor)
        return [name]

    def _callable(self, name: str, kind: str, outer: int, node: Node, named: Node, anchor: Node) -> int:
        """A function, or the next of its overloads: these and the body they lead to are one symbol."""
        symbols, at = self.draft.symbols, self.unfinished
        self.draft.own.add(node.start_byte)
        full = f"{symbols[outer].name}.{name}" if outer != MODULE else name
        if at != MODULE and at == len(symbols) - 1 and symbols[at].name == full:
            self.draft.extend(at, node, named)
        else:
            at = self.draft.add(name, kind, outer, node, named, anchor)
        self.unfinished = at if node.type in _SIGNATURES else MODULE
        return at

    def _class(self, node: Node, outer: int, anchor: Node) -> list[str]:
        named = node.child_by_field_name("name")
        name = self.draft.text_of(named) if named is not None else ""
        if not name:
            return []
        kind = "interface" if node.type == "interface_declaration" else "class"
        at = self.draft.add(name, kind, outer, node, named, anchor)
        if kind == "class":
            self.draft.own.add(node.start_byte)
            self._members(node, at)
        return [name]

    def _members(self, node: Node, at: int) -> None:
        body = node.child_by_field_name("body")
        anchor: Node | None = None
        for child in body.named_children if body is not None else ():
            if child.type == "decorator":
                anchor = anchor or child
                continue
            kind = _MEMBERS.get(child.type)
            named = child.child_by_field_name("name") or child.child_by_field_name("property")
            name = self._name(named)
            if kind is not None and named is not None and name:
                if kind == "method":
                    self._callable(name, kind, at, child, named, anchor or child)
                    self._parameters(child, name, at)
                else:
                    self._field(name, at, child, named, anchor or child)
            anchor = None

    def _field(self, name: str, outer: int, node: Node, named: Node, anchor: Node) -> None:
        value = unwrapped(node.child_by_field_name("value"))
        kind = "method" if value is not None and value.type in FUNCTIONS else "field"
        if value is not None and kind == "method":
            self.draft.own.add(value.start_byte)
        self.draft.add(name, kind, outer, node, named, anchor)

    def _parameters(self, node: Node, name: str, at: int) -> None:
        """Parameters of a constructor that are fields as well."""
        parameters = node.child_by_field_name("parameters") if name == "constructor" else None
        for each in parameters.named_children if parameters is not None else ():
            named = each.child_by_field_name("pattern")
            is_field = any(child.type in _FIELD_WORDS for child in each.children)
            if named is not None and named.type == "identifier" and is_field:
                self.draft.add(self.draft.text_of(named), "field", at, each, None, each)

    def _methods(self, node: Node, at: int) -> None:
        """The functions an object holds; its data is told by the object itself."""
        for child in node.named_children:
            named = child.child_by_field_name("name") or child.child_by_field_name("key")
            value = unwrapped(child.child_by_field_name("value"))
            is_method = child.type == "method_definition"
            name = self._name(named)
            if named is not None and name and (is_method or (value is not None and value.type in FUNCTIONS)):
                self.draft.own.add(child.start_byte if is_method or value is None else value.start_byte)
                self.draft.add(name, "method", at, child, named, child)

    def _type(self, node: Node, outer: int, anchor: Node) -> list[str]:
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = self.draft.text_of(named) if named is not None else ""
        if not name:
            return []
        at = self.draft.add(name, "type" if body is None else "enum", outer, node, named, anchor)
        for child in body.named_children if body is not None else ():
            each = child.child_by_field_name("name") or child
            if member := self._name(each):
                self.draft.add(member, "constant", at, child, each, child)
        return [name]

    def _namespace(self, node: Node, outer: int, anchor: Node, depth: int) -> list[str]:
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is None:
            return []
        if named.type == "string":  # what is said about another module, under that module's name
            parts = [self.draft.text_of(named).replace(".", "_")]
        else:
            parts = "".join(self.draft.text_of(named).split()).split(".")[:DEEPEST]
        for name in filter(None, parts):
            outer = self.draft.add(name, "namespace", outer, node, named, anchor)
        self.read(body.named_children if body is not None else (), outer, depth + 1)
        return parts[:1]

    def _ambient(self, node: Node, outer: int, anchor: Node, depth: int) -> list[str]:
        found: list[str] = []
        for child in node.named_children:
            if child.type == "statement_block":
                at = self.draft.add("global", "namespace", outer, node, None, anchor)
                self.read(child.named_children, at, depth + 1)
            elif depth < DEEPEST:
                found += self.statement(child, outer, anchor, depth + 1)
        return found

    def _expression(self, node: Node, outer: int, depth: int) -> None:
        inner = first_in(node)
        if inner is None:
            return
        if inner.type == "internal_module":
            self._namespace(inner, outer, node, depth)
        elif outer == MODULE:
            self.expressions(self, inner, node)
            body = wrapped_body(inner)
            if body is not None:
                self.read(body.named_children, outer, depth + 1)

    # -- modules --------------------------------------------------------------------------------------------------

    def _import(self, node: Node, outer: int) -> None:
        draft = self.draft
        clauses = [child for child in node.named_children if child.type in ("import_clause", "import_require_clause")]
        source = node.child_by_field_name("source")
        if source is None and clauses:
            source = clauses[0].child_by_field_name("source")
        if source is None:
            return
        module = draft.specifier(source)
        if not clauses:
            draft.take(node, "", module, "", outer)
        for clause in clauses:
            for child in clause.named_children:
                if child.type == "identifier":
                    item = "default" if clause.type == "import_clause" else ""
                    draft.take(child, draft.text_of(child), module, item, outer)
                elif child.type == "namespace_import" and child.named_child_count:
                    draft.take(child, draft.text_of(child.named_children[-1]), module, "", outer)
                elif child.type == "named_imports":
                    for name, alias in self._specifiers(child):
                        draft.take(name, self._said(alias or name), module, self._said(name), outer)

    def _export(self, node: Node, outer: int, depth: int) -> None:
        draft, source = self.draft, node.child_by_field_name("source")
        kinds = {child.type for child in node.children}
        if source is not None or "export_clause" in kinds:
            if outer == MODULE:
                self._handed_on(node, draft.specifier(source) if source is not None else "")
            return
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        if declaration is not None:
            names = self.statement(declaration, outer, node, depth)
            for name in names if outer == MODULE else ():
                draft.take(node, "default" if "default" in kinds else name, "", name, exported=True)
        elif outer == MODULE and (value is not None or "=" in kinds) and node.named_child_count:
            value = value or node.named_children[-1]
            self.whole("default" if "default" in kinds else WHOLE, "default", value, node)

    def whole(self, exported: str, name: str, value: Node, anchor: Node) -> None:
        """Something handed out that has no name of its own, or is a name already."""
        draft = self.draft
        if value.type == "identifier":
            draft.names.add(value.start_byte)
            draft.take(anchor, exported, "", draft.text_of(value), exported=True)
            return
        named = value.child_by_field_name("name") if value.type in (*FUNCTIONS, "class") else None
        if named is not None:
            name = draft.text_of(named)
            draft.names.add(named.start_byte)
        self.valued(name, MODULE, value, named, value, anchor)
        draft.take(anchor, exported, "", name, exported=True)

    def _handed_on(self, node: Node, module: str) -> None:
        draft = self.draft
        for child in node.children:
            if child.type == "*":
                draft.take(node, "*", module, "*", exported=True)
            elif child.type == "namespace_export" and child.named_child_count:
                draft.take(child, self._said(child.named_children[-1]), module, "", exported=True)
            elif child.type == "export_clause":
                for name, alias in self._specifiers(child):
                    draft.take(name, self._said(alias or name), module, self._said(name), exported=True)

    def _specifiers(self, node: Node) -> list[tuple[Node, Node | None]]:
        return [
            (name, child.child_by_field_name("alias"))
            for child in node.named_children
            if (name := child.child_by_field_name("name")) is not None
        ]

    def _alias(self, node: Node, outer: int) -> list[str]:
        """`import a = b.c`: another name for what the file has already."""
        named = node.named_children
        if len(named) < 2:
            return []
        name = self.draft.text_of(named[0])
        self.draft.take(node, name, "", "".join(self.draft.text_of(named[1]).split()), outer)
        return [name]

    def _said(self, node: Node) -> str:
        text = self.draft.text_of(node)
        return text[1:-1] if node.type == "string" else text

    def _name(self, node: Node | None) -> str:
        """A name as a part of a symbol's; empty where it is computed or has a dot of its own."""
        if node is None or node.type not in _NAMES:
            return ""
        name = self._said(node)
        return name if "." not in name else ""


def wrapped_body(node: Node) -> Node | None:
    """The body of a function that is there to be called at once, `(function () { ... })()`: a file's own scope."""
    for _ in range(DEEPEST):
        inner = node.child_by_field_name("function") or node.child_by_field_name("argument")
        inner = inner or (node.child_by_field_name("object") if node.type == "member_expression" else None)
        inner = inner or (first_in(node) if node.type == "parenthesized_expression" else None)
        if inner is None:
            break
        node = inner
    body = node.child_by_field_name("body") if node.type in FUNCTIONS else None
    return body if body is not None and body.type == "statement_block" else None
