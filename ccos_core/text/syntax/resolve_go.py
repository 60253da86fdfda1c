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

from ccos_core.text.syntax.go_files import (
    OUTSIDE,
    TEST,
    GoFile,
    ending_key,
    entries_of,
    evidence,
    foreign,
    go_file,
    imports_key,
    key_of,
    taken,
)
from ccos_core.text.syntax.go_paths import Paths, below, called, origin
from ccos_core.text.syntax.resolution import Link, Memory, Target, in_order
from ccos_core.values.code import MODULE, Import, Outline, Reference, Symbol

DEEPEST = 10
"""Embedded types, and types of types, followed for one name."""

_TYPES = ("struct", "interface", "type")
_DATA = ("variable", "constant", "field")

_Package = tuple[str, str]
"""(folder, name)."""
_Found = tuple[int, Target, str, int, int]


def resolver() -> GoResolver:
    """A resolver that knows nothing yet."""
    return GoResolver()


class GoResolver:
    """All Go files of a tree."""

    configs: tuple[str, ...] = ("go.mod", "go.work")

    def __init__(self) -> None:
        self.files: dict[str, GoFile] = {}
        self.folders: dict[str, dict[str, dict[str, bool]]] = {}
        """Folder → package → its files, and whether they are tests."""
        self.endings: dict[str, dict[str, None]] = {}
        """Last part of a folder's path → the folders with it."""
        self.names: dict[_Package, dict[str, dict[str, int]]] = {}
        """(folder, package) → qualified name → file → symbol."""
        self.paths = Paths()
        self.imports: dict[tuple[str, str | None], int] = {}
        """(import path, folder it is imported in, or None where its own package may be meant) → how often."""
        self.origin = ""
        """The import path of the top, told from the imports; for files that no module is above."""
        self.settled = True
        """Whether that is told from all that is known now."""
        self.memory = Memory()

    def configure(self, path: str, text: str | None) -> None:
        if self.paths.configure(path, text):
            self.memory.clear()
            self.settled = False

    def put(self, path: str, outline: Outline) -> None:
        before, after = self.files.get(path), go_file(path, outline)
        if before is not None and before.outline == outline:
            return
        self._replace(path, before, after)

    def drop(self, path: str) -> None:
        if path in self.files:
            self._replace(path, self.files[path], None)

    def links(self, path: str) -> tuple[Link, ...]:
        if path not in self.files:
            return ()
        self._settle()
        if path not in self.memory.links:
            look = _Look(self, self.files[path])
            self.memory.keep(path, look.links(), look.asked)
        return self.memory.links[path]

    def folder(self, path: str, asker: GoFile) -> str | None:
        """The folder an import path means, if it has Go files."""
        found = self.paths.folder(path, asker.folder)
        if found is None and self.paths.home(asker.folder) is None and "." in path.partition("/")[0]:
            found = self._unconfigured(path)
        return found

    def _unconfigured(self, path: str) -> str | None:
        ending = [
            folder for folder in self.endings.get(basename(path), ()) if folder == path or folder.endswith("/" + path)
        ]
        if ending:
            return ending[0] if len(ending) == 1 else None
        if self.origin and below(path, self.origin):
            return path[len(self.origin) + 1 :]
        return None

    def _settle(self) -> None:
        """Tell the top's import path anew, if what it is told from has changed and anyone may ask for it."""
        if not self.settled:
            self.settled = True
            before = self.origin
            self.origin = origin(self.imports, self.folders) if self.paths.home("") is None else ""
            if self.origin != before:
                self.memory.changed(frozenset((OUTSIDE,)))

    def _replace(self, path: str, before: GoFile | None, after: GoFile | None) -> None:
        entries = [set(entries_of(file)) if file is not None else set() for file in (before, after)]
        keys = {key for key, _, _ in entries[0] ^ entries[1]}
        if before is not None and after is not None and taken(before) != taken(after):
            keys.add(imports_key(path))
        if before is None or after is None or before.package != after.package:
            keys.add(key_of(dirname(path)))
            self.settled = False
        elif evidence(before) != evidence(after):
            self.settled = False
        was_there = dirname(path) in self.folders
        if before is not None:
            self._unlearn(before)
        if after is not None:
            self._learn(after)
        if (dirname(path) in self.folders) != was_there:
            keys.add(ending_key(dirname(path)))
        self.memory.forget(path)
        self.memory.changed(frozenset(keys))
        if before is not None and after is not None and before.tops != after.tops:
            self.memory.moved(path, {at: after.tops[name] for name, at in before.tops.items() if name in after.tops})

    def _learn(self, file: GoFile) -> None:
        self.files[file.path] = file
        self.folders.setdefault(file.folder, {}).setdefault(file.package, {})[file.path] = file.is_test
        self.endings.setdefault(basename(file.folder), {})[file.folder] = None
        names = self.names.setdefault((file.folder, file.package), {})
        for name, at in file.tops.items():
            names.setdefault(name, {})[file.path] = at
        for each in evidence(file):
            self.imports[each] = self.imports.get(each, 0) + 1

    def _unlearn(self, file: GoFile) -> None:
        del self.files[file.path]
        packages = self.folders[file.folder]
        del packages[file.package][file.path]
        names = self.names[file.folder, file.package]
        for name in file.tops:
            del names[name][file.path]
            if not names[name]:
                del names[name]
        if not packages[file.package]:
            del packages[file.package], self.names[file.folder, file.package]
        if not packages:
            del self.folders[file.folder], self.endings[basename(file.folder)][file.folder]
        for each in evidence(file):
            self.imports[each] -= 1
            if not self.imports[each]:
                del self.imports[each]


