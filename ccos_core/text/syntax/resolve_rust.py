"""Rust: from paths to symbols.

A name is looked up as the language does it: in the function's own imports, in the module it stands in, then among
crates; an explicit name goes before a glob, and what two globs both bring is nobody's. Names are followed through `use`
and `pub use` to where they are defined. A module, a type and a function may share a name; which is meant, the use says,
and an import means all of them. Where `cfg` makes one of two definitions, the first in the text stands for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ccos_core.text.syntax.resolution import FamilyResolver, Target, Use, outward
from ccos_core.text.syntax.rust_modules import LIBRARIES, MANIFEST, MANIFESTS, File, Found, Modules, Place
from ccos_core.text.syntax.rust_ways import TYPES, Ways
from ccos_core.values.code import MODULE, Import, Outline, Reference

_VALUES = frozenset(("function", "constant", "static", "method", "variant"))
_ITEMS = TYPES | _VALUES
_ROOTS = ("crate", "super", "")
_ROLES: dict[str, tuple[frozenset[str], ...]] = {
    "type": (TYPES,),
    "base": (frozenset(("trait",)), TYPES),
    "call": (_VALUES, TYPES),
    "name": (_VALUES, TYPES),
    "decorator": (frozenset(("macro", "function")), TYPES),
}

Said = TypeVar("Said", Import, Reference)


def resolver() -> RustResolver:
    """A resolver that knows nothing yet."""
    return RustResolver()


class RustResolver(FamilyResolver[File]):
    """All Rust files of a tree."""

    configs = (MANIFEST,)

    def __init__(self) -> None:
        super().__init__()
        self.modules = Modules(self.files)

    def configure(self, path: str, text: str | None) -> None:
        if self.modules.configure(path, text):
            self.memory.changed({MANIFESTS})

    def read(self, path: str, outline: Outline) -> File:
        return File(path, outline)

    def reindex(self, path: str, before: File | None, after: File | None) -> tuple[set[str], dict[int, int]]:
        keys = {key for file in (before, after) if file is not None for key in self.modules.index(file, file is after)}
        if before is None or after is None:
            return keys | ({LIBRARIES} if self.modules.is_library(path) else set()), {}
        return (keys if outward(before.outline) != outward(after.outline) else set()), {}

    def look(self, path: str) -> _Look:
        return _Look(self.modules, self.files[path])


class _Look(Ways):
    """One file's imports and references on their way to symbols."""

    def __init__(self, modules: Modules, file: File) -> None:
        super().__init__(modules)
        self.own = file
        self.symbols = file.outline.symbols
        self.tops = self.places(file.path)

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        own = self.own.path
        for each in self.own.outline.imports:
            for target in self._agreed(self._imported, each):
                if target.path != own:
                    yield (each.owner, target, "import"), each.line, 1
        for use in self.own.outline.references:
            # What a function gives is its base for those who ask what a dot leads into; to it, it is a type.
            is_given = use.role == "base" and use.owner != MODULE and self.symbols[use.owner].kind not in TYPES
            for target in self._agreed(self._meant, use):
                if target.path != own or target.symbol not in (MODULE, use.owner):
                    yield (use.owner, target, "type" if is_given else use.role), use.line, use.count

    def _agreed(self, ask: Callable[[Said, Place], list[Found]], said: Said) -> list[Target]:
        """What is meant, from wherever the file is a part of, as long as that is one and the same."""
        answers = [
            list(
                dict.fromkeys(
                    Target(each.path, each.place[-1][1] if each.symbol == MODULE else each.symbol) for each in found
                )
            )
            for top in self.tops
            if (found := ask(said, self.inside(top, self.own.home(said.owner))))
        ]
        return answers[0] if answers and all(other == answers[0] for other in answers) else []

    def _imported(self, each: Import, place: Place) -> list[Found]:
        """What an import in the module at `place` names, in every sense the name has."""
        is_declaration = each.module.startswith("mod") and each.module[3:4] in ("", ":")
        if is_declaration or each.item == "*!":
            return []  # a file contains its submodules, it depends on what it uses of them
        modules = self.path(place, each.module.split("::"), taken=True)
        if each.item == "*":
            return [module for module in modules if self.kind(module) in ("", "enum")]
        if not each.item:
            return modules
        found = self.step(modules, each.item, place) + self.step(modules, f"{each.item}!", place)
        return found or self.holders(modules, each.item)

    def _meant(self, use: Reference, place: Place) -> list[Found]:
        """What a reference in the module at `place` means."""
        names = use.chain.split(".")
        if names[0] in ("self", "Self"):
            return self._method(names[1], use.owner, place) if len(names) > 1 else []
        if len(names) == 1 and names[0].endswith("!"):
            return self.macro(place, names[0][:-1])[:1]
        at, found = self._head(use.owner, names, place)
        types: list[Found] = []
        while at < len(names) and found:  # as far as the path leads
            further = self.step(found, names[at], place)
            if not further:
                break
            types = [each for each in found if self.kind(each) in TYPES][:1]
            found, at = further, at + 1
        if at == len(names):
            return [*self._fitting(found, use.role, names[-1]), *types]
        whole = [each for each in found if self.kind(each) in TYPES]
        return whole[:1] or (self.holders(found, names[at])[:1] if names[at - 1] not in _ROOTS else [])

    def _head(self, owner: int, names: list[str], place: Place) -> tuple[int, list[Found]]:
        """(how many names are used up, what they lead to) at a path's beginning."""
        local = self.own.scopes.get(owner) if self.own.home(owner) != owner else None
        found = self.bound(local, names[0], place) if local is not None else []
        return (1, found) if found else self.head(place, names, taken=False)

    def _fitting(self, found: list[Found], role: str, name: str) -> list[Found]:
        """What is meant of things that share a name."""
        if name.endswith("!"):
            return found[:1]
        senses = (*_ROLES.get(role, ()), _ITEMS)
        return next(([each] for kinds in senses for each in found if self.kind(each) in kinds), [])

    def _method(self, name: str, owner: int, place: Place) -> list[Found]:
        """A member of the type or trait whose member `owner` is."""
        if owner == MODULE:
            return []
        outer = self.symbols[owner].name.rpartition(".")[0].rpartition(".")[2]
        if self.symbols[owner].kind in TYPES:
            return self.inherited(Found(place, owner), name)
        for each in self.lookup(place, outer) if outer else ():
            if self.kind(each) in TYPES:
                return self.inherited(each, name)
        # The type comes from elsewhere: what the file itself gives it is all that is known of it.
        members = self.own.members.get((self.own.home(owner), outer), {}).get(name, [])
        return [Found(place, members[0])] if len(members) == 1 else []
