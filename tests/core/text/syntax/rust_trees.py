"""Small Rust trees, told as path → text, and what their files depend on in words."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.text.syntax.resolve_rust import RustResolver, resolver
from ccos_core.values.code import Outline
from tests.core.text.syntax import trees


def outlined(source: str | bytes) -> Outline:
    return trees.outlined(source, "a.rs")


def built(tree: Mapping[str, str]) -> RustResolver:
    """A resolver that knows all of a tree."""
    return trees.fill(resolver(), tree)


def linked(tree: Mapping[str, str], path: str) -> set[str]:
    """Each link of a file as `owner role path#symbol`; what is the file's own has no path, the top no owner."""
    found = built(tree)
    return trees.linked(found, path)


def targets(tree: Mapping[str, str], path: str) -> set[str]:
    """`path#symbol` of everything a file depends on in other files."""
    return trees.elsewhere(linked(tree, path))
