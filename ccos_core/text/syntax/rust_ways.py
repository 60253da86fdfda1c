"""Rust: where names lead, by the rules of the language, and which keys were asked on the way.

Names are looked up from module to module, so a lookup may come back to itself: what is being looked up then counts as
nothing, and such a half answer isn't kept. How far a chain is followed is bounded, by number.
"""

from __future__ import annotations

from ccos_core.text.syntax.resolution import Look
from ccos_core.text.syntax.rust_modules import LIBRARIES, MANIFESTS, File, Found, Modules, Place, Scope
from ccos_core.values.code import MODULE

DEEPEST = 40
"""Steps from name to name that are followed."""
MOST_NESTED = 4
"""Symbols whose bases are read for the sake of each other. `fn f() -> f::X`, as an edit may leave it, has no end."""
MOST_PLACES = 4
"""Crates one file is looked at in as a part of."""
TYPES = frozenset(("struct", "enum", "union", "trait", "type"))
_OLD_EDITIONS = ("", "2015")
"""Editions, known or not, in which `::a` may begin at the crate's own root."""


class Ways(Look):
    """Where names lead. A list of what a name means has a module, a type and a value that share the name."""

    def __init__(self, modules: Modules) -> None:
        super().__init__()
        self.modules = modules
        self.whole: dict[tuple[Place, str], list[Found]] = {}
        """Names that were looked up to the end."""
        self.open: dict[tuple[Place, str], list[Found]] = {}
        """Names that were looked up for the sake of one that isn't done."""
        self.running: set[tuple[Place, str]] = set()
        """Those among them that aren't done either."""
        self.depth = 0
        self.nested = 0
        """How many symbols are being asked for what they state, the one for the sake of the other."""
        self.crates: dict[tuple[str, str], list[str]] = {}

    # -- modules --------------------------------------------------------------------------------------------------

    def file(self, path: str) -> File | None:
        self.asked.add(path)
        return self.modules.files.get(path)

    def places(self, path: str, below: frozenset[str] = frozenset()) -> list[Place]:
        """The modules a file is: one for each crate it is a part of."""
        self.asked.add(f"^{path}")
        found: list[Place] = []
        for declarer in sorted(self.modules.declarers.get(path, ())):
            if declarer == path or declarer in below or len(below) > DEEPEST or len(found) >= MOST_PLACES:
                continue
            file = self.file(declarer)
            for home, _, ways in file.declared() if file is not None else ():
                if any(path in candidates and self._existing(candidates) == path for candidates in ways):
                    tops = self.places(declarer, below | {path})
                    found += [(*self.inside(top, home), (path, MODULE)) for top in tops]
        return found[:MOST_PLACES] or [((path, MODULE),)]

    def inside(self, place: Place, module: int) -> Place:
        """An inline module of the file at whose top `place` is."""
        file = self.modules.files[place[-1][0]]
        return place + tuple((file.path, each) for each in file.inward(module))

    def scope(self, place: Place) -> Scope:
        path, module = place[-1]
        file = self.file(path)
        return file.scopes.get(module, Scope()) if file is not None else Scope()

    def crate(self, name: str, place: Place) -> list[Found]:
        """Another crate of the tree."""
        key = (name, place[0][0])
        if key not in self.crates:
            self.asked.update((MANIFESTS, LIBRARIES))
            self.crates[key] = self.modules.crates(name, place[0][0])
        return [Found(((path, MODULE),)) for path in self.crates[key]]

    def edition(self, place: Place) -> str:
        self.asked.add(MANIFESTS)
        folder = self.modules.package(place[-1][0])
        return self.modules.manifests[folder].edition if folder is not None else ""

    def _existing(self, candidates: list[str]) -> str | None:
        return next((path for path in candidates if self.file(path) is not None), None)

    # -- paths ----------------------------------------------------------------------------------------------------

    def path(self, place: Place, names: list[str], taken: bool) -> list[Found]:
        """What a whole path leads to; `taken` for the paths of `use`, which may begin elsewhere."""
        at, found = self.head(place, names, taken)
        for name in names[at:]:
            found = self.step(found, name, place)
        return found

    def head(self, place: Place, names: list[str], taken: bool) -> tuple[int, list[Found]]:
        """(how many names are used up, what they lead to) at a path's beginning."""
        head = names[0]
        if head in ("crate", "$crate"):
            return 1, [Found(place[:1])]
        if head in ("self", "super"):
            at = 1 if head == "self" else 0
            while at < len(names) and names[at] == "super" and len(place) > 1:
                place, at = place[:-1], at + 1
            return at, [Found(place)] if at else []
        if not head:
            if len(names) < 2:
                return 1, []
            found = self.crate(names[1], place)
            is_outside = found or self.edition(place) not in _OLD_EDITIONS
            return 2, found if is_outside else self.lookup(place[:1], names[1])
        edition = self.edition(place) if taken else "2018"
        here = place[:1] if edition == "2015" else place
        found = self.lookup(here, head)
        # A module may say that a name of its own comes from outside of the tree.
        if not found and (head not in self.scope(here).imports or (here, head) in self.running):
            found = self.crate(head, place) or (self.lookup(place[:1], head) if not edition else [])
        return 1, found

    def step(self, found: list[Found], name: str, asker: Place) -> list[Found]:
        """Into modules and types, by one more name. Of modules that share a name the first that has it counts."""
        further: list[Found] = []
        for each in found:
            if each.symbol == MODULE and not further:
                further = self.lookup(each.place, name, asker)
                if not further and name.endswith("!") and len(each.place) == 1:
                    further = self.exported(each.place, name[:-1])
        given = [one for each in found if self.kind(each) in ("function", "method") for one in self._gives(each)]
        members = [each for each in found if each.symbol != MODULE] + ([] if further else given)
        return [*further, *(one for each in members for one in self.inherited(each, name))]

    # -- names ----------------------------------------------------------------------------------------------------

    def lookup(self, place: Place, name: str, asker: Place | None = None) -> list[Found]:
        """What `name` means in the module at `place`, as seen from `asker`."""
        is_inside = asker is None or asker[: len(place)] == place
        key = (place, name if is_inside else f"{name} ")
        known = self.whole.get(key, self.open.get(key))
        if known is not None:
            return known
        if self.depth >= DEEPEST:
            return []
        self.open[key] = []
        self.running.add(key)
        self.depth += 1
        scope = self.scope(place)
        found = [*self._defined(scope, name, place), *self._named(scope, name, place, is_inside)]
        if not found and not (is_inside and name in scope.imports):
            found = self._globbed(scope, name, place, is_inside)
        found = list(dict.fromkeys(found))
        self.depth -= 1
        self.open[key] = found
        self.running.discard(key)
        if not self.depth:
            self.whole[key] = found
            self.open = {}
        return found

    def bound(self, scope: Scope, name: str, place: Place) -> list[Found]:
        """What a function's own imports make of a name."""
        return self._named(scope, name, place, True) or self._globbed(scope, name, place, True)

    def _defined(self, scope: Scope, name: str, place: Place) -> list[Found]:
        path, module = place[-1]
        file = self.modules.files.get(path)
        if file is None:
            return []
        symbols = file.outline.symbols
        found = [
            Found((*place, (path, file.canonical(at)))) if symbols[at].kind == "module" else Found(place, at)
            for at in scope.names.get(name, ())
        ]
        for said in scope.files.get(name, ()):
            submodule = self._existing(file.candidates(module, name, said))
            if submodule is not None and all(submodule != step[0] for step in place):
                found.append(Found((*place, (submodule, MODULE))))
        return found

    def _named(self, scope: Scope, name: str, place: Place, is_inside: bool) -> list[Found]:
        """What the module's imports of this name bring."""
        bare, bang = (name[:-1], "!") if name.endswith("!") else (name, "")
        found = []
        for each in scope.imports.get(bare, ()):
            if (is_inside or each.exported) and (each.item or not bang):
                path = self.path(place, each.module.split("::"), True)
                found += self.step(path, each.item + bang, place) if each.item else path
        return found

    def _globbed(self, scope: Scope, name: str, place: Place, is_inside: bool) -> list[Found]:
        """What the module's globs bring; what two bring in the same sense is nobody's."""
        found: dict[Found, str] = {}
        for each in scope.globs:
            if is_inside or each.exported:
                for one in self.step(self.path(place, each.module.split("::"), True), name, place):
                    kind = self.kind(one)
                    found[one] = "type" if kind in TYPES else kind if kind in ("", "macro") else "value"
        paths: dict[str, set[str]] = {}
        for one, sense in found.items():
            paths.setdefault(sense, set()).add(one.path)
        return [one for one, sense in found.items() if len(paths[sense]) == 1]

    def kind(self, found: Found) -> str:
        """Its symbol's kind; empty for a module."""
        return "" if found.symbol == MODULE else self.modules.files[found.path].outline.symbols[found.symbol].kind

    def holders(self, found: list[Found], name: str) -> list[Found]:
        """The modules that may hold a name that isn't to be seen in them: a macro may define it."""
        return [each for each in found if each.symbol == MODULE and name not in self.scope(each.place).imports]

    # -- macros ---------------------------------------------------------------------------------------------------

    def macro(self, place: Place, name: str) -> list[Found]:
        """The macro a bare `name!` means."""
        own = self.modules.files[place[-1][0]]
        if name in own.macros:
            return [self._macro_of(place, own, name)]
        found = self.lookup(place, f"{name}!")
        if found:
            return found
        for depth in range(len(place), 0, -1):
            for said in self.scope(place[:depth]).macros:
                for each in self.path(place[:depth], said.split("::"), True):
                    found = self._all_macros(each.place, name, DEEPEST)
                    if found:
                        return found
            file = self.modules.files.get(place[depth - 1][0])
            if file is not None and name in file.macros:
                return [self._macro_of(place[:depth], file, name)]
        return self.exported(place[:1], name)

    def _all_macros(self, place: Place, name: str, depth: int) -> list[Found]:
        """A macro of a module that gives its macros away, or of one inside of that does the same."""
        file = self.file(place[-1][0])
        if file is None or not depth:
            return []
        if name in file.macros:
            return [self._macro_of(place, file, name)]
        if len(place) == 1 and (found := self.exported(place, name)):
            return found
        for said in self.scope(place).macros:
            for each in self.path(place, said.split("::"), True):
                found = self._all_macros(each.place, name, depth - 1) if len(each.place) > len(place) else []
                if found:
                    return found
        return []

    def exported(self, root: Place, name: str) -> list[Found]:
        """The one macro of that name in a crate, wherever it is: exported macros are at the crate's root."""
        self.asked.add(f"!{name}")
        found = []
        for path in sorted(self.modules.macros.get(name, ())):
            file = self.file(path)
            if file is not None:
                found += [self._macro_of(top, file, name) for top in self.places(path) if top[0] == root[0]]
        return found if len({each.path for each in found}) == 1 else []

    def _macro_of(self, place: Place, file: File, name: str) -> Found:
        """A macro of a file that `place` is in."""
        symbol = file.macros[name]
        top = next(n for n in range(len(place), 0, -1) if place[n - 1] == (file.path, MODULE))
        return Found(self.inside(place[:top], file.homes[symbol]), symbol)

    # -- members --------------------------------------------------------------------------------------------------

    def inherited(self, found: Found, name: str, depth: int = DEEPEST) -> list[Found]:
        """A member, or one that a trait gives to whatever has it."""
        members = self._member(found, name)
        if members or not depth:
            return members
        for each in self._stated(found, "base"):
            if each != found and self.kind(each) == "trait":
                members = self.inherited(each, name, depth - 1)
                if members:
                    return members
        return []

    def _member(self, found: Found, name: str, depth: int = DEEPEST) -> list[Found]:
        """A member of a type, given to it anywhere in its crate; of an enum's variant, the enum."""
        file = self.modules.files[found.path]
        symbol = file.outline.symbols[found.symbol]
        simple = symbol.name.rpartition(".")[2]
        members = self._own_members(file, found, simple, name) or self._given_members(found, simple, name)
        if not members and symbol.kind == "type" and depth:
            for each in self._stated(found, "type")[:1]:
                return self._member(each, name, depth - 1)
        if len(members) != 1:
            return []
        return [found] if self.kind(members[0]) == "variant" else members

    def _own_members(self, file: File, found: Found, simple: str, name: str) -> list[Found]:
        """Members given in the file that defines the type, be it in another inline module."""
        home = file.homes[found.symbol]
        members = []
        for (module, owner), names in file.members.items():
            if owner == simple and name in names and (module == home or simple not in file.scopes[module].names):
                members += names[name]
        top = found.place[: len(found.place) - len(file.inward(found.place[-1][1]))]
        return [Found(self.inside(top, file.homes[at]), at) for at in sorted(members)]

    def _given_members(self, found: Found, simple: str, name: str) -> list[Found]:
        """Members given in other files."""
        key = f"{simple}.{name}"
        self.asked.add(f".{key}")
        members: dict[Found, None] = {}
        for path in sorted(self.modules.members.get(key, ())):
            file = self.file(path)
            for (module, owner), names in file.members.items() if file is not None and path != found.path else ():
                for top in self.places(path) if owner == simple and name in names else ():
                    place = self.inside(top, module)
                    if found in self.lookup(place, simple):
                        members.update((Found(place, at), None) for at in names[name])
        return list(members)

    def _stated(self, found: Found, role: str) -> list[Found]:
        """What a type says in that role: its traits, or what it is another name for."""
        stated: list[Found] = []
        if self.nested < MOST_NESTED:
            self.nested += 1
            for chain in self.modules.files[found.path].stated.get((found.symbol, role), ()):
                path = self.path(found.place, chain.split("."), False)
                stated += [each for each in path if self.kind(each) in TYPES][:1]
            self.nested -= 1
        return stated

    def _gives(self, found: Found) -> list[Found]:
        """The type a function gives."""
        file = self.modules.files[found.path]
        if file.stated.get((found.symbol, "base")) != ["Self"]:
            return self._stated(found, "base")[:1]
        outer = file.outline.symbols[found.symbol].name.rpartition(".")[0].rpartition(".")[2]
        return [each for each in self.lookup(found.place, outer) if self.kind(each) in TYPES][:1]
