"""JavaScript and TypeScript: from specifiers and dotted names to symbols.

A specifier is followed as its language does it: suffixes left out, `index`, tsconfig paths, packages of the tree by
name. A name is followed through everything that hands it on to where it is defined; what two `export *` give
differently, none gives. One name may have several declarations, a type and a value or an interface in parts: an import
means all of them, a use those its role can mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ccos_core.text.syntax.ecmascript_configs import COMPILERS, PACKAGE, PNPM, Configs
from ccos_core.text.syntax.ecmascript_draft import WHOLE
from ccos_core.text.syntax.resolution import FamilyResolver, Index, Look, Target, Use, outward
from ccos_core.values.code import MODULE, Import, Outline, Reference, Symbol

DEEPEST = 60
"""Hands a name may go through on its way."""
WIDEST = 200
"""Bases looked at for one member."""

_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z")
_TYPED = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts")
_PLAIN = (".js", ".jsx", ".mjs", ".cjs")
_BUILT_FROM = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_TYPE_ONLY = ("interface", "type")
_TYPES = ("interface", "type", "class", "enum", "namespace")

_Targets = tuple[Target, ...]


def resolver() -> EcmascriptResolver:
    """A resolver that knows nothing yet."""
    return EcmascriptResolver()


@dataclass(frozen=True, slots=True)
class Module:
    """A file as tables of names, made once from its outline."""

    path: str
    stem: str
    """The path without its suffix: what a specifier says, and what is asked for."""
    outline: Outline
    named: dict[str, tuple[int, ...]]
    """Full names → the symbols that are called so."""
    members: dict[str, dict[str, tuple[int, ...]]]
    """Full name → what is inside of it, by name; what stands at the top is inside of the empty name."""
    bound: dict[str, tuple[tuple[int, str, str], ...]]
    """Name → (owner, specifier, item) of each import that gives it."""
    exports: dict[str, tuple[tuple[str, str], ...]]
    """Name others see → (specifier or empty, item)."""
    stars: tuple[str, ...]
    """Specifiers of the modules of which it hands on everything."""
    bases: dict[int, tuple[Reference, ...]]
    """Symbol → what it extends."""


def tables(path: str, outline: Outline) -> Module:
    """The tables of an outline."""
    named: dict[str, tuple[int, ...]] = {}
    members: dict[str, dict[str, tuple[int, ...]]] = {}
    for at, symbol in enumerate(outline.symbols):
        outer, _, name = symbol.name.rpartition(".")
        named[symbol.name] = (*named.get(symbol.name, ()), at)
        inner = members.setdefault(outer, {})
        inner[name] = (*inner.get(name, ()), at)
    bound: dict[str, tuple[tuple[int, str, str], ...]] = {}
    exports: dict[str, tuple[tuple[str, str], ...]] = {}
    stars: list[str] = []
    for each in outline.imports:
        if each.exported and each.name == "*":
            stars.append(each.module)
        elif each.exported:
            rows = exports.get(each.name, ())
            exports[each.name] = rows if (each.module, each.item) in rows else (*rows, (each.module, each.item))
        elif each.name:
            bound[each.name] = (*bound.get(each.name, ()), (each.owner, each.module, each.item))
    bases: dict[int, tuple[Reference, ...]] = {}
    for use in outline.references:
        if use.role == "base":
            bases[use.owner] = (*bases.get(use.owner, ()), use)
    return Module(path, split(path)[0], outline, named, members, bound, exports, tuple(dict.fromkeys(stars)), bases)


def split(path: str) -> tuple[str, str]:
    """A path without its suffix, and the suffix; only suffixes of this family are."""
    match = _SUFFIX.search(path)
    if match is None or match.start() == 0 or path[match.start() - 1] == "/":
        return path, ""
    return path[: match.start()], match.group()


class EcmascriptResolver(FamilyResolver[Module]):
    """All JavaScript and TypeScript files of a tree."""

    configs = (
        PACKAGE,
        PNPM,
        *COMPILERS,
        *(f"tsconfig.{kind}.json" for kind in ("base", "app", "lib", "node", "build", "common", "shared", "paths")),
    )

    def __init__(self) -> None:
        super().__init__()
        self.by_stem: Index[str, str] = Index()
        """Path without suffix → suffix → path."""
        self.settings = Configs()
        self.located: dict[tuple[str, str], tuple[str | None, frozenset[str]]] = {}
        """(asker, specifier) → where it leads, and what was looked for on the way; while no file comes or goes."""

    def configure(self, path: str, text: str | None) -> None:
        """A specifier may mean something else now anywhere below, so nothing that was resolved stays."""
        if self.settings.learn(path, text):
            self.memory.clear()
            self.located.clear()

    def read(self, path: str, outline: Outline) -> Module:
        return tables(path, outline)

    def reindex(self, path: str, before: Module | None, after: Module | None) -> tuple[set[str], dict[int, int]]:
        stem, suffix = split(path)
        if before is None:
            self.by_stem.add(stem, suffix, path)
        elif after is None:
            self.by_stem.remove(stem, suffix)
        elif outward(before.outline) == outward(after.outline):
            return set(), {}
        else:
            return {stem}, {}
        self.located.clear()
        return {stem}, {}

    def look(self, path: str) -> _Look:
        return _Look(self, self.files[path])

    def locate(self, asker: str, specifier: str) -> tuple[str | None, frozenset[str]]:
        """The file a specifier leads to, and the keys of what was looked for on the way."""
        if (asker, specifier) not in self.located:
            asked: set[str] = set()
            places = self.settings.places(asker, specifier.partition("?")[0])
            tried = (self._file(asker, place, asked) or self._folder(asker, place, asked) for place in places)
            found = next((path for path in tried if path is not None), None)
            self.located[asker, specifier] = found, frozenset(asked)
        return self.located[asker, specifier]

    def _file(self, asker: str, place: str, asked: set[str]) -> str | None:
        stem, suffix = split(place)
        plain = split(asker)[1] in _PLAIN
        asked.add(stem)
        there = self.by_stem.get(stem, {})
        if suffix in _BUILT_FROM:
            order = (suffix, *_BUILT_FROM[suffix]) if plain else (*_BUILT_FROM[suffix], suffix)
        elif suffix:
            order = (suffix,)
        else:
            order = (*_PLAIN, *_TYPED) if plain else (*_TYPED, *_PLAIN)
        found = next((there[each] for each in order if each in there), None)
        if found is None and suffix:
            asked.add(place)
            there = self.by_stem.get(place, {})
            found = next((there[each] for each in (*_TYPED, *_PLAIN) if each in there), None)
        return found

    def _folder(self, asker: str, place: str, asked: set[str]) -> str | None:
        if place in self.settings.packages:
            for entry in self.settings.entries(place, ""):
                found = self._file(asker, entry, asked)
                if found is not None:
                    return found
        return self._file(asker, f"{place}/index" if place else "index", asked)


class _Look(Look):
    """One file's references on their way to symbols."""

    def __init__(self, resolver: EcmascriptResolver, module: Module) -> None:
        super().__init__()
        self.resolver = resolver
        self.module = module
        self.entered: _Targets = ()
        """What a chain reached first outside of the file, on its way from a module to a member."""
        self.depth = 0
        """How many hands the name being followed has gone through."""
        self.bases: dict[Target, list[_Targets]] = {}

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        path = self.module.path
        for each in self.module.outline.imports:
            for target in self._imported(each):
                if target.path != path:
                    yield (each.owner, target, "import"), each.line, 1
        taken: dict[Target, int] = {}
        for use in self.module.outline.references:
            targets, entered = self._used(use)
            # `space.Name` takes the name out of its module as much as an import of it would, once and for the file.
            for target in entered:
                taken.setdefault(target, use.line)
            for target in targets:
                if target.path != path or target.symbol not in (MODULE, use.owner):
                    yield (use.owner, target, use.role), use.line, use.count
        for target, line in taken.items():
            yield (MODULE, target, "import"), line, 1

    def _imported(self, each: Import) -> _Targets:
        """What the file takes from elsewhere or hands on, used or not."""
        if not each.module:
            return () if each.exported else self._local(self.module, each.item, each.owner, set())
        targets = self._from(self.module, each.module, each.item, set()) if each.item not in ("", "*") else ()
        path = None if targets else self._locate(self.module, each.module)
        if path is None:
            return targets
        return self._along((Target(path),), [], set()) if each.item == "" else (Target(path),)

    def _used(self, reference: Reference) -> tuple[_Targets, _Targets]:
        """What a reference means, and what it entered from a module on its way there."""
        self.entered = ()
        targets = self._fitting(self._meant(self.module, reference), reference.role)
        return targets, self.entered

    def _meant(self, module: Module, reference: Reference) -> _Targets:
        head, _, rest = reference.chain.partition(".")
        if head in ("this", "super"):
            return self._of_this(module, reference.owner, rest.partition(".")[0], head == "super")
        if head == "exports" and head not in module.members.get("", {}):
            return self._along((Target(module.path),), rest.split("."), set())
        return self._local(module, reference.chain, reference.owner, set())

    def _fitting(self, targets: _Targets, role: str) -> _Targets:
        """Of several declarations of one name, those a use in this role can mean."""
        if len(targets) < 2 or role in ("import", "base"):
            return targets
        kinds = [self._symbol(target).kind if target.symbol != MODULE else "" for target in targets]
        wanted = [kind in _TYPES if role == "type" else kind not in _TYPE_ONLY for kind in kinds]
        return tuple(target for target, fits in zip(targets, wanted, strict=True) if fits) or targets

    # -- within a file --------------------------------------------------------------------------------------------

    def _local(self, module: Module, chain: str, owner: int, seen: set[tuple[str, str]]) -> _Targets:
        """What a chain means inside of a file, seen from one of its symbols."""
        head, *rest = chain.split(".")
        outer = module.outline.symbols[owner].name if owner != MODULE else ""
        inside = outer
        while True:
            for at, specifier, item in module.bound.get(head, ()):
                if (module.outline.symbols[at].name if at != MODULE else "") == inside:
                    return self._taken(module, specifier, item, rest, at, seen)
            here = module.members.get(inside, {})
            kinds = {module.outline.symbols[at].kind for at in module.named.get(inside, ())}
            is_scope = not inside or "namespace" in kinds
            if head in here and is_scope:
                return self._deeper(tuple(Target(module.path, at) for at in here[head]), rest)
            if not inside:
                return ()
            inside = inside.rpartition(".")[0]

    def _taken(
        self, module: Module, specifier: str, item: str, rest: list[str], owner: int, seen: set[tuple[str, str]]
    ) -> _Targets:
        """What an import gives, followed along a chain."""
        if specifier:
            return self._along(self._from(module, specifier, item, seen), rest, seen)
        alias = f"={item}"
        if (module.path, alias) in seen:
            return ()
        seen.add((module.path, alias))
        return self._along(self._local(module, item, owner, seen), rest, seen)

    def _of_this(self, module: Module, owner: int, member: str, above: bool) -> _Targets:
        """A member of what a method stands in, or of one of its bases."""
        name = module.outline.symbols[owner].name if owner != MODULE else ""
        for outer in (name.rpartition(".")[0], name):
            targets = tuple(Target(module.path, at) for at in module.named.get(outer, ()))
            found = self._member(targets, member, above)
            if found:
                return found
        return ()

    def _deeper(self, targets: _Targets, rest: list[str]) -> _Targets:
        """Into classes, namespaces, enums and objects, as far as their members go."""
        for name in rest:
            inner = self._member(targets, name)
            if not inner:
                break
            targets = inner
        return targets

    def _member(self, targets: _Targets, name: str, above: bool = False) -> _Targets:
        """What is called `name` inside of these, or else inside of their bases; with `above` only there."""
        entered, seen, waiting = self.entered, set(targets), [(targets, above)]
        found: _Targets = ()
        while waiting and not found and len(seen) < WIDEST:
            some, above = waiting.pop(0)
            inner = [self._open(each.path).members.get(self._symbol(each).name, {}).get(name, ()) for each in some]
            ats = next(((each.path, at) for each, at in zip(some, inner, strict=True) if at), None)
            if ats is not None and not above:
                found = tuple(Target(ats[0], at) for at in ats[1])
                continue
            for base in [base for target in some for base in self._bases(target) if not seen.issuperset(base)]:
                seen.update(base)
                waiting.append((base, False))
        self.entered = entered
        return found

    def _bases(self, target: Target) -> list[_Targets]:
        """What a class extends, as its own file means it."""
        module = self._open(target.path)
        if target not in self.bases:
            self.bases[target] = []  # a class that is looked for in its own bases has none there
            is_class = self._symbol(target).kind == "class" and self.depth < DEEPEST
            named = module.bases.get(target.symbol, ()) if is_class else ()
            self.depth += 1
            meant = [self._meant(module, base) for base in named]
            self.depth -= 1
            self.bases[target] = [base for base in meant if base and base[0].symbol != MODULE]
        return self.bases[target]

    # -- between files --------------------------------------------------------------------------------------------

    def _from(self, module: Module, specifier: str, item: str, seen: set[tuple[str, str]]) -> _Targets:
        """What `item` of the module that a specifier means is; the module itself without an item."""
        path = self._locate(module, specifier)
        if path is None:
            return ()
        if not item:
            return (Target(path),)
        found = self._export(path, item, seen)
        # A module that hands out no default is its own: the way CommonJS is imported.
        return found or ((Target(path),) if item == "default" else ())

    def _export(self, path: str, item: str, seen: set[tuple[str, str]]) -> _Targets:
        """What a file hands out under this name, wherever it is defined."""
        if (path, item) in seen or self.depth == DEEPEST:
            return ()
        seen.add((path, item))
        self.depth += 1
        found = self._handed_out(self._open(path), item, seen)
        self.depth -= 1
        return found

    def _handed_out(self, module: Module, item: str, seen: set[tuple[str, str]]) -> _Targets:
        if item in module.exports:
            for specifier, inner in module.exports[item]:
                found = (
                    self._from(module, specifier, inner, seen)
                    if specifier
                    else self._local(module, inner, MODULE, seen)
                )
                if found:
                    return found
            return ()
        if WHOLE in module.exports and item != WHOLE:
            whole = self._export(module.path, WHOLE, seen)
            if item != "default" and whole:
                is_file = whole[0].symbol == MODULE
                whole = self._export(whole[0].path, item, seen) if is_file else self._member(whole, item)
            if whole or item == "default":
                return whole
        return self._by_star(module, item, seen) if item not in ("default", WHOLE) else ()

    def _by_star(self, module: Module, item: str, seen: set[tuple[str, str]]) -> _Targets:
        found: list[_Targets] = []
        for specifier in module.stars:
            path = self._locate(module, specifier)
            targets = self._export(path, item, seen) if path is not None else ()
            if targets and targets not in found:
                found.append(targets)
        return found[0] if len(found) == 1 else ()

    def _along(self, targets: _Targets, rest: list[str], seen: set[tuple[str, str]]) -> _Targets:
        """Follow dots from a module into what it hands out, and from a symbol into its members."""
        for _ in range(DEEPEST):
            if not targets or targets[0].symbol != MODULE:
                break
            path = targets[0].path
            # A chain may pass a module twice; what is handed on while it is being looked for, may not.
            inner = self._export(path, rest[0], seen if self.depth else set()) if rest else ()
            if inner:
                targets, rest = inner, rest[1:]
                self.entered = tuple(target for target in inner if target.path != self.module.path)
                continue
            whole = self._export(path, WHOLE, seen if self.depth else set())
            if not whole:
                return targets
            targets = whole
        if not targets or targets[0].symbol == MODULE:
            return targets
        return self._deeper(targets, rest)

    def _locate(self, module: Module, specifier: str) -> str | None:
        found, asked = self.resolver.locate(module.path, specifier)
        self.asked |= asked
        return found

    def _open(self, path: str) -> Module:
        module = self.resolver.files[path]
        self.asked.add(module.stem)
        return module

    def _symbol(self, target: Target) -> Symbol:
        return self.resolver.files[target.path].outline.symbols[target.symbol]
