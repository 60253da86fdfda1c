"""Small trees, told as path → text, for the resolver of any family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

from ccos_core.text.syntax.languages import language_of, resolvers
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolution import Resolver
from ccos_core.values.code import MODULE, Outline


def outlined(source: str | bytes, path: str) -> Outline:
    """The outline of a source in the language of `path`."""
    language = language_of(path)
    assert language is not None
    return outline(language, source if isinstance(source, bytes) else source.encode())


R = TypeVar("R", bound=Resolver)

remembered = lru_cache(maxsize=4_096)(outlined)
"""`outlined`, for laws that put the same few sources thousands of times."""


def empty(family: str) -> Resolver:
    """A resolver that knows no file."""
    return resolvers()[family]


def put(found: Resolver, path: str, text: str | None) -> None:
    """Tell a resolver what a file has become; None is that it is gone."""
    if language_of(path) is None:
        found.configure(path, text)
    elif text is None:
        found.drop(path)
    else:
        found.put(path, remembered(text, path))


def fill(found: R, tree: Mapping[str, str | None]) -> R:
    """Put all of a tree."""
    for path, text in tree.items():
        if text is not None:
            put(found, path, text)
    return found


def linked(found: Resolver, path: str) -> set[str]:
    """Each link of a file as `owner role path#symbol`; what is the file's own has no path, the top no owner."""

    def name(file: str, at: int) -> str:
        return str(found.files[file].outline.symbols[at].name) if at != MODULE else ""

    return {
        f"{name(path, row.owner)} {row.role} "
        f"{row.target.path if row.target.path != path else ''}#{name(row.target.path, row.target.symbol)}".strip()
        for row in found.links(path)
    }


def elsewhere(rows: set[str]) -> set[str]:
    """`path#symbol` of what `linked` found in other files."""
    return {words for row in rows if not (words := row.split(" ")[-1]).startswith("#")}
