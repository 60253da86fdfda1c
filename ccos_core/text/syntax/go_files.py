"""A Go file as a resolver sees it, and the keys by which things of it are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename, dirname

from ccos_core.text.syntax.go_paths import systems
from ccos_core.values.code import MODULE, Import, Outline

TEST = "_test.go"
OUTSIDE = "\0"
"""The key of what depends on the whole tree: import paths of files without a module."""
CLAUSE = "package "


@dataclass(frozen=True, slots=True)
class GoFile:
    path: str
    folder: str
    package: str
    outline: Outline
    tops: dict[str, int]
    """Qualified names → where they are defined first."""
    bases: dict[int, tuple[str, ...]]
    """Symbol → what dots after it lead into."""
    imports: tuple[Import, ...]
    """What it imports, its own package clause left out."""
    systems: tuple[str, str]
    """What its name binds it to."""

    @property
    def is_test(self) -> bool:
        return self.path.endswith(TEST)


def go_file(path: str, outline: Outline) -> GoFile:
    tops: dict[str, int] = {}
    bases: dict[int, tuple[str, ...]] = {}
    for at, symbol in enumerate(outline.symbols):
        tops.setdefault(symbol.name, at)
    for each in outline.references:
        if each.role == "base" and each.owner != MODULE:
            bases[each.owner] = (*bases.get(each.owner, ()), each.chain)
    clause = next((each for each in outline.imports if each.module.startswith(CLAUSE)), None)
    return GoFile(
        path,
        dirname(path),
        clause.module.removeprefix(CLAUSE) if clause is not None else "",
        outline,
        tops,
        bases,
        tuple(each for each in outline.imports if not each.module.startswith(CLAUSE)),
        systems(path),
    )


def foreign(one: GoFile, other: GoFile) -> bool:
    """Whether two files are never compiled together."""
    return any(a and b and a != b for a, b in zip(one.systems, other.systems, strict=True))


def key_of(folder: str, package: str = "", name: str = "") -> str:
    return f"{folder}\0{package}\0{name}"


def imports_key(path: str) -> str:
    """The key of what a file imports: the names in its types are read by that."""
    return f"{path}\0"


def ending_key(path: str) -> str:
    """The key of which folders there are that end like this path."""
    return f"\0{basename(path)}"


def entries_of(file: GoFile) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Everything others may have found in a file, with the keys they asked by; wherever it stands."""
    for name, at in file.tops.items():
        yield key_of(file.folder, file.package, name), file.outline.symbols[at].kind, file.bases.get(at, ())


def taken(file: GoFile) -> list[tuple[str, str, str]]:
    return [(each.name, each.module, each.item) for each in file.imports]


def evidence(file: GoFile) -> set[tuple[str, str | None]]:
    """What a file's imports say about where in the world the tree lies."""
    asker = None if file.is_test or file.package == "main" else file.folder
    return {(each.module, asker) for each in file.imports if "." in each.module.partition("/")[0]}
