"""Files of at most 500 lines, functions of at most 60, and a docstring at the head of every module.

Split by concept, not by line count: one file of 400 lines that tells one story beats four that are read together.
"""

import ast
from collections.abc import Iterator

from tests.house import tree

FILE_LINES = 500
FUNCTION_LINES = 60


def test_files_are_small() -> None:
    offenders = {tree.name(path): lines for path in tree.modules() if (lines := count(read(path))) > FILE_LINES}
    assert not offenders, f"over {FILE_LINES} lines"


def test_functions_are_small() -> None:
    offenders = {
        f"{tree.name(path)}:{line} {name}": lines
        for path in tree.modules()
        for line, name, lines in functions(read(path))
        if lines > FUNCTION_LINES
    }
    assert not offenders, f"over {FUNCTION_LINES} lines"


def test_modules_say_why_they_exist() -> None:
    offenders = [
        tree.name(path)
        for path in tree.modules()
        if not ast.get_docstring(ast.parse(text := read(path)))
        and not (path.name == "__init__.py" and not text.strip())
    ]
    assert not offenders, "no docstring; an empty __init__.py may do without"


def test_the_measure() -> None:
    """Nested functions and methods count for themselves, and decorators are not the function's length."""
    source = "@wrap\ndef f(\n    a,\n):\n    def g():\n        return a\n    return g\n"
    assert list(functions(source)) == [(2, "f", 6), (5, "g", 2)]
    assert count("a\nb") == count("a\nb\n") == 2


def functions(source: str) -> Iterator[tuple[int, str, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def count(source: str) -> int:
    return len(source.splitlines())


def read(path: tree.Path) -> str:
    return path.read_text(encoding="utf-8")
