"""Rust: how files hang together as modules and crates.

A file is a module because another one says `mod x;`, and the root of a crate when none does. So the tree of modules
needs no manifest; `Cargo.toml` only says what a crate is called by others, and where its library begins. Everything
here is asked for by key, and says which keys a change concerns, so that what nobody asked for costs nothing.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ccos_core.text.syntax.resolution import Index, shared_folders
from ccos_core.values.code import MODULE, Import, Outline

ROOTS = ("lib.rs", "main.rs", "mod.rs")
"""Files whose submodules lie beside them."""
MANIFEST = "Cargo.toml"
LIBRARY = "src/lib.rs"
MANIFESTS = "manifests"
"""The key of what all manifests say together, ..."""
LIBRARIES = "libraries"
"""... and of which libraries there are."""
_INNER = frozenset(("method", "variant"))

Place = tuple[tuple[str, int], ...]
"""A module, by the way to it from its crate's root: (file, inline module in it or MODULE) for each step."""


class Found(NamedTuple):
    """What a name means: a symbol of the module at `place`, or that module itself where `symbol` is MODULE."""

    place: Place
    symbol: int = MODULE

    @property
    def path(self) -> str:
        return self.place[-1][0]


@dataclass(slots=True)
class Scope:
    """What names mean in a module, or in a function that imports some."""

    names: dict[str, list[int]] = field(default_factory=dict)
    """Name → what is defined under it; macros with their `!`."""
    imports: dict[str, list[Import]] = field(default_factory=dict)
    globs: list[Import] = field(default_factory=list)
    macros: list[str] = field(default_factory=list)
    """Modules and crates all of whose macros are in reach."""
    files: dict[str, list[str]] = field(default_factory=dict)
    """Submodule → the files it is declared to be in; empty for the usual ones."""


class File:
    """One file, ready to be asked."""

    def __init__(self, path: str, outline: Outline) -> None:
        self.path = path
        self.outline = outline
        self.scopes: dict[int, Scope] = {MODULE: Scope()}
        self.homes: list[int] = []
        """Symbol → the inline module it lies in."""
        self.members: dict[tuple[int, str], dict[str, list[int]]] = {}
        """(inline module, type) → its members by name."""
        self.macros: dict[str, int] = {}
        self.modules: dict[str, int] = {}
        """Inline modules by their qualified names."""
        self.stated: dict[tuple[int, str], list[str]] = {}
        """(symbol, role) → the chains it has in that role: its traits, or what it is another name for, or gives."""
        self._define()
        for each in outline.imports:
            scope = self.scopes.setdefault(self.canonical(each.owner), Scope())
            if each.module == "mod" or each.module.startswith("mod:"):
                scope.files.setdefault(each.name, []).append(each.module[4:])
            elif each.item == "*!":
                scope.macros.append(each.module)
            elif each.item == "*":
                scope.globs.append(each)
            elif each.name:
                scope.imports.setdefault(each.name, []).append(each)
        kinds = [symbol.kind for symbol in outline.symbols]
        for use in outline.references:
            if use.owner != MODULE and (use.role == "base" or (use.role == "type" and kinds[use.owner] == "type")):
                self.stated.setdefault((use.owner, use.role), []).append(use.chain)

    def _define(self) -> None:
        for at, symbol in enumerate(self.outline.symbols):
            outer, _, name = symbol.name.rpartition(".")
            if symbol.kind == "module":
                self.modules.setdefault(symbol.name, at)
                self.scopes.setdefault(self.modules[symbol.name], Scope())
            home = self.modules.get(outer, MODULE)
            if not outer or (outer in self.modules and symbol.kind not in _INNER):
                key = f"{name}!" if symbol.kind == "macro" else name
                self.scopes[home].names.setdefault(key, []).append(at)
                if symbol.kind == "macro":
                    self.macros.setdefault(name, at)
            else:
                module, _, owner = outer.rpartition(".")
                home = self.modules.get(module, MODULE)
                self.members.setdefault((home, owner), {}).setdefault(name, []).append(at)
            self.homes.append(home)

    def canonical(self, symbol: int) -> int:
        """The same symbol, or the first of its name where an inline module is written twice."""
        if symbol == MODULE or self.outline.symbols[symbol].kind != "module":
            return symbol
        return self.modules[self.outline.symbols[symbol].name]

    def home(self, symbol: int) -> int:
        """The inline module that `symbol` stands in, or is."""
        if symbol == MODULE:
            return MODULE
        return self.canonical(symbol) if self.outline.symbols[symbol].kind == "module" else self.homes[symbol]

    def inward(self, module: int) -> list[int]:
        """The inline modules from the file's top to this one."""
        if module == MODULE:
            return []
        parts = self.outline.symbols[module].name.split(".")
        ways = [self.modules.get(".".join(parts[: n + 1])) for n in range(len(parts))]
        return [way for way in ways if way is not None]

    def declared(self) -> Iterator[tuple[int, str, list[list[str]]]]:
        """(inline module, name, files it may be in: lists of them, the first that exists of each) of each `mod x;`."""
        for home, scope in self.scopes.items():
            for name, files in scope.files.items():
                yield home, name, [self.candidates(home, name, file) for file in files]

    def candidates(self, home: int, name: str, stated: str) -> list[str]:
        """Where `mod name;` may lie, the likeliest first."""
        folder, _, file = self.path.rpartition("/")
        inline = [self.outline.symbols[at].name.rpartition(".")[2] for at in self.inward(home)]
        bases = [folder] if file in ROOTS else [posixpath.join(folder, file.removesuffix(".rs")), folder]
        if stated and not inline:
            bases = [folder]
        insides = [posixpath.join(base, *inline) for base in bases]
        if stated:
            return [_clean(posixpath.join(inside, stated)) for inside in insides]
        return [_clean(f"{inside}/{end}") for inside in insides for end in (f"{name}.rs", f"{name}/mod.rs")]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a `Cargo.toml` says that matters here."""

    name: str
    """What others call its library; empty without one."""
    library: str
    edition: str
    """Empty where it isn't known."""
    renamed: tuple[tuple[str, str], ...]
    """What it calls other crates → what they are called."""

    @classmethod
    def parse(cls, text: str) -> Manifest | None:
        try:
            manifest = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return None
        package, library = _table(manifest, "package"), _table(manifest, "lib")
        name = library.get("name") or package.get("name")
        renamed = {
            _crate(alias): _crate(wanted["package"])
            for kind in ("dependencies", "dev-dependencies", "build-dependencies")
            for alias, wanted in _table(manifest, kind).items()
            if isinstance(wanted, dict) and isinstance(wanted.get("package"), str)
        }
        edition = package.get("edition", "" if "edition" in package or not package else "2015")
        return cls(
            _crate(name) if isinstance(name, str) else "",
            library["path"] if isinstance(library.get("path"), str) else LIBRARY,
            edition if isinstance(edition, str) else "",
            tuple(sorted(renamed.items())),
        )


