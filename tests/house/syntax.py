"""A syntax tree that knows its parents and scopes, which `ast` alone does not. The purity rules stand on it."""

import ast
from functools import cached_property

SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Syntax:
    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self.nodes = list(ast.walk(self.tree))
        self._parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def scope(self, node: ast.AST) -> ast.AST:
        """The function or module whose names this node sees first."""
        around = self.parent(node)
        while around is not None and not isinstance(around, SCOPES):
            around = self.parent(around)
        return around or self.tree

    def function_around(self, node: ast.AST) -> str:
        """The name of the function this node runs in; empty for what runs when the module is imported."""
        scope = self.scope(node)
        while isinstance(scope, ast.Lambda):
            scope = self.scope(scope)
        return scope.name if isinstance(scope, FUNCTIONS) else ""

    @cached_property
    def bindings(self) -> dict[tuple[ast.AST, str], list[ast.expr | None]]:
        """For each name of each scope, all it is bound to: values and, where written, the annotation alone.

        None stands for a binding we don't follow, such as a loop variable.
        """
        found: dict[tuple[ast.AST, str], list[ast.expr | None]] = {}
        for node in self.nodes:
            for name, value in _bound_by(node):
                found.setdefault((self.scope(node), name), []).append(value)
        return found

    @cached_property
    def fields(self) -> dict[str, list[ast.expr]]:
        """Annotations of attributes, by the attribute's name: class bodies and `self.x: set[str] = ...`."""
        found: dict[str, list[ast.expr]] = {}
        for node in self.nodes:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name)) if isinstance(self.parent(node), ast.ClassDef):
                    found.setdefault(name, []).append(node.annotation)
                case ast.AnnAssign(target=ast.Attribute(attr=name)):
                    found.setdefault(name, []).append(node.annotation)
        return found


def _bound_by(node: ast.AST) -> list[tuple[str, ast.expr | None]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(t.id, value) for t in targets if isinstance(t, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            return [(name, annotation)]
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            return [(name, value)]
        case ast.arg(arg=name, annotation=annotation):
            return [(name, annotation)]
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            return [(n.id, None) for n in ast.walk(target) if isinstance(n, ast.Name)]
        case ast.withitem(optional_vars=ast.Name(id=name)):
            return [(name, None)]
    return []
