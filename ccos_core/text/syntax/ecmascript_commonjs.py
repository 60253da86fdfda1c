"""What a file hands out by assigning: `exports.x =`, `module.exports =`, and members given to what it has defined.

Compilers write these as well, in their own roundabout ways; the ones that lose a name otherwise are read. An export
that is only a name becomes a name for what it means, anything else a symbol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.text.syntax.ecmascript_draft import DEEPEST, FUNCTIONS, WHOLE, Draft, first_in, unwrapped
from ccos_core.values.code import MODULE

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.ecmascript_statements import Statements

_LONGEST = 200
_WHOLES = ("exports", "module.exports")


def expression(statements: Statements, node: Node, anchor: Node) -> None:
    """A call or an assignment at the top of a file."""
    if node.type == "assignment_expression":
        _assigned(statements, node, anchor)
    elif node.type == "call_expression":
        _called(statements.draft, node)


def _assigned(statements: Statements, node: Node, anchor: Node) -> None:
    """Every name an assignment gives to one value."""
    lefts: list[Node] = []
    value: Node | None = node
    while value is not None and value.type == "assignment_expression" and len(lefts) < DEEPEST * 10:
        left = value.child_by_field_name("left")
        if left is not None:
            lefts.append(left)
        value = value.child_by_field_name("right")
    if value is None or value.type in ("undefined", "unary_expression"):
        return  # `exports.a = void 0`, written by compilers before the real one
    known = ""
    for left in lefts:
        known = _given(statements, left, value, known, anchor) or known


def _given(statements: Statements, left: Node, value: Node, known: str, anchor: Node) -> str:
    """What one name on the left has come to be called; `known` is what the value is called already."""
    draft = statements.draft
    if left.type not in ("member_expression", "identifier") or left.end_byte - left.start_byte > _LONGEST:
        return ""
    name = "".join(draft.text_of(left).split())
    head, _, last = name.rpartition(".")
    if not last:
        return ""
    if name in _WHOLES or head in _WHOLES:
        draft.common = True
        draft.names.add(left.start_byte)
        exported = WHOLE if name in _WHOLES else last
        if known:
            draft.take(anchor, exported, "", known, exported=True)
            return known
        return _handed_out(statements, exported, left, value, anchor)
    if left.type == "identifier":
        return name
    head = head.removesuffix(".prototype")
    outer = next((at for at, symbol in enumerate(draft.symbols[:1000]) if symbol.name == head), MODULE)
    inner = unwrapped(value)
    if outer != MODULE and inner is not None and inner.type in (*FUNCTIONS, "class"):
        draft.names.add(left.start_byte)
        statements.valued(last, outer, value, left.child_by_field_name("property"), value, anchor)
    return ""


def _handed_out(statements: Statements, exported: str, left: Node, value: Node, anchor: Node) -> str:
    draft = statements.draft
    loaded = draft.loaded(value)
    if loaded is not None:
        string, item = loaded
        draft.take(anchor, exported, draft.specifier(string), item, exported=True)
        return ""
    if exported != WHOLE and value.type != "identifier":
        at = statements.valued(exported, MODULE, value, left.child_by_field_name("property"), value, anchor)
        draft.take(anchor, exported, "", exported, exported=True)
        return draft.symbols[at].name
    statements.whole(exported, "exports", value, anchor)
    if value.type == "object":
        _each(draft, value)
    return draft.text_of(value) if value.type == "identifier" else ""


def _each(draft: Draft, node: Node) -> None:
    """What an object handed out as a whole holds, name by name."""
    methods = {symbol.name for symbol in draft.symbols if symbol.name.startswith("exports.")}
    for child in node.named_children:
        if child.type == "shorthand_property_identifier":
            draft.take(child, draft.text_of(child), "", draft.text_of(child), exported=True)
        elif child.type == "spread_element":
            loaded = draft.loaded(first_in(child))
            if loaded is not None and not loaded[1]:
                draft.take(child, "*", draft.specifier(loaded[0]), "*", exported=True)
        else:
            _one(draft, child, methods)


def _one(draft: Draft, node: Node, methods: set[str]) -> None:
    named = node.child_by_field_name("key") or node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if named is None or named.type not in ("property_identifier", "string"):
        return
    name = draft.text_of(named).strip("\"'")
    loaded = draft.loaded(value)
    if loaded is not None:
        draft.take(node, name, draft.specifier(loaded[0]), loaded[1], exported=True)
    elif value is not None and value.type == "identifier":
        draft.take(node, name, "", draft.text_of(value), exported=True)
    else:
        draft.take(node, name, "", f"exports.{name}" if f"exports.{name}" in methods else "exports", exported=True)


def _called(draft: Draft, node: Node) -> None:
    """`require("x")` handed on whole, as compilers say `export *`, and their way of handing on one name."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children[:3] if arguments is not None and arguments.named_child_count < 4 else []
    if len(given) < 2 or not any(draft.text_of(each) in _WHOLES for each in given[:2] if each.type != "object"):
        return
    draft.common = True
    for each in given[:2]:
        loaded = draft.loaded(each) if each.type == "call_expression" else None
        if loaded is not None and not loaded[1]:
            draft.take(node, "*", draft.specifier(loaded[0]), "*", exported=True)
    if given[1].type == "string" and len(given) == 3:
        name, _, item = draft.text_of(given[2]).partition("return ")
        item = item.partition(";")[0].strip()
        if name and item.replace(".", "").replace("_", "").replace("$", "").isalnum():
            draft.take(node, draft.text_of(given[1])[1:-1], "", item, exported=True)
