"""A large project in Python as plain values, to be printed, changed and printed again: what the agent works on.

Thousands of modules in packages. Each mostly uses its own package and the ones beside it, some use something far off,
and a few modules are used by everybody. What is printed is real code: the outliner reads it like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tests.bench.asking.words import AREAS, DOMAINS, NOUNS, THINGS, VERBS

PACKAGE = 50
"""Modules of a package; ..."""
TESTS = 5
"""... so many of them tests."""


class Ref(NamedTuple):
    """A routine of a module."""

    module: int
    name: str
    """`name`, or `Kind.name` for a method."""


@dataclass(slots=True)
class Routine:
    """A function or a method."""

    name: str
    arguments: list[str]
    calls: list[Ref]
    salt: int
    """What its body looks like."""


@dataclass(slots=True)
class Kind:
    """A class."""

    name: str
    methods: list[Routine]
    salt: int


@dataclass(slots=True)
class Module:
    """One file."""

    number: int
    path: str
    constants: list[tuple[str, int]]
    routines: list[Routine]
    kinds: list[Kind]
    is_test: bool = False
    added: list[str] = field(default_factory=list)
    """Names of routines nobody else uses."""

    def callables(self) -> Iterator[tuple[str, Routine]]:
        """Everything that can be called, by name."""
        yield from ((each.name, each) for each in self.routines)
        yield from ((f"{kind.name}.{each.name}", each) for kind in self.kinds for each in kind.methods)

    def routine(self, name: str) -> Routine | None:
        """The routine of that name, if it is still there."""
        return next((each for known, each in self.callables() if known == name), None)


class Tree:
    """The project."""

    def __init__(self, files: int, rng: Random) -> None:
        self.modules: dict[int, Module] = {}
        self.importers: dict[int, dict[int, None]] = {}
        """Module → the modules that use it."""
        self.packages = max(1, files // PACKAGE)
        self._next = 0
        for _ in range(files):
            self._grow(rng)
        for module in self.modules.values():
            for _, routine in module.callables():
                self._wire(rng, module, routine)

    def add(self, rng: Random, package: int) -> Module:
        """A new module in a package, which uses others and is used by nobody yet."""
        module = self._grow(rng, package)
        for _, routine in module.callables():
            self._wire(rng, module, routine)
        return module

    def drop(self, module: Module) -> None:
        """It isn't there any more."""
        del self.modules[module.number]
        for users in self.importers.values():
            users.pop(module.number, None)

    def package_of(self, module: Module) -> int:
        return module.number % self.packages

    def siblings(self, package: int) -> range:
        """The numbers of a package's modules; some may be gone."""
        return range(package % self.packages, self._next, self.packages)

    def tests_of(self, package: int) -> list[Module]:
        """The modules of a package that hold tests."""
        found = (self.modules.get(number) for number in self.siblings(package))
        return [module for module in found if module is not None and module.is_test]

    def used_by(self, module: Module) -> list[int]:
        """The modules one uses, in order, itself left out."""
        used = {ref.module: None for _, routine in module.callables() for ref in routine.calls}
        return sorted(number for number in used if number != module.number and number in self.modules)

    def connect(self, rng: Random, module: Module, routine: Routine) -> None:
        """A routine calls one more."""
        ref = self._choose(rng, module)
        here = ref is not None and ref.module == module.number and ref.name.rpartition(".")[2] == routine.name
        if ref is not None and not here and ref not in routine.calls:
            routine.calls.append(ref)
            self.importers.setdefault(ref.module, {})[module.number] = None

    def new_routine(self, rng: Random, module: Module) -> Routine:
        """One more function in a module, used by nobody yet."""
        taken = {name for name, _ in module.callables()}
        name = next(name for name in _names(rng, 24) if name not in taken)
        routine = Routine(name, _arguments(rng), [], rng.randrange(1 << 20))
        module.routines.append(routine)
        module.added.append(name)
        self._wire(rng, module, routine)
        return routine

    # -- helpers --------------------------------------------------------------------------------------------------

    def _grow(self, rng: Random, package: int | None = None) -> Module:
        if package is not None:
            self._next += (package - self._next) % self.packages
        number, place = self._next, self._next // self.packages
        self._next += 1
        is_test = 0 < place <= TESTS
        module = _module(rng, number, _path(number % self.packages, place, is_test), is_test)
        self.modules[number] = module
        return module

    def _wire(self, rng: Random, module: Module, routine: Routine) -> None:
        for _ in range(2 + rng.randrange(2)):
            self.connect(rng, module, routine)

    def _choose(self, rng: Random, module: Module) -> Ref | None:
        number = self._near(rng, module)
        there = self.modules.get(number)
        if there is None or there.is_test:
            return None
        names = [name for name, _ in there.callables()]
        name = names[min(rng.randrange(len(names)), rng.randrange(len(names)))]
        return Ref(number, name)

    def _near(self, rng: Random, module: Module) -> int:
        """A module to use: mostly one at hand, now and then one of those that everybody uses."""
        way, package = rng.randrange(100), self.package_of(module)
        if way < 25 and not module.is_test:
            return module.number
        if way < 65:
            return rng.choice(self.siblings(package))
        if way < 85:
            return rng.choice(self.siblings(package + rng.choice((-2, -1, 1, 2))))
        if way < 90:
            return rng.randrange(self._next)
        hubs = self.siblings(0)
        return hubs[min(rng.randrange(len(hubs)), rng.randrange(len(hubs)))]


def _module(rng: Random, number: int, path: str, is_test: bool) -> Module:
    names = _names(rng, 10)
    if is_test:
        tests = [Routine(f"test_{name}", [], [], rng.randrange(1 << 20)) for name in names]
        return Module(number, path, [], tests, [], True)
    routines = [Routine(name, _arguments(rng), [], rng.randrange(1 << 20)) for name in names[: 4 + rng.randrange(3)]]
    methods = [Routine(name, _arguments(rng)[:1], [], rng.randrange(1 << 20)) for name in names[7 : 9 + number % 2]]
    kind = Kind("".join(word.capitalize() for word in rng.sample(NOUNS, 2)), methods, rng.randrange(1 << 20))
    constants = [(f"{noun.upper()}_LIMIT", rng.randrange(1_000)) for noun in rng.sample(NOUNS, 2 + rng.randrange(3))]
    return Module(number, path, constants, routines, [kind])


def _path(package: int, place: int, is_test: bool) -> str:
    domain, area = DOMAINS[package % len(DOMAINS)], AREAS[package // len(DOMAINS) % len(AREAS)]
    again = package // (len(DOMAINS) * len(AREAS))
    folder = f"{domain}/{area}{again or ''}"
    name = THINGS[(place * 7 + package) % len(THINGS)] + str(place // len(THINGS) or "")
    return f"tests/{folder}/test_{name}.py" if is_test else f"{folder}/{name}.py"


def _names(rng: Random, count: int) -> list[str]:
    picked = rng.sample(range(len(VERBS) * len(NOUNS)), count)
    return [f"{VERBS[at // len(NOUNS)]}_{NOUNS[at % len(NOUNS)]}" for at in picked]


def _arguments(rng: Random) -> list[str]:
    return rng.sample(NOUNS, 1 + rng.randrange(3))
