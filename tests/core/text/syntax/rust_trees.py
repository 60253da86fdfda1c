"""Small Rust trees, told as path → text, and what their files depend on in words."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolve_rust import RustResolver, resolver
from ccos_core.values.code import MODULE, Outline


def outlined(source: str | bytes) -> Outline:
    language = language_of("a.rs")
    assert language is not None
    return outline(language, source if isinstance(source, bytes) else source.encode())


def built(tree: Mapping[str, str]) -> RustResolver:
    """A resolver that knows all of a tree."""
    found = resolver()
    for path, text in tree.items():
        if path.endswith(".rs"):
            found.put(path, outlined(text))
        else:
            found.configure(path, text)
    return found


def linked(tree: Mapping[str, str], path: str) -> set[str]:
    """Each link of a file as `owner role path#symbol`; what is the file's own has no path, the top no owner."""
    found = built(tree)

    def name(file: str, at: int) -> str:
        return found.modules.files[file].outline.symbols[at].name if at != MODULE else ""

    return {
        f"{name(path, row.owner)} {row.role} "
        f"{row.target.path if row.target.path != path else ''}#{name(row.target.path, row.target.symbol)}".strip()
        for row in found.links(path)
    }


def targets(tree: Mapping[str, str], path: str) -> set[str]:
    """`path#symbol` of everything a file depends on in other files."""
    return {words for row in linked(tree, path) if not (words := row.split(" ")[-1]).startswith("#")}