class Modules:
    """All files, and who declares which."""

    def __init__(self, files: dict[str, File]) -> None:
        self.files = files
        self.manifests: dict[str, Manifest] = {}
        """Folder → what the manifest in it says."""
        self.declarers: Index[str, None] = Index()
        """A path that may be a module → the files that may declare it."""
        self.macros: Index[str, None] = Index()
        """Macro → the files that define one."""
        self.members: Index[str, None] = Index()
        """`Type.member` → the files that give it to a type, wherever that is defined."""
        self.libraries: set[str] = set()
        """Roots of libraries, as far as their place shows it."""

    def index(self, file: File, is_there: bool) -> set[str]:
        """Learn or forget a file; gives the keys it concerns."""
        keys = {file.path}
        for index, names in self._indexed(file):
            for name, key in names:
                if is_there:
                    index.add(name, file.path, None)
                else:
                    index.remove(name, file.path)
                keys.add(key)
        if is_there and file.path.endswith(LIBRARY):
            self.libraries.add(file.path)
        else:
            self.libraries.discard(file.path)
        return keys

    def configure(self, path: str, text: str | None) -> bool:
        """Learn a manifest; gives whether it says anything new."""
        folder = path.rpartition("/")[0]
        before = self.manifests.pop(folder, None)
        after = Manifest.parse(text) if text is not None else None
        if after is not None:
            self.manifests[folder] = after
        return before != after

    def _indexed(self, file: File) -> Iterator[tuple[Index[str, None], set[tuple[str, str]]]]:
        declared = {path for _, _, ways in file.declared() for candidates in ways for path in candidates}
        yield self.declarers, {(path, f"^{path}") for path in declared}
        yield self.macros, {(name, f"!{name}") for name in file.macros}
        members = {f"{owner}.{name}" for (_, owner), names in file.members.items() for name in names}
        yield self.members, {(name, f".{name}") for name in members}

    def is_library(self, path: str) -> bool:
        """Whether a file may be the root of a library."""
        return path.endswith(LIBRARY) or any(path == self._root(folder) for folder in self.manifests)

    def package(self, path: str) -> str | None:
        """The folder of the nearest manifest above a file."""
        while path:
            path = path.rpartition("/")[0]
            if path in self.manifests:
                return path
        return None

    def crates(self, name: str, asker: str) -> list[str]:
        """The root of the library `asker` means by `name`; none or one."""
        home = self.package(asker)
        if home is not None:
            name = dict(self.manifests[home].renamed).get(name, name)
        found = {self._root(folder) for folder, manifest in self.manifests.items() if manifest.name == name}
        found |= {path for path in self.libraries if self.package(path) is None and _guessed(path) == name}
        fitting = sorted(
            (-shared_folders(path.rpartition("/")[0], asker.rpartition("/")[0]), path)
            for path in found
            if path in self.files
        )
        if len(fitting) > 1 and fitting[0][0] == fitting[1][0]:
            return []
        return [fitting[0][1]] if fitting else []

    def _root(self, folder: str) -> str:
        """The root of the library that the manifest in a folder describes."""
        return _clean(posixpath.join(folder, self.manifests[folder].library))


def _table(manifest: dict[str, Any], key: str) -> dict[str, Any]:
    value = manifest.get(key)
    return value if isinstance(value, dict) else {}


def _crate(name: str) -> str:
    return name.replace("-", "_")


def _guessed(library: str) -> str | None:
    """What a library without a manifest is called: as its folder is."""
    folder = library.removesuffix(LIBRARY).rstrip("/")
    return _crate(folder.rpartition("/")[2]) if folder else None


def _clean(path: str) -> str:
    return posixpath.normpath(path).lstrip("/") if path else ""