class _Look:
    """One file's references on their way to symbols."""

    def __init__(self, resolver: GoResolver, file: GoFile) -> None:
        self.resolver = resolver
        self.file = file
        self.asked: set[str] = set()
        self.bound: dict[str, dict[str, _Package]] = {}
        """File → its names for packages of the tree."""
        self.known: dict[tuple[str, str], tuple[tuple[Target, ...], bool]] = {}
        """(file, chain) → what was found for it."""
        self.heads: dict[tuple[str, str], Target | None] = {}
        """(file, name) → what it means there by itself, where no import brings it."""

    def links(self) -> tuple[Link, ...]:
        found: dict[tuple[int, Target, str], list[int]] = {}
        for owner, target, role, line, count in [*self._imported(), *self._referred()]:
            told = found.setdefault((owner, target, role), [line, 0])
            told[0] = min(told[0], line)
            told[1] += count
        links = [Link(owner, target, role, line, n) for (owner, target, role), (line, n) in found.items()]
        return tuple(sorted(links, key=in_order))

    def _imported(self) -> Iterator[_Found]:
        """Packages imported for what they do when they are loaded; the others are there by what is used of them."""
        for each in self.file.imports:
            package = self._package(each, self.file) if not each.name else None
            if package is not None:
                self.asked.add(key_of(*package, "init"))
                loaded = self.resolver.names[package].get("init", {})
                loaded = {path: at for path, at in loaded.items() if not path.endswith(TEST)}
                files = [path for path, is_test in self.resolver.folders[package[0]][package[1]].items() if not is_test]
                if len(loaded) == 1:
                    self.asked.update(loaded)
                    yield each.owner, Target(*loaded.popitem()), "import", each.line, 1
                elif len(files) == 1:
                    yield each.owner, Target(files[0]), "import", each.line, 1

    def _referred(self) -> Iterator[_Found]:
        for each in self.file.outline.references:
            way, whole = self._way(each.chain, self.file, DEEPEST)
            for nth, target in enumerate(way, 1):
                role = self._role(each, target, whole and nth == len(way), nth == len(way))
                if role and target != Target(self.file.path, each.owner):
                    yield each.owner, target, role, each.line, each.count

    def _role(self, reference: Reference, target: Target, whole: bool, last: bool) -> str:
        """How a reference uses what its chain comes to; empty where it doesn't."""
        kind = self._symbol(target).kind
        if not whole:
            # Data is read on the way. A call is referred to as well, and a type may just be what a variable is of.
            return "name" if kind in _DATA or (last and kind in _TYPES) else ""
        owner = self.file.outline.symbols[reference.owner].kind if reference.owner != MODULE else ""
        if reference.role == "base" and owner not in _TYPES:
            return "type" if kind in _TYPES else ""  # the value it is told from is referred to as well
        return reference.role

    # -- names ----------------------------------------------------------------------------------------------------

    def _way(self, chain: str, file: GoFile, depth: int) -> tuple[tuple[Target, ...], bool]:
        """What a chain in a file comes to, name by name as far as it is known, and whether that is all of it."""
        key = file.path, chain
        found = self.known.get(key)
        if found is None:
            self.known[key] = (), False  # what leads back to itself leads nowhere
            found = self.known[key] = self._followed(chain, file, depth)
        return found

    def _followed(self, chain: str, file: GoFile, depth: int) -> tuple[tuple[Target, ...], bool]:
        head, *rest = chain.split(".")
        if head not in file.tops and (package := self._packages(file).get(head)) is not None:
            target = self._name(package, rest.pop(0), file) if rest else None
        else:
            target = self._head(head, file)
        way: list[Target] = []
        while target is not None:
            way.append(target)
            if not rest:
                return tuple(way), True
            target = self._member(target, rest.pop(0), depth)
        return tuple(way), False

    def _head(self, head: str, file: GoFile) -> Target | None:
        """What a name means by itself."""
        key = file.path, head
        if key not in self.heads:
            if head in file.tops:
                if file is not self.file:  # whose links are looked for anew when it changes
                    self.asked.update((file.path, key_of(file.folder, file.package, head)))
                self.heads[key] = Target(file.path, file.tops[head])
            else:
                found = self._name((file.folder, file.package), head, file)
                self.heads[key] = found or self._dotted(head, file)
        return self.heads[key]

    def _name(self, package: _Package, name: str, file: GoFile) -> Target | None:
        """Which file's definition of a package's name is meant in `file`."""
        self.asked.add(key_of(*package, name))
        found = self.resolver.names.get(package, {}).get(name, {})
        seen = [
            path
            for path in found
            if not path.endswith(TEST) or (self.file.is_test and dirname(path) == self.file.folder)
        ]
        if not seen:
            return None
        files = self.resolver.files
        path = seen[0]
        if len(seen) > 1:
            path = min(seen, key=lambda path: (path != file.path, foreign(files[path], file), len(path), path))
        self.asked.add(path)
        return Target(path, found[path])

    def _member(self, outer: Target, name: str, depth: int) -> Target | None:
        """A field or method, own or promoted: what is less deep hides what is deeper."""
        level, met = [outer], {outer}
        for _ in range(depth):
            for each in level:
                file = self.resolver.files[each.path]
                found = self._name((file.folder, file.package), f"{self._symbol(each).name}.{name}", file)
                if found is not None:
                    return found
            deeper = [told for each in level for told in self._bases(each, depth - 1)]
            level = []
            for called_like, inner in deeper:
                if called_like == name:
                    return inner
                if inner not in met:
                    met.add(inner)
                    level.append(inner)
        return None

    def _bases(self, outer: Target, depth: int) -> Iterator[tuple[str, Target]]:
        """What dots after a symbol lead into as well, and the field it is there by if it is embedded."""
        self.asked.add(imports_key(outer.path))
        file, kind = self.resolver.files[outer.path], self._symbol(outer).kind
        for chain in file.bases.get(outer.symbol, ())[: None if kind in _TYPES else 1]:
            way, whole = self._way(chain, file, depth)
            if whole:
                yield chain.rpartition(".")[2] if kind == "struct" else "", way[-1]

    def _symbol(self, target: Target) -> Symbol:
        return self.resolver.files[target.path].outline.symbols[target.symbol]

    # -- packages -------------------------------------------------------------------------------------------------

    def _packages(self, file: GoFile) -> dict[str, _Package]:
        """The file's names for packages of the tree."""
        if file.path not in self.bound:
            bound: dict[str, _Package] = {}
            guessed: dict[str, _Package] = {}
            for each in file.imports:
                package = self._package(each, file) if each.item == "" and each.name else None
                if package is None:
                    continue
                if each.name == called(each.module):  # without an alias it is called as its clause says
                    bound[package[1]] = package
                    guessed[each.name] = package
                else:
                    bound[each.name] = package
            self.bound[file.path] = guessed | bound
        return self.bound[file.path]

    def _dotted(self, name: str, file: GoFile) -> Target | None:
        """A name that `import .` brings."""
        for each in file.imports:
            if each.item == "*" and (package := self._package(each, file)) is not None:
                found = self._name(package, name, file)
                if found is not None:
                    return found
        return None

    def _package(self, told: Import, file: GoFile) -> _Package | None:
        """The package an import means, where it is in the tree and the folder has only one it can be."""
        if self.resolver.paths.home(file.folder) is None:
            self.asked.update((OUTSIDE, ending_key(told.module)))
        folder = self.resolver.folder(told.module, file)
        if folder is None:
            return None
        self.asked.add(key_of(folder))
        packages = self.resolver.folders.get(folder, {})
        names = [name for name, files in packages.items() if not all(files.values())]
        if len(names) > 1:
            names = [name for name in names if name not in ("main", "documentation")]
        if len(names) > 1:
            names = [name for name in names if name == called(told.module)]
        return (folder, names[0]) if len(names) == 1 else None
