"""Rust: from paths to symbols.

A name is looked up as the language does it: in the function's own imports, in the module it stands in, then among
crates; an explicit name goes before a glob, and what two globs both bring is nobody's. Names are followed through `use`
and `pub use` to where they are defined. A module, a type and a function may share a name; which is meant, the use says,
and an import means all of them. Where `cfg` makes one of two definitions, the first in the text stands for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ccos_core.text.syntax.resolution import FamilyResolver, Look, Target, Use, outward
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
        keys = self.modules.remove(before) if before is not None else set()
        keys |= self.modules.add(after) if after is not None else set()
        if before is None or after is None:
            return keys | ({LIBRARIES} if self.modules.is_library(path) else set()), {}
        return (keys if outward(before.outline) != outward(after.outline) else set()), {}

    def look(self, path: str) -> _Look:
        return _Look(self.modules, self.files[path])


class _Look(Look):
    """One file's imports and references on their way to symbols."""

    def __init__(self, modules: Modules, file: File) -> None:
        super().__init__()
        self.file = file
        self.ways = Ways(modules, self.asked)
        self.places = self.ways.places(file.path)

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        for each in self.file.outline.imports:
            for target in self._agreed(lambda top, each=each: self._imported(each, top)):  # type: ignore[misc]
                if target.path != self.file.path:
                    yield (each.owner, target, "import"), each.line, 1
        for use in self.file.outline.references:
            for target in self._agreed(lambda top, use=use: self._meant(use, top)):  # type: ignore[misc]
                if target.path != self.file.path or target.symbol not in (MODULE, use.owner):
                    yield (use.owner, target, self._role(use)), use.line, use.count

    def _role(self, use: Reference) -> str:
        """What a function gives is its base for those who ask what a dot leads into; to it, it is a type."""
        is_given = use.role == "base" and use.owner != MODULE
        return "type" if is_given and self.file.outline.symbols[use.owner].kind not in TYPES else use.role

    def _agreed(self, ask: Callable[[Place], list[Found]]) -> list[Target]:
        """What is meant, from wherever the file is a part of, as long as that is one and the same."""
        told = [self._targets(found) for top in self.places if (found := ask(top))]
        return told[0] if told and all(other == told[0] for other in told) else []

    def _targets(self, found: Iterable[Found]) -> list[Target]:
        targets = {self._target(each): None for each in found}
        return list(targets)

    def _target(self, found: Found) -> Target:
        return Target(found.path, found.symbol if found.symbol != MODULE else found.place[-1][1])

    # -- imports --------------------------------------------------------------------------------------------------

    def _imported(self, each: Import, top: Place) -> list[Found]:
        """What an import names, in every sense the name has."""
        if each.module.startswith("mod") and each.module[3:4] in ("", ":"):
            return []  # a file contains its submodules, it depends on what it uses of them
        if each.item == "*!":
            return []
        place = self._place(top, each.owner)
        modules = self.ways.path(place, each.module.split("::"), taken=True)
        if each.item == "*":
            return [told for told in modules if self.ways.kind(told) in ("", "enum")]
        if not each.item:
            return modules
        found = self.ways.step(modules, each.item, place) + self.ways.step(modules, f"{each.item}!", place)
        return found or self.ways.holders(modules, each.item)

    def _place(self, top: Place, owner: int) -> Place:
        """The module that `owner` stands in."""
        return self.ways.inside(top, self.file.home(owner))

    # -- references -----------------------------------------------------------------------------------------------

    def _meant(self, use: Reference, top: Place) -> list[Found]:
        names = use.chain.split(".")
        place = self._place(top, use.owner)
        own = self._selves(use.owner, place) if names[0] in ("self", "Self") else []
        if names[0] in ("self", "Self"):
            return self._method(own, names[1], use.owner, place) if len(names) > 1 else []
        if len(names) == 1 and names[0].endswith("!"):
            return self.ways.macro(place, names[0][:-1])[:1]
        return self._along(use, names, place)

    def _along(self, use: Reference, names: list[str], place: Place) -> list[Found]:
        """Follow a path as far as it leads."""
        at, found = self._head(use.owner, names, place)
        types: list[Found] = []
        while at < len(names) and found:
            further = self.ways.step(found, names[at], place)
            if not further:
                break
            types = [each for each in found if self.ways.kind(each) in TYPES][:1]
            found, at = further, at + 1
        if at == len(names):
            return [*self._fitting(found, use.role, names[-1]), *types]
        whole = [each for each in found if self.ways.kind(each) in TYPES]
        return whole[:1] or (self.ways.holders(found, names[at])[:1] if names[at - 1] not in _ROOTS else [])

    def _head(self, owner: int, names: list[str], place: Place) -> tuple[int, list[Found]]:
        """(how many names are used up, what they lead to) at a path's beginning."""
        local = self.file.scopes.get(owner) if self.file.home(owner) != owner else None
        if local is not None:
            found = self.ways.bound(local, names[0], place)
            if found:
                return 1, found
        return self.ways.head(place, names, taken=False)

    def _fitting(self, found: list[Found], role: str, name: str) -> list[Found]:
        """What is meant of things that share a name."""
        if name.endswith("!"):
            return found[:1]
        for kinds in (*_ROLES.get(role, ()), _ITEMS):
            for each in found:
                if self.ways.kind(each) in kinds:
                    return [each]
        return []

    def _selves(self, owner: int, place: Place) -> list[Found]:
        """The type or trait whose member `owner` is."""
        if owner == MODULE:
            return []
        symbol = self.file.outline.symbols[owner]
        if symbol.kind in TYPES:
            return [Found(place, owner)]
        name = symbol.name.rpartition(".")[0].rpartition(".")[2]
        found = self.ways.lookup(place, name) if name else []
        return [each for each in found if self.ways.kind(each) in TYPES][:1]

    def _method(self, own: list[Found], name: str, owner: int, place: Place) -> list[Found]:
        if own:
            return self.ways.inherited(own[0], name)
        if owner == MODULE:
            return []
        # The type comes from elsewhere: what the file itself gives it is all that is known of it.
        outer = self.file.outline.symbols[owner].name.rpartition(".")[0].rpartition(".")[2]
        told = self.file.members.get((self.file.home(owner), outer), {}).get(name, [])
        return [Found(place, told[0])] if len(told) == 1 else []
