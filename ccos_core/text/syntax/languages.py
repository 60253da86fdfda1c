"""The one table of languages: which files are in it, which grammar reads them, and how to outline a tree of it.

A language is one row here, a query file in `queries/`, and a module of its own beside this one. Markdown has no
grammar and no query: its module reads the source by itself. The version goes up whenever the same text may give
another outline; facts are kept under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from ccos_core.text.syntax.resolution import Resolver


@dataclass(frozen=True, slots=True)
class Language:
    """One language."""

    name: str
    """Also the interpreter's name in facts."""

    version: int
    suffixes: tuple[str, ...]
    grammar: str
    """What the grammar is called in the language pack; empty where the module reads the source by itself."""

    module: str
    """The module beside this one that makes the outline, and the stem of its query file."""

    family: str
    """Whose resolver tells what its names mean."""

    further: tuple[str, ...] = ()
    """Stems of query files read after the module's own, where its grammars don't have all their words in common."""

    is_code: bool = True
    """Whether its files are code; prose has sections and links, but no dependencies."""


LANGUAGES: tuple[Language, ...] = (
    Language("python", 2, (".py", ".pyi"), "python", "python", "python"),
    Language("typescript", 2, (".ts", ".mts", ".cts"), "typescript", "ecmascript", "ecmascript", ("typescript",)),
    Language("tsx", 2, (".tsx",), "tsx", "ecmascript", "ecmascript", ("typescript", "jsx")),
    Language(
        "javascript",
        2,
        (".js", ".mjs", ".cjs", ".jsx"),
        "javascript",
        "ecmascript",
        "ecmascript",
        ("javascript", "jsx"),
    ),
    Language("go", 2, (".go",), "go", "go", "go"),
    Language("rust", 2, (".rs",), "rust", "rust", "rust"),
    Language("markdown", 1, (".md", ".markdown"), "", "markdown", "markdown", is_code=False),
)

FAMILIES: Mapping[str, str] = {
    "python": "resolve_python",
    "ecmascript": "resolve_ecmascript",
    "go": "resolve_go",
    "markdown": "resolve_markdown",
    "rust": "resolve_rust",
}
"""Family → the module beside this one that has its `resolver()`."""

_BY_SUFFIX: Mapping[str, Language] = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """The language a path's suffix stands for, if it is one of ours."""
    name = path.rpartition("/")[2]
    return _BY_SUFFIX.get(name[name.rfind(".") :].lower()) if "." in name else None


def is_code(path: str) -> bool:
    """Whether a path's suffix stands for a programming language of ours."""
    language = language_of(path)
    return language is not None and language.is_code


def family_of(path: str) -> str | None:
    """Whose resolver tells what the names in a file mean."""
    language = language_of(path)
    return language.family if language is not None else None


def resolvers() -> dict[str, Resolver]:
    """A resolver for each family, that knows no file yet."""
    return {family: import_module(f"{__package__}.{module}").resolver() for family, module in FAMILIES.items()}


def interpreters() -> dict[str, int]:
    """Every interpreter's version, as an epoch pins them."""
    return {language.name: language.version for language in LANGUAGES}
