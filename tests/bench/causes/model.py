"""What a made-up project is made of, before any language: modules, units, what uses what, and bodies in a small tongue.

A unit is a function, a constant, a record (a class, a struct) or a method of one. Every unit has an integer value; a
sound one is above zero. What uses a unit stands later than it, so that no import runs in a circle. Languages print
this; they decide nothing about it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

Expr = str | tuple[str, "Expr", "Expr"]
"""`{0}` stands for the value of the unit's first use; a tuple is `div`, `least` or `most` of two."""


@dataclass
class Statement:
    """`let name = expr`, `add name += expr`, `if expr: body`, `each name in 0..expr: body`, `return expr`, `note`."""

    word: str
    name: str = ""
    expr: Expr = ""
    body: list[Statement] = field(default_factory=list)
    sound: Expr | None = None
    """What would stand here if nothing were wrong."""
    mark: str = ""


@dataclass(eq=False)
class Module:
    folder: tuple[str, ...]
    stem: str
    role: str
    """hub, plain, apart (nothing of the path uses it), late (uses the path, but the path never uses it)"""
    position: int = 0
    quiet: bool = False
    """Something of the path lives here: no noise leans on it, or it would be a shortcut."""
    units: list[Unit] = field(default_factory=list)


@dataclass(eq=False)
class Use:
    unit: Unit
    how: str
    """call, read, build (make a record and ask it), base, field (hold one), type (be handed one)"""


@dataclass(eq=False)
class Unit:
    kind: str
    """function, constant, record, method"""
    words: tuple[str, ...]
    module: Module
    role: str
    """noise, hub, chain, cause, symptom, owner (of the method that fails), entry, decoy, late"""
    doc: str = ""
    uses: list[Use] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    """Of a function or a method; of a record, what its accessor does."""
    accessor: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    """The name of a record's own number ..."""
    literal: int = 0
    """... and its value, or a constant's, when that is not wrong."""
    broken: bool = False
    """The literal is 0 instead."""
    expr: Expr = ""
    """Of a constant that is derived from another."""
    table: tuple[tuple[str, int], ...] = ()
    """Of a constant that is several numbers by name; `literal` is the number of the one in the middle."""
    owner: Unit | None = None
    stores: Use | None = None
    """What a record works out when it is made, and a method of it reads later."""
    abstract: bool = False
    """Only to be built upon: a trait."""
    style: int = 0
    """A number for the language to choose among its ways of saying the same."""
    cost: int = 1
    """About how many calls one call of it makes."""

    def entries(self, sound: bool) -> list[tuple[str, str, bool]]:
        """Name, number and whether it is the wrong one, of a table: `literal`'s stands in its middle."""
        middle = len(self.table) // 2
        found = [(name, str(number), False) for name, number in self.table]
        found[middle] = (self.key, "0" if self.broken and not sound else str(self.literal), self.broken)
        return found

    @property
    def key(self) -> str:
        """Which entry of the table is the value."""
        return self.table[len(self.table) // 2][0]

    @property
    def all_uses(self) -> list[Use]:
        return [*self.uses, *([self.stores] if self.stores else [])]

    def base(self) -> Use | None:
        return next((use for use in self.uses if use.how == "base"), None)


@dataclass(eq=False)
class Story:
    """One failure and the project around it."""

    seed: int
    modules: list[Module]
    hops: int
    symptom: Unit | None
    """None: the test itself fails, for what it was given isn't what it expects."""
    chain: list[Unit]
    """From what the symptom uses to the cause."""
    entries: list[Unit]
    """Callers between the test and the symptom, the outermost first."""
    decoy: Unit
    mode: str
    """How it fails: divide, guard, index, lookup, library (deeper in, outside the project), mismatch."""
    message: str
    test: tuple[str, ...]
    amount: int
    expected: int
    tested: list[Unit]
    """What other tests try, and pass."""
    way: str
    """How the symptom holds on to the first of the chain."""

    @property
    def cause(self) -> Unit:
        return self.chain[-1]

    @property
    def called(self) -> Unit:
        """What the failing test calls."""
        return [*self.entries, *([self.symptom] if self.symptom else []), self.chain[0]][0]

    def units(self) -> Iterator[Unit]:
        for module in self.modules:
            yield from module.units


def edges(story: Story) -> dict[Unit, list[Unit]]:
    """Who depends on whom. A method leans on its record, and who calls it on what has to be handed to it."""
    found = {unit: [use.unit for use in unit.all_uses] for unit in story.units()}
    for unit in found:
        called = [use.unit for use in unit.uses if use.how == "call"]
        found[unit] += [unit.owner] if unit.owner else []
        found[unit] += [use.unit for each in called for use in each.uses if use.how == "type"]
    return found


def hops_from(story: Story, start: list[Unit], given: int) -> dict[Unit, int]:
    """How many times one must change the file to get from the start to each unit; `given` were needed to get there."""
    graph = edges(story)
    found = dict.fromkeys(start, given)
    queue = deque(start)
    while queue:
        unit = queue.popleft()
        for other in graph[unit]:
            cost = found[unit] + (other.module is not unit.module)
            if cost < found.get(other, 1_000):
                found[other] = cost
                queue.append(other)
    return found


def let(name: str, expr: Expr) -> Statement:
    return Statement("let", name, expr)


def add(name: str, expr: Expr) -> Statement:
    return Statement("add", name, expr)


def when(condition: str, *body: Statement) -> Statement:
    return Statement("if", "", condition, list(body))


def each(name: str, count: str, *body: Statement) -> Statement:
    return Statement("each", name, count, list(body))


def give(expr: Expr, sound: Expr | None = None) -> Statement:
    return Statement("return", "", expr, [], sound)


def note(text: str) -> Statement:
    return Statement("note", text)
