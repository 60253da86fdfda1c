"""Python itself judges our own sources: `ast` says what is defined, `symtable` which names reach the module."""

import ast
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import Outline
from tests.depth import at_depth

ROOT = Path(__file__).resolve().parents[4]
FILES = sorted([*(ROOT / "ccos_core").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
PYTHON = language_of("a.py")


@pytest.mark.parametrize("start", range(8))
def test_agrees_with_python(start: int) -> None:
    assert PYTHON is not None
    assert len(FILES) > 50
    for path in FILES[start :: at_depth(32, 8)]:
        source = path.read_bytes()
        found = outline(PYTHON, source)
        tree = ast.parse(source)
        defined = [(symbol.name, symbol.line, symbol.first) for symbol in found.symbols if symbol.kind != "constant"]
        assert defined == list(definitions(tree.body)), path
        assert constants(found) == set(assigned(tree.body)), path
        known = {symbol.name for symbol in found.symbols} | {each.name for each in found.imports if each.exported}
        local = {each.name for each in found.imports if not each.exported}
        used = {each.chain.partition(".")[0] for each in found.references}
        table = symtable.symtable(source.decode(), str(path), "exec")
        assert (set(reaching(table, top=True)) & known) - local <= used, path


def constants(found: Outline) -> set[tuple[str, int]]:
    return {(symbol.name, symbol.line) for symbol in found.symbols if symbol.kind == "constant"}


def definitions(body: list[ast.stmt], outer: str = "") -> Iterator[tuple[str, int, int]]:
    """Functions and classes that don't stand in a function, in the order of the text."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield outer + node.name, node.lineno, first
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, f"{outer}{node.name}.")
        else:
            yield from definitions(inside(node), outer)


def assigned(body: list[ast.stmt], outer: str = "", seen: set[str] | None = None) -> Iterator[tuple[str, int]]:
    """Names given a value outside of functions, where first."""
    seen = set() if seen is None else seen
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from assigned(node.body, f"{outer}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
                     and isinstance(each.ctx, ast.Store)]  # fmt: skip
            for name in names:
                if name not in seen:
                    seen.add(name)
                    yield outer + name, node.lineno
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from assigned(inside(node), outer, seen)


def inside(node: ast.stmt) -> list[ast.stmt]:
    """The statements in an `if`, `try`, `with`, ..., in the order of the text."""
    found: list[ast.stmt] = []
    for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        for field in ("body", "orelse", "finalbody"):
            found += getattr(part, field, ())
    return sorted(found, key=lambda each: (each.lineno, each.col_offset))


def reaching(table: symtable.SymbolTable, top: bool = False) -> Iterator[str]:
    """Names whose use looks into the module."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from reaching(inner)
