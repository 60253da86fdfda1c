"""Python: from imports and dotted names to symbols.

Names are followed through `__init__` re-exports and stars to where they are defined, dots into submodules and into
the members of classes; what is called on `self` or `super()` is looked for in the class and its bases. Each search
meets a place once, so cycles of imports and meshes of stars end. What an object is at run time is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccos_core.text.syntax.python_edits import STARS, compared, key_of
from ccos_core.text.syntax.python_modules import Modules, address_of, inner, is_init, names_of, place_of
from ccos_core.text.syntax.resolution import FamilyResolver, Look, Target, Use
from ccos_core.values.code import MODULE, Outline, Reference

DEEPEST = 60
"""Re-exports followed for one name."""

_Visited = set[tuple[str, str]]


def resolver() -> PythonResolver:
    """A resolver that knows nothing yet."""
    return PythonResolver()


class PythonFile:
    """One file's names; its tables are made when they are first asked for."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.is_open = False

    def open(self) -> None:
        self.is_open = True
        self.parents: list[int] = []
        """Symbol → the class around it."""
        self.tops: dict[str, int] = {}
        """Names defined at the top level → the symbol found under them."""
        self.members: dict[int, dict[str, int]] = {}
        """Class → its own members by name."""
        self.bases: dict[int, list[Reference]] = {}
        self.imports: dict[int, dict[str, list[tuple[str, str]]]] = {}
        """Owner → name → (module as written, item), more than one where imports are tried in turn."""
        self.stars: list[str] = []
        self.listed: frozenset[str] | None = None
        """`__all__`, where it is plainly written down."""
        stubs = self._read_references()
        self._read_symbols(stubs)
        for each in self.outline.imports:
            if each.item == "*":
                self.stars.append(each.module)
            else:
                is_whole = not each.item and each.name == each.module.partition(".")[0]
                named = each.name if is_whole else each.module, each.item
                self.imports.setdefault(each.owner, {}).setdefault(each.name, []).append(named)

    def _read_references(self) -> set[int]:
        """Fill in bases and `__all__`; returns the overloads, which only say how something else is called."""
        symbols = self.outline.symbols
        stubs: set[int] = set()
        listed, is_whole = [], True
        for each in self.outline.references:
            if each.role == "base":
                self.bases.setdefault(each.owner, []).append(each)
            elif each.role == "decorator" and each.chain.rpartition(".")[2] == "overload":
                stubs.add(each.owner)
            elif each.role == "listed":
                listed.append(each.chain)
            elif each.chain.startswith("__all__.") or (each.owner != MODULE and symbols[each.owner].name == "__all__"):
                is_whole = False  # it is made of other lists as well
        if listed and is_whole:
            self.listed = frozenset(listed)
        return stubs

    def _read_symbols(self, stubs: set[int]) -> None:
        latest: dict[str, int] = {}
        for at, symbol in enumerate(self.outline.symbols):
            outer, _, name = symbol.name.rpartition(".")
            latest[symbol.name] = at
            parent = latest.get(outer, MODULE) if outer else MODULE
            self.parents.append(parent)
            if not outer and symbol.kind != "constant":
                self.tops[name] = at  # the last one is what the name means, behind overloads and fallbacks
            elif not outer:
                self.tops.setdefault(name, at)
            else:
                members = self.members.setdefault(parent, {})
                if members.get(name, MODULE) in stubs:
                    members[name] = at
                members.setdefault(name, at)  # the first one: what follows it sets or deletes


class PythonResolver(FamilyResolver[PythonFile]):
    """All Python files of a tree. It needs no configuration: where a module's name begins shows in the tree itself."""

    def __init__(self) -> None:
        super().__init__()
        self.modules = Modules()

    def read(self, path: str, outline: Outline) -> PythonFile:
        return PythonFile(outline)

    def file(self, path: str) -> PythonFile:
        """A file with its tables."""
        found = self.files[path]
        if not found.is_open:
            found.open()
        return found

    def reindex(
        self, path: str, before: PythonFile | None, after: PythonFile | None
    ) -> tuple[set[str], Mapping[int, int]]:
        if before is not None and after is not None:
            names, places = compared(before.outline, after.outline)
            return {key_of(path, name) for name in names}, places
        keys = self._named_by(path)
        if after is not None:
            self.modules.add(path)
        else:
            self.modules.remove(path)
        return keys, {}

    def _named_by(self, path: str) -> set[str]:
        """The keys of all names that a file which comes or goes has or takes part in. With an `__init__` these are the
        names of everything below, since a package ends where names may start."""
        if not self.memory.links and not self.memory.looks:
            return set()
        keys = {path} | names_of(path)
        if is_init(path):
            folder = place_of(path)
            for below in self.files if not folder else [each for each in self.files if each.startswith(folder + "/")]:
                keys |= {below} | names_of(below)
        return keys

    def look(self, path: str) -> _Look:
        """A look at the file; one that still holds, where it was edited before."""
        look = self.memory.looks.pop(path, None)
        if not isinstance(look, _Look):
            look = _Look(self, path)
        if path in self.memory.asked:  # most files are never edited
            self.memory.keep_look(path, look)
        return look


