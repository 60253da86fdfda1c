"""What a source file can spare: nothing that a machine reads, whatever stands in its strings."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.compress.comments import spare_lines

LIBRARY = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::6]


def left(text: str, path: str) -> str:
    """Return what stays."""
    spare = spare_lines(text, path)
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in spare)


class _Undocumented(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Expr(ast.Constant(0)) if is_text else node


def meaning(text: str) -> str:
    return ast.dump(_Undocumented().visit(ast.parse(text)))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.name)
def test_pythons_own_library_means_the_same_without_them(path: Path) -> None:
    text = path.read_text("utf-8")
    assert meaning(left(text, path.name)) == meaning(text)


PIECES = st.sampled_from(
    ['"""', "'''", '"', "'", "# a", "\n", "x = 1", "\\", "    ", "if x:", "f(", ")", "TODO", "r", "`", "//", "/*", "*/"]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["a.py", "a.go", "a.rs", "a.ts"]))
def test_any_python_that_parses_means_the_same_without_them(text: str, path: str) -> None:
    short = left(text, path)
    assert [line for line in text.split("\n") if line.strip() and line in short.split("\n")] == [
        line for line in short.split("\n") if line.strip()
    ]
    if path == "a.py":
        try:
            before = meaning(text)
        except (SyntaxError, ValueError):
            return
        assert meaning(short) == before


@pytest.mark.parametrize(
    ("path", "text", "stays"),
    [
        (
            "a.py",
            'def f():\n    """Say it.\n\n    More.\n    """\n    return 1\n\n',
            'def f():\n    """Say it.\n    """\n    return 1',
        ),
        ("a.py", 'x = """\n# no comment\n\n"""  # why', 'x = """\n# no comment\n\n"""  # why'),
        ("a.py", "# gone\nx = 1  # in\n# noqa: E501\n# TODO: later", "x = 1  # in\n# noqa: E501\n# TODO: later"),
        (
            "a.go",
            "//go:build linux\n\n// Gone.\npackage a\n\nvar s = `\n// text\n`\n/* gone\n too */",
            "//go:build linux\npackage a\nvar s = `\n// text\n`",
        ),
        (
            "a.rs",
            "fn f<'a>(x: &'a str) -> char {\n    // gone\n    let r = r#\"\n// text\"#;\n    '\"'\n}",
            "fn f<'a>(x: &'a str) -> char {\n    let r = r#\"\n// text\"#;\n    '\"'\n}",
        ),
        (
            "a.ts",
            "const u = 'http://x'\n// gone\nconst t = `\n\n// ${u}`",
            "const u = 'http://x'\nconst t = `\n\n// ${u}`",
        ),
        ("a.md", "# a heading\n\ntext", "# a heading\n\ntext"),
    ],
)
def test_comments_go_and_what_tools_read_stays(path: str, text: str, stays: str) -> None:
    assert left(text, path) == stays


@pytest.mark.parametrize("unit", ['"', "'", '"""', "/*", "`", "\\", "#", '"\\', "r#", "\n"])
@pytest.mark.parametrize("path", ["a.py", "a.ts", "a.rs"])
def test_hostile_texts_take_linear_time(unit: str, path: str) -> None:
    """A quadratic scan would take minutes; the test's own time limit ends it."""
    assert spare_lines(unit * 200_000, path) is not None
