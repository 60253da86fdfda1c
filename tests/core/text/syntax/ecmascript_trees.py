"""Small trees of JavaScript and TypeScript, told as path → text, and what their files depend on in words."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.text.syntax.resolve_ecmascript import EcmascriptResolver, resolver
from ccos_core.values.code import MODULE, Outline
from tests.core.text.syntax import trees


def outlined(source: str | bytes, path: str = "a.ts") -> Outline:
    return trees.outlined(source, path)


def built(tree: Mapping[str, str]) -> EcmascriptResolver:
    """A resolver that knows all of a tree."""
    return trees.fill(resolver(), tree)


def linked(tree: Mapping[str, str], path: str) -> set[str]:
    """Each link of a file as `owner role path#symbol`, the file itself as owner or target being empty."""
    found = built(tree)
    own = found.files[path].outline

    def name(outline: Outline, at: int) -> str:
        return outline.symbols[at].name if at != MODULE else ""

    rows = found.links(path)
    return {
        f"{name(own, row.owner)} {row.role} {row.target.path}#"
        f"{name(found.files[row.target.path].outline, row.target.symbol)}".strip()
        for row in rows
    }


def targets(tree: Mapping[str, str], path: str, role: str = "") -> set[str]:
    """`path#symbol` of everything a file depends on in other files, in one role or in any."""
    rows = [row.split(" ") for row in linked(tree, path)]
    return {row[-1] for row in rows if (not role or role in row[:-1]) and not row[-1].startswith(f"{path}#")}