class _Look(Look):
    """One file's references on their way to symbols. What it has found out holds as long as nothing that it asked for
    becomes another, so it may be taken again when only the insides of the file have changed."""

    def __init__(self, resolver: PythonResolver, path: str) -> None:
        super().__init__()
        self.resolver = resolver
        self.path = path
        self.asked.add(path)
        self.at_top: dict[tuple[str, str], Target | None] = {}
        """(path, chain) → what the chain leads to from the top of that file."""
        self.imported: dict[tuple[str, str, str, tuple[str, ...]], Target | None] = {}
        """(path, module, item, dots after it) → where that import leads."""
        self.noted: set[tuple[str, int]] = set()
        """Symbols whose keys were asked for already."""
        self.targets: dict[tuple[int, str], tuple[Target, ...]] = {}
        """(owner, chain) → what is meant, and the class that is in."""

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        outline, path, targets_of = self.resolver.files[self.path].outline, self.path, self.targets
        for name in outline.imports:
            target = self._imported(path, name.module, "" if name.item == "*" else name.item)
            if target is None and name.item:
                target = self._imported(path, name.module, "")
            if target is not None and target.path != path:
                yield (name.owner, target, "import"), name.line, 1
        for chain, role, line, owner, count in outline.references:
            if role == "listed":  # it repeats what is imported or defined
                continue
            targets = targets_of.get((owner, chain))
            if targets is None:
                targets = targets_of[owner, chain] = self._targets(owner, chain)
            for target in targets:
                yield (owner, target, role if target is targets[0] else "name"), line, count

    def _targets(self, owner: int, chain: str) -> tuple[Target, ...]:
        """What a chain leads to, and the class around that: a use of a member is a use of its class."""
        target = self.meant(self.path, owner, chain)
        if target is None or (target.path == self.path and target.symbol in (MODULE, owner)):
            return ()
        path, symbol = target
        if symbol == MODULE or chain.startswith(("self.", "cls.", "super.")):
            return (target,)
        self._ask(path, symbol)
        around = self.resolver.file(path).parents[symbol]
        if around == MODULE or (around == owner and path == self.path):
            return (target,)
        return target, Target(path, around)

    def meant(self, path: str, owner: int, chain: str) -> Target | None:
        """What a chain means in the file at `path`, inside of `owner`."""
        head, *rest = chain.split(".")
        contents = self.resolver.file(path)
        self._ask(path, owner)
        if head in ("self", "cls", "super"):
            around = contents.parents[owner] if owner != MODULE else MODULE
            if around == MODULE or not rest:
                return None
            return self._inherited(Target(path, around), rest[0], own=head != "super")
        if owner != MODULE:  # it sees its own imports; a member that is data also those of its class
            is_constant = contents.outline.symbols[owner].kind == "constant"
            for scope in (owner, contents.parents[owner]) if is_constant else (owner,):
                target = self._tried(path, contents, scope, head, rest)
                if target is not None:
                    return target
        if (path, chain) not in self.at_top:
            self.at_top[path, chain] = self._meant_at_top(path, contents, head, rest)
        return self.at_top[path, chain]

    def _tried(self, path: str, contents: PythonFile, scope: int, head: str, rest: list[str]) -> Target | None:
        """What the imports of a scope that give a name lead to; the first that leads anywhere."""
        for module, item in contents.imports.get(scope, {}).get(head, ()):
            target = self._imported(path, module, item, rest)
            if target is not None:
                return target
        return None

    def _meant_at_top(self, path: str, contents: PythonFile, head: str, rest: list[str]) -> Target | None:
        self.asked.add(key_of(path, head))
        at = contents.tops.get(head)
        if at is None or contents.outline.symbols[at].kind == "constant":
            target = self._tried(path, contents, MODULE, head, rest)
            if target is not None:
                return target  # before a constant: `except ImportError: json = None`
        if at is not None:
            return self._deeper(Target(path, at), rest)
        target = self._starred(path, contents, head, set(), DEEPEST)
        return self._along(path, target, rest) if target is not None else None

    def _imported(self, path: str, module: str, item: str, rest: Sequence[str] = ()) -> Target | None:
        """Where an import in the file at `path` leads, followed by dots."""
        key = path, module, item, tuple(rest)
        if key not in self.imported:
            self.imported[key] = self._found_import(path, module, item, list(rest))
        return self.imported[key]

    def _found_import(self, path: str, module: str, item: str, rest: list[str]) -> Target | None:
        address = address_of(path, module)
        if address is None:
            return None
        target = self._named(path, address, item, set(), DEEPEST) if item else self._whole(path, address)
        while target is None and rest and not item:  # down folders without an `__init__` until there is a module
            address = inner(address, rest.pop(0))
            target = self._whole(path, address)
        return self._along(path, target, rest) if target is not None else None

    def _along(self, path: str, target: Target, rest: list[str]) -> Target:
        """Follow dots from a module into its submodules and names, from a class into its members."""
        for at, name in enumerate(rest):
            if target.symbol != MODULE:
                return self._deeper(target, rest[at:])
            found = self._named(path, "/" + place_of(target.path), name, set(), DEEPEST)
            if found is None:
                return target
            target = found
        return target

    def _deeper(self, target: Target, rest: list[str]) -> Target:
        """Into a class, as far as its own members go."""
        members = self.resolver.file(target.path).members
        self._ask(target.path, target.symbol)
        for name in rest:
            at = members.get(target.symbol, {}).get(name)
            if at is None:
                break
            target = Target(target.path, at)
        return target

    def _named(self, asker: str, address: str, item: str, visited: _Visited, depth: int) -> Target | None:
        """Where `from address import item` leads in the end."""
        path = self._find(asker, address)
        if path is None:
            return self._whole(asker, inner(address, item))
        if (path, item) in visited or depth == 0:
            return None
        visited.add((path, item))
        self.asked.add(key_of(path, item))
        contents = self.resolver.file(path)
        if item in contents.tops:
            return Target(path, contents.tops[item])
        for module, behind in contents.imports.get(MODULE, {}).get(item, ()):
            further = address_of(path, module)
            if further is None:
                continue
            target = self._named(path, further, behind, visited, depth - 1) if behind else self._whole(path, further)
            if target is not None:
                return target
        target = self._starred(path, contents, item, visited, depth)
        if target is None and is_init(path):
            return self._whole(asker, inner("/" + place_of(path), item))
        return target

    def _starred(self, path: str, contents: PythonFile, item: str, visited: _Visited, depth: int) -> Target | None:
        """What a star import brings under that name; of several the last."""
        self.asked.add(key_of(path, STARS))
        for module in reversed(contents.stars):
            address = address_of(path, module)
            found = self._find(path, address) if address is not None else None
            if address is None or found is None:
                continue
            self.asked.add(key_of(found, STARS))
            listed = self.resolver.file(found).listed
            if item in listed if listed is not None else not item.startswith("_"):
                target = self._named(path, address, item, visited, depth - 1)
                if target is not None:
                    return target
        return None

    def _whole(self, asker: str, address: str) -> Target | None:
        path = self._find(asker, address)
        return Target(path) if path is not None else None

    def _find(self, asker: str, address: str) -> str | None:
        self.asked.add(address)
        path = self.resolver.modules.at(address, asker)
        if path is not None:
            self.asked.add(path)
        return path

    def _ask(self, path: str, symbol: int) -> None:
        """Note that it matters what a symbol is and what is in it, which goes by the name at the top it is under."""
        if symbol != MODULE and (path, symbol) not in self.noted:
            self.noted.add((path, symbol))
            self.asked.add(key_of(path, self.resolver.files[path].outline.symbols[symbol].name.partition(".")[0]))

    def _inherited(self, cls: Target, member: str, own: bool) -> Target | None:
        """A member of a class, or else of its bases, the first one first."""
        waiting, seen = [cls], {cls}
        while waiting:
            at = waiting.pop()
            contents = self.resolver.file(at.path)
            self._ask(at.path, at.symbol)
            found = contents.members.get(at.symbol, {}).get(member)
            if found is not None and (own or at != cls):
                return Target(at.path, found)
            around = contents.parents[at.symbol]
            targets = [self.meant(at.path, around, base.chain) for base in contents.bases.get(at.symbol, ())]
            for target in reversed(targets):
                if target is not None and target.symbol != MODULE and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return None
