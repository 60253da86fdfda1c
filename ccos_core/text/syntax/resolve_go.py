"""Go: from import paths and package names to symbols.

A package is a folder and a package clause, so a name without a dot is looked for in all files of the asker's own
package, whichever of them define it. What tests define is seen by tests of the same folder only. Where several files
define a name (for several systems, or with and without a build tag) the asker's own comes first, then those for its
system, then the shortest path.

Dots are followed through what Go promotes: from a type to what it embeds, and from a variable, a field or a call to
the type it is of, wherever the outline could tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname

from ccos_core.text.syntax.go_paths import Paths, below, default_name, platform, root_import_path
from ccos_core.text.syntax.resolution import FamilyResolver, Index, Link, Look, Target, Use
from ccos_core.values.code import MODULE, Import, Outline, Reference, Symbol

DEEPEST = 10
"""Embedded types, and types of types, followed for one name."""

_TEST = "_test.go"
_CLAUSE = "package "
_OUTSIDE = "\0"
"""The key of what depends on the whole tree: import paths of files without a module."""
_TYPES = ("struct", "interface", "type")
_DATA = ("variable", "constant", "field")

_Package = tuple[str, str]
"""(folder, name)."""


def resolver() -> GoResolver:
    """A resolver that knows nothing yet."""
    return GoResolver()


class GoFile:
    """A Go file as the resolver sees it."""

    __slots__ = ("bases", "folder", "imports", "is_test", "outline", "package", "path", "platform", "tops")

    def __init__(self, path: str, outline: Outline) -> None:
        self.path, self.folder, self.outline = path, dirname(path), outline
        self.is_test = path.endswith(_TEST)
        self.platform = platform(path)
        self.tops: dict[str, int] = {}
        """Qualified names → where they are defined first."""
        for at, symbol in enumerate(outline.symbols):
            self.tops.setdefault(symbol.name, at)
        self.bases: dict[int, tuple[str, ...]] = {}
        """Symbol → what dots after it lead into."""
        for each in outline.references:
            if each.role == "base" and each.owner != MODULE:
                self.bases[each.owner] = (*self.bases.get(each.owner, ()), each.chain)
        clauses = [each.module for each in outline.imports if each.module.startswith(_CLAUSE)]
        self.package = clauses[0].removeprefix(_CLAUSE) if clauses else ""
        self.imports = tuple(each for each in outline.imports if not each.module.startswith(_CLAUSE))

    def entries(self) -> set[tuple[str, str, tuple[str, ...]]]:
        """Everything other files may have found here, with the keys they asked by; wherever it stands."""
        symbols, bases = self.outline.symbols, self.bases
        return {
            (_key(self.folder, self.package, name), symbols[at].kind, bases.get(at, ()))
            for name, at in self.tops.items()
        }

    def evidence(self) -> set[tuple[str, str | None]]:
        """What the imports say about where in the world the tree lies."""
        asker = None if self.is_test or self.package == "main" else self.folder
        return {(each.module, asker) for each in self.imports if "." in each.module.partition("/")[0]}


class GoResolver(FamilyResolver[GoFile]):
    """All Go files of a tree."""

    configs = ("go.mod", "go.work")

    def __init__(self) -> None:
        super().__init__()
        self.folders: dict[str, Index[str, bool]] = {}
        """Folder → package → its files, and whether they are tests."""
        self.endings: Index[str, None] = Index()
        """Last part of a folder's path → the folders with it."""
        self.names: dict[_Package, Index[str, int]] = {}
        """Package → qualified name → file → symbol."""
        self.paths = Paths()
        self.imports: Index[tuple[str, str | None], None] = Index()
        """(import path, folder it is imported in, or None where its own package may be meant) → files."""
        self.root = ""
        """The import path of the top, derived from the imports; for files that no module is above."""
        self.is_settled = True
        """Whether `root` is up to date."""

    def configure(self, path: str, text: str | None) -> None:
        if self.paths.configure(path, text):
            self.memory.clear()
            self.is_settled = False

    def links(self, path: str) -> tuple[Link, ...]:
        if path in self.files:
            self._settle()
        return super().links(path)

    def read(self, path: str, outline: Outline) -> GoFile:
        return GoFile(path, outline)

    def look(self, path: str) -> _Look:
        return _Look(self, self.files[path])

    def folder(self, path: str, asker: GoFile) -> str | None:
        """The folder an import path means, if it has Go files."""
        found = self.paths.folder(path, asker.folder)
        if found is not None or self.paths.home(asker.folder) is not None or "." not in path.partition("/")[0]:
            return found
        ends = [each for each in self.endings.get(basename(path), ()) if each == path or each.endswith("/" + path)]
        if ends:
            return ends[0] if len(ends) == 1 else None
        return path[len(self.root) + 1 :] if self.root and below(path, self.root) else None

    def _settle(self) -> None:
        """Derive the top's import path again, if an import or a package has changed."""
        if not self.is_settled:
            self.is_settled = True
            before = self.root
            self.root = root_import_path(self.imports, self.folders) if self.paths.home("") is None else ""
            if self.root != before:
                self.memory.changed({_OUTSIDE})

    def reindex(self, path: str, before: GoFile | None, after: GoFile | None) -> tuple[set[str], dict[int, int]]:
        entries = [file.entries() if file is not None else set() for file in (before, after)]
        keys = {key for key, _, _ in entries[0] ^ entries[1]}
        folder = dirname(path)
        was_there = folder in self.folders
        if before is not None:
            self._unlearn(before)
        if after is not None:
            self._learn(after)
        if (folder in self.folders) != was_there:
            keys.add(_ending_key(folder))
        if before is None or after is None:
            self.is_settled = False
            return keys | {_key(folder)}, {}
        if [each[:3] for each in before.imports] != [each[:3] for each in after.imports]:
            keys.add(_imports_key(path))
        if before.package != after.package:
            keys.add(_key(folder))
        if before.package != after.package or before.evidence() != after.evidence():
            self.is_settled = False
        return keys, {at: after.tops[name] for name, at in before.tops.items() if name in after.tops}

    def _learn(self, file: GoFile) -> None:
        if file.folder not in self.folders:
            self.folders[file.folder] = Index()
            self.endings.add(basename(file.folder), file.folder, None)
        self.folders[file.folder].add(file.package, file.path, file.is_test)
        names = self.names.setdefault((file.folder, file.package), Index())
        for name, at in file.tops.items():
            names.add(name, file.path, at)
        for each in file.evidence():
            self.imports.add(each, file.path, None)

    def _unlearn(self, file: GoFile) -> None:
        packages, package = self.folders[file.folder], (file.folder, file.package)
        packages.remove(file.package, file.path)
        if not packages:
            del self.folders[file.folder]
            self.endings.remove(basename(file.folder), file.folder)
        for name in file.tops:
            self.names[package].remove(name, file.path)
        if file.package not in packages:
            del self.names[package]
        for each in file.evidence():
            self.imports.remove(each, file.path)


