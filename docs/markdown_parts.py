"""The pieces of Markdown that the generated pages share."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Sequence


def cell(text: str) -> str:
    """Escape a text for a table."""
    return text.replace("|", "\\|")


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells must be escaped already."""
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *lines])


def joined(parts: Iterable[str]) -> str:
    """A page of parts, with a blank line between them."""
    return "\n\n".join(parts) + "\n"


def field_docs(kind: type) -> dict[str, str]:
    """Field → the docstring below it, of a dataclass."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and name:
            found[name] = " ".join(str(node.value.value).split())
    return found
