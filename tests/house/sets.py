"""Which expressions are sets, and where their order would leak out. The one rule of test_purity that needs thought.

A set may be asked, measured, merged, compared and sorted. It may not decide the order of anything: not a loop's, not a
list's, not which element `pop()` takes. Sets are followed through names, parameters and annotated fields of one module.
"""

import ast
from collections.abc import Iterator

from tests.house.syntax import Syntax

SET_TYPES = {"set", "frozenset", "Set", "FrozenSet", "AbstractSet", "MutableSet"}
SET_METHODS = {"union", "intersection", "difference", "symmetric_difference"}
TAKES_NO_ORDER = {"sorted", "set", "frozenset", "len", "any", "all", "min", "max", "sum"}
TAKES_ORDER = {"list", "tuple", "enumerate", "iter", "next", "zip", "map", "filter", "reversed", "dict", "deque"}
TAKES_ORDER_METHODS = {"join", "extend", "fromkeys", "chain", "from_iterable", "islice", "writelines"}


def iterated(syntax: Syntax) -> Iterator[ast.expr]:
    """Every set expression whose order would be seen."""
    for node in syntax.nodes:
        if isinstance(node, ast.expr) and _leaks(syntax, node) and is_set(syntax, node):
            yield node


def _leaks(syntax: Syntax, node: ast.expr) -> bool:
    """Whether an iterable standing here gives its order away. Asked first, for it is cheap."""
    around = syntax.parent(node)
    match around:
        case ast.For(iter=walked) | ast.AsyncFor(iter=walked) | ast.YieldFrom(value=walked):
            return walked is node
        case ast.comprehension(iter=walked):
            return walked is node and _shows_order(syntax, syntax.parent(around))
        case ast.Starred():
            outer = syntax.parent(around)
            return not isinstance(outer, ast.Set) and not _takes_no_order(outer)
        case ast.Call(func=ast.Name(id=called)) if called in TAKES_ORDER and node is not around.func:
            return not _takes_no_order(syntax.parent(around))
        case ast.Call(func=ast.Attribute(attr=called)) if called in TAKES_ORDER_METHODS and node is not around.func:
            return not _takes_no_order(syntax.parent(around))
        case ast.Attribute(attr="pop"):
            return isinstance(call := syntax.parent(around), ast.Call) and not call.args
        case ast.Assign(targets=[ast.Tuple(elts=[_, _, *_])], value=unpacked):
            return unpacked is node
    return False


def _shows_order(syntax: Syntax, comprehension: ast.AST | None) -> bool:
    """A set comprehension forgets the order again, and so does a generator handed straight to `sorted`."""
    if isinstance(comprehension, ast.SetComp):
        return False
    sequence = isinstance(comprehension, ast.GeneratorExp | ast.ListComp)
    return not (sequence and _takes_no_order(syntax.parent(comprehension)))


def _takes_no_order(node: ast.AST | None) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=called)):
            return called in TAKES_NO_ORDER
        case ast.Call(func=ast.Attribute(attr=called)):
            return called in SET_METHODS | {"update"}
    return False


def is_set(syntax: Syntax, node: ast.expr | None, seen: frozenset[tuple[ast.AST, str]] = frozenset()) -> bool:
    match node:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(attr=called, value=owner)) if called in SET_METHODS:
            return is_set(syntax, owner, seen)
        case ast.Call(func=ast.Attribute(attr="copy", value=owner)):
            return is_set(syntax, owner, seen)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return any(is_set(syntax, side, seen) or _is_view(side) for side in (left, right))
        case ast.IfExp(body=body, orelse=orelse):
            return is_set(syntax, body, seen) or is_set(syntax, orelse, seen)
        case ast.BoolOp(values=values):
            return any(is_set(syntax, value, seen) for value in values)
        case ast.Name(id=name):
            return _names_a_set(syntax, node, name, seen)
        case ast.Attribute(attr=name):
            notes = syntax.fields.get(name, [])
            return bool(notes) and all(_annotates_a_set(note) for note in notes)
    return False


def _is_view(node: ast.expr) -> bool:
    """`a.keys() - b.keys()` is a set, though neither side alone is one."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")


def _names_a_set(syntax: Syntax, node: ast.expr, name: str, seen: frozenset[tuple[ast.AST, str]]) -> bool:
    """A name is a set when everything bound to it in the nearest scope that binds it is one."""
    scope = syntax.scope(node)
    while (scope, name) not in syntax.bindings and scope is not syntax.tree:
        scope = syntax.scope(scope)
    place = (scope, name)
    values = syntax.bindings.get(place, [])
    if place in seen or not values:
        return False
    return all(_annotates_a_set(value) or is_set(syntax, value, seen | {place}) for value in values)


def _annotates_a_set(note: ast.expr | None) -> bool:
    match note:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in SET_TYPES
        case ast.Subscript(value=base):
            return _annotates_a_set(base)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _annotates_a_set(left) or _annotates_a_set(right)
    return False