class _Look(Look):
    """One Go file's look."""

    def __init__(self, resolver: GoResolver, file: GoFile) -> None:
        super().__init__()
        self.resolver = resolver
        self.file = file
        self.packages: dict[str, dict[str, _Package]] = {}
        """File → its names for packages of the tree."""
        self.followed: dict[tuple[str, str], tuple[tuple[Target, ...], bool]] = {}
        """(file, chain) → what was found for it."""
        self.heads: dict[tuple[str, str], Target | None] = {}
        """(file, name) → what it means there by itself, where no import brings it."""

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        for each in self.file.imports:
            if not each.name and (target := self._loaded(each)) is not None:
                yield (each.owner, target, "import"), each.line, 1
        for use in self.file.outline.references:
            way, is_whole = self._follow(use.chain, self.file, DEEPEST)
            for nth, target in enumerate(way, 1):
                role = self._role(use, target, is_whole and nth == len(way), nth == len(way))
                if role and target != (self.file.path, use.owner):
                    yield (use.owner, target, role), use.line, use.count

    def _loaded(self, each: Import) -> Target | None:
        """A package imported for what it does when it is loaded: its only `init`, or its only file."""
        package = self._package(each, self.file)
        if package is None:
            return None
        self.asked.add(_key(*package, "init"))
        inits = self.resolver.names[package].get("init", {})
        loaded = [Target(path, at) for path, at in inits.items() if not path.endswith(_TEST)]
        if len(loaded) == 1:
            self.asked.add(loaded[0].path)
            return loaded[0]
        files = [path for path, is_test in self.resolver.folders[package[0]][package[1]].items() if not is_test]
        return Target(files[0]) if len(files) == 1 else None

    def _role(self, use: Reference, target: Target, is_whole: bool, is_last: bool) -> str:
        """How a reference uses what its chain comes to; empty where it doesn't."""
        kind = self._symbol(target).kind
        if not is_whole:
            # Data is read on the way. A call is referred to as well, and a type may just be what a variable is of.
            return "name" if kind in _DATA or (is_last and kind in _TYPES) else ""
        owner = self.file.outline.symbols[use.owner].kind if use.owner != MODULE else ""
        if use.role == "base" and owner not in _TYPES:
            return "type" if kind in _TYPES else ""  # the value it gets that type from is referred to as well
        return use.role

    # -- names ----------------------------------------------------------------------------------------------------

    def _follow(self, chain: str, file: GoFile, depth: int) -> tuple[tuple[Target, ...], bool]:
        """What a chain in a file comes to, name by name as far as it is known, and whether that is all of it."""
        key = file.path, chain
        if (known := self.followed.get(key)) is not None:
            return known
        self.followed[key] = (), False  # what leads back to itself leads nowhere
        head, *rest = chain.split(".")
        if head not in file.tops and (package := self._named_packages(file).get(head)) is not None:
            target = self._name(package, rest.pop(0), file) if rest else None
        else:
            target = self._head(head, file)
        way: list[Target] = []
        while target is not None:
            way.append(target)
            if not rest:
                break
            target = self._member(target, rest.pop(0), depth)
        self.followed[key] = found = tuple(way), target is not None
        return found

    def _head(self, head: str, file: GoFile) -> Target | None:
        """What a name means by itself."""
        key = file.path, head
        if key not in self.heads:
            if head in file.tops:
                if file is not self.file:  # whose links are looked for anew when it changes
                    self.asked.update((file.path, _key(file.folder, file.package, head)))
                self.heads[key] = Target(file.path, file.tops[head])
            else:
                found = self._name((file.folder, file.package), head, file)
                self.heads[key] = found or self._dotted(head, file)
        return self.heads[key]

    def _name(self, package: _Package, name: str, file: GoFile) -> Target | None:
        """Which file's definition of a package's name is meant in `file`."""
        self.asked.add(_key(*package, name))
        names = self.resolver.names.get(package)
        found = names.get(name, {}) if names is not None else {}
        sees = self.file.folder if self.file.is_test else None
        seen = [path for path in found if not path.endswith(_TEST) or dirname(path) == sees]
        if not seen:
            return None
        path = seen[0]
        if len(seen) > 1:
            path = min(seen, key=lambda path: (path != file.path, self._foreign(path, file), len(path), path))
        self.asked.add(path)
        return Target(path, found[path])

    def _foreign(self, path: str, file: GoFile) -> bool:
        """Whether two files are never compiled together."""
        other = self.resolver.files[path]
        return any(a and b and a != b for a, b in zip(file.platform, other.platform, strict=True))

    def _member(self, outer: Target, name: str, depth: int) -> Target | None:
        """A field or method, own or promoted: what is less deep hides what is deeper."""
        level, met = [outer], {outer}
        for _ in range(depth):
            for each in level:
                file = self.resolver.files[each.path]
                found = self._name((file.folder, file.package), f"{self._symbol(each).name}.{name}", file)
                if found is not None:
                    return found
            deeper = [base for each in level for base in self._bases(each, depth - 1)]
            level = []
            for field, inner in deeper:
                if field == name:
                    return inner
                if inner not in met:
                    met.add(inner)
                    level.append(inner)
        return None

    def _bases(self, outer: Target, depth: int) -> Iterator[tuple[str, Target]]:
        """What dots after a symbol lead into as well, and the field it is there by if it is embedded."""
        self.asked.add(_imports_key(outer.path))
        file, kind = self.resolver.files[outer.path], self._symbol(outer).kind
        for chain in file.bases.get(outer.symbol, ())[: None if kind in _TYPES else 1]:
            way, is_whole = self._follow(chain, file, depth)
            if is_whole:
                yield chain.rpartition(".")[2] if kind == "struct" else "", way[-1]

    def _symbol(self, target: Target) -> Symbol:
        return self.resolver.files[target.path].outline.symbols[target.symbol]

    # -- packages -------------------------------------------------------------------------------------------------

    def _named_packages(self, file: GoFile) -> dict[str, _Package]:
        """The file's names for packages of the tree."""
        if file.path not in self.packages:
            bound: dict[str, _Package] = {}
            guessed: dict[str, _Package] = {}
            for each in file.imports:
                package = self._package(each, file) if each.item == "" and each.name else None
                if package is None:
                    continue
                if each.name == default_name(each.module):  # without an alias it is called as its clause says
                    bound[package[1]] = package
                    guessed[each.name] = package
                else:
                    bound[each.name] = package
            self.packages[file.path] = guessed | bound
        return self.packages[file.path]

    def _dotted(self, name: str, file: GoFile) -> Target | None:
        """A name that `import .` brings."""
        for each in file.imports:
            if each.item == "*" and (package := self._package(each, file)) is not None:
                found = self._name(package, name, file)
                if found is not None:
                    return found
        return None

    def _package(self, each: Import, file: GoFile) -> _Package | None:
        """The package an import means, where it is in the tree and the folder has only one it can be."""
        if self.resolver.paths.home(file.folder) is None:
            self.asked.update((_OUTSIDE, _ending_key(each.module)))
        folder = self.resolver.folder(each.module, file)
        if folder is None:
            return None
        self.asked.add(_key(folder))
        packages = self.resolver.folders.get(folder)
        names = [name for name, files in packages.items() if not all(files.values())] if packages is not None else []
        if len(names) > 1:
            names = [name for name in names if name not in ("main", "documentation")]
        if len(names) > 1:
            names = [name for name in names if name == default_name(each.module)]
        return (folder, names[0]) if len(names) == 1 else None


def _key(folder: str, package: str = "", name: str = "") -> str:
    return f"{folder}\0{package}\0{name}"


def _imports_key(path: str) -> str:
    """The key of what a file imports: the names in its types are read by that."""
    return f"{path}\0"


def _ending_key(path: str) -> str:
    """The key of which folders there are that end like this path."""
    return f"\0{basename(path)}"
