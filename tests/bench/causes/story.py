"""From a seed to a story: what is wrong, how far from where it shows, what lies around it, and what only looks like it.

Packages stand in a line and units lean on earlier ones only. The chain's modules are drawn along that line, the cause
first; noise never leans on them, so that the chain is the shortest way. What uses the chain besides is late and
unreachable from the failure; what is apart is unreachable too, and the decoy lives there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from random import Random

from tests.bench.causes import bodies
from tests.bench.causes.model import Module, Story, Unit, Use, let
from tests.bench.causes.words import HUBS, NOUNS, PLAIN_STEMS, Names

SIZES = ((9, 14), (14, 35), (35, 70))
MOST_CALLS = 900
MODES = ("divide", "guard", "index", "lookup", "library", "mismatch")


@dataclass(frozen=True)
class Traits:
    """What a language allows."""

    constant_calls: bool = True
    """A constant may be worked out by calling a function."""
    bases_are_traits: bool = False
    """What is built upon is no record by itself."""
    literal_in_record: bool = True
    """The number a record holds is written inside it."""
    typed: bool = True
    """A parameter says its type, so that a function leans on what it is handed."""


def draw(rng: Random, seed: int, traits: Traits) -> Story:
    """One of the stories of a seed: every third seed has its cause one, two or three hops away."""
    return _Drawing(rng, 1 + seed % 3, traits).story(seed)


class _Drawing:
    def __init__(self, rng: Random, hops: int, traits: Traits) -> None:
        self.rng, self.hops, self.traits, self.names = rng, hops, traits, Names(rng)
        self.mode = rng.choice(MODES if hops > 1 else MODES[:-1])  # a test that names the cause itself is no riddle
        self.amount = rng.randint(11, 60)
        self.density = rng.choice((0, 1, 2, 4, 6, 9))
        """How much leans on how much, and how long bodies are."""
        self.right: Callable[[int], int] = int
        self.factors: list[int] = []
        self.subject = self.names.function()
        self.chain: list[Unit] = []
        self.entries: list[Unit] = []
        self.symptom: Unit | None = None
        self.way = "direct"
        self.decoy: Unit | None = None
        self.alive = False
        self.seen: list[Unit] = []

    def story(self, seed: int) -> Story:
        modules = self._modules()
        plan = self._plan(modules)
        last = [module for module in modules if module.role == "apart"][-1]
        decoy_home = self.rng.choice([module for module in modules if module.folder == last.folder])
        for module in modules:
            noise = self.rng.choice((1, 1, 2, 2, 3, 4)) + self.rng.randint(0, min(3, self.density))
            todo: list[Callable[[], None]] = [partial(self._noise, module)] * noise
            if module in plan:
                todo.insert(self.rng.randint(0, len(todo)), partial(self._planned, module, plan[module]))
            if module is decoy_home:  # not before the cause, whose name it borrows
                todo.append(partial(self._decoy, module))
            for make in todo:
                make()
        assert self.decoy is not None
        if not self.alive:
            self._use_decoy(modules[-1])
        tested = [unit for unit in self.seen if unit.kind == "function" and unit.role == "noise"]
        return Story(
            seed=seed, modules=modules, hops=self.hops, symptom=self.symptom, chain=self.chain[::-1],
            entries=self.entries[::-1], decoy=self.decoy, mode=self.mode, message=self._message(),
            test=("test", *self.subject[1:], self.rng.choice(("holds", "keeps", "fits", "adds"))), amount=self.amount,
            expected=self._expected(), way=self.way,
            tested=self.rng.sample(tested, min(len(tested), self.rng.randint(1, 9))),
        )  # fmt: skip

    # ---- the frame ----

    def _modules(self) -> list[Module]:
        rng = self.rng
        total = rng.randint(*rng.choice(SIZES))
        apart, late, hubs = max(1, total * rng.randint(12, 30) // 100), max(1, total // 12), rng.choice((1, 1, 2))
        plain = max(6, total - apart - late - hubs)
        groups = [self.names.folder() for _ in range(rng.randint(1, 2))]
        packages = [
            *self._packages("plain", plain, groups),
            *self._packages("apart", apart, groups if rng.random() < 0.5 else []),
        ]
        rng.shuffle(packages)
        first = Module((rng.choice(HUBS),), self.names.noun(), "hub")
        hub = [first, *(Module(first.folder, self.names.noun(), "hub") for _ in range(hubs - 1))]
        line = [hub, *packages, *self._packages("late", late, [])]
        # what is apart has to come after something of the path, for its decoy borrows the cause's name
        firsts = [package for package in line if package[0].role == "apart"]
        line.remove(firsts[-1])
        line.insert(len(line) - 1, firsts[-1])
        modules = [module for package in line for module in package]
        for position, module in enumerate(modules):
            module.position = position
        return modules

    def _packages(self, role: str, count: int, groups: list[str]) -> list[list[Module]]:
        found = []
        while count:
            size = min(count, self.rng.choice((1, 2, 3, 4, 6, 8)))
            group = (self.rng.choice(groups),) if groups and self.rng.random() < 0.4 else ()
            folder = (*group, self.names.folder())
            plain = self.rng.sample(PLAIN_STEMS, len(PLAIN_STEMS))
            stems = [plain.pop() if self.rng.random() < 0.15 and plain else self._stem() for _ in range(size)]
            found.append([Module(folder, stem, role) for stem in stems])
            count -= size
        return found

    def _stem(self) -> str:
        return self.names.noun() + (f"_{self.names.noun()}" if self.rng.random() < 0.2 else "")

    def _plan(self, modules: list[Module]) -> dict[Module, int]:
        """Which modules hold the path, the cause's first: each with its place on the way back from the cause."""
        inner = self.hops if self.mode == "mismatch" else self.hops + 1
        entries = 0 if self.mode == "mismatch" else self.rng.choice((0, 0, 1, 1, 2))
        plain = [module for module in modules if module.role == "plain" and module.stem not in PLAIN_STEMS]
        plain += [module for module in modules if module.role == "plain" and module.stem in PLAIN_STEMS]
        home = next(m.position for m in reversed(modules) if m.role == "apart")
        able = [module for module in plain if module.position < home]
        late = sorted(able, key=_position)[len(able) // 2 :]
        if len(late) >= inner + entries and self.rng.random() < 0.7:
            able = late  # with much beneath it
        chosen = sorted(self.rng.sample(able, inner + entries), key=_position)
        for module in chosen:
            module.quiet = True
        return {module: index for index, module in enumerate(chosen)}

    # ---- the path ----

    def _planned(self, module: Module, index: int) -> None:
        if index == 0:
            self._cause(module)
        elif index < self.hops:
            self._link(module)
        elif index == self.hops:
            self._symptom(module)
        else:
            self._entry(module)

    def _cause(self, module: Module) -> None:
        kind = self.rng.choice(("function",) * 4 + ("constant",) * 3 + ("record",) * 3)
        unit = self._unit(module, kind, "cause")
        if kind == "constant" or (kind == "record" and self.traits.literal_in_record and self.rng.random() < 0.5):
            unit.literal, unit.broken = self.rng.randint(2, 12), True
            unit.table = self._table() if kind == "constant" else ()
            unit.body, self.right = bodies.own_number(), lambda _: unit.literal
        else:
            unit.body, self.right = bodies.fault(self.rng)
        if kind != "constant":
            self._lean(unit, self.rng.choice((0, 0, 1)) if kind == "function" else 0)
            unit.body[:0] = bodies.padding(self.rng, unit, 0)
        unit.abstract = not unit.broken and self._may_be_abstract(unit)
        self._join(unit)

    def _link(self, module: Module) -> None:
        feed = self.chain[-1]
        kinds = ["function"] * 4 + ["record"] * 3
        if feed.abstract:
            kinds = ["record"]
        elif feed.kind == "constant" or (feed.kind == "function" and self.traits.constant_calls):
            kinds += ["constant"] * 2
        unit = self._unit(module, self.rng.choice(kinds), "chain")
        factor = self.rng.choice((1, 1, 2, 3, 5))
        unit.uses.append(Use(feed, self._how(unit, feed)))
        self.factors.append(factor)
        if unit.kind == "constant":
            unit.literal = self.rng.randint(20, 60)
            unit.expr = bodies.times("{0}", factor)
        else:
            self._lean(unit, self.rng.choice((0, 1, 2, 3)))
            unit.body = bodies.passing(self.rng, unit, factor, self.density)
        unit.abstract = self._may_be_abstract(unit)
        self._join(unit)

    def _may_be_abstract(self, unit: Unit) -> bool:
        if unit.kind != "record" or any(use.how in ("base", "field") for use in unit.uses):
            return False  # it could hold nothing
        if self.mode == "mismatch" and len(self.chain) == self.hops - 1:
            return False  # the test has to call it
        return self.traits.bases_are_traits and self.rng.random() < 0.4

    def _how(self, unit: Unit, feed: Unit) -> str:
        if feed.kind == "function":
            return "call"
        if feed.kind == "constant":
            return "read"
        if feed.abstract:
            return "base"
        if unit.kind == "record":
            return "field" if self.traits.bases_are_traits else self.rng.choice(("base", "field"))
        return "build"

    def _symptom(self, module: Module) -> None:
        feed = self.chain[-1]
        role, form = "symptom", self.rng.choice(("function", "function", "method"))
        if feed.abstract:
            form = "method"
        owner = self._unit(module, "record", "owner") if form == "method" else None
        unit = self._unit(module, form, role, self.subject)
        self.symptom, unit.owner = unit, owner
        how = self._how(owner or unit, feed)
        if owner is None:
            typed = self.traits.typed and feed.kind == "record" and self.rng.random() < 0.5
            unit.uses.append(Use(feed, "type" if typed else how))
        elif how in ("base", "field"):
            self.way = how
            owner.uses.append(Use(feed, how))
        elif self.rng.random() < 0.5:
            self.way = "stored"
            owner.stores = Use(feed, how)
        else:
            unit.uses.append(Use(feed, how))
        first = len(unit.uses)
        self._lean(unit, self.rng.choice((0, 1, 2, 3, 4)))
        before = bodies.padding(self.rng, unit, first)
        step = let("step", bodies.times("{feed}", self.rng.choice((1, 1, 2, 4))))
        unit.body = [*before, step, *bodies.small_talk(self.rng, self.density), *bodies.failing(self.mode)]
        self.seen += [owner, unit] if owner else [unit]

    def _entry(self, module: Module) -> None:
        called = self.entries[-1] if self.entries else self.symptom
        assert called is not None
        unit = self._unit(module, "function", "entry")
        unit.uses.append(Use(called, "call"))
        self._lean(unit, self.rng.choice((0, 1, 2)))
        unit.body = [*bodies.padding(self.rng, unit, 1), *bodies.calling()]
        self.entries.append(unit)
        self.seen.append(unit)

    def _join(self, unit: Unit) -> None:
        self.chain.append(unit)
        self.seen.append(unit)

    def _expected(self) -> int:
        """What the first of the chain would give if nothing were wrong."""
        amount = self.amount
        for unit in self.chain[:0:-1]:
            amount = amount if unit.kind == "function" else unit.literal
        cause = self.chain[0]
        return prod([self.right(cause.literal if cause.kind == "record" else amount), *self.factors])

    def _message(self) -> str:
        _, *subject = self.subject
        word = self.rng.choice(self.chain[0].words[-2:])
        return self.rng.choice(
            ("{} needs a {} above zero", "{}: the {} must not be zero", "no {1} is left for this {0}")
        ).format(" ".join(subject), word)

    # ---- what lies around it ----

    def _unit(self, module: Module, kind: str, role: str, words: tuple[str, ...] = ()) -> Unit:
        if not words:
            words = self.names.function() if kind in ("function", "method") else self.names.thing()
        unit = Unit(kind, words, module, role, style=self.rng.randrange(1_000))
        unit.doc = bodies.doc(self.rng, words)
        if kind == "record":
            unit.accessor, unit.held = self.names.function(), self.names.thing()
            unit.literal = self.rng.randint(20, 60)
        module.units.append(unit)
        return unit

    def _noise(self, module: Module) -> None:
        kind = self.rng.choice(("function",) * 5 + ("constant",) * 2 + ("record",) * 2)
        unit = self._unit(module, kind, {"hub": "hub", "late": "late"}.get(module.role, "noise"))
        unit.literal = self.rng.randint(1, 90)
        if module.role == "late" and kind == "function":
            usable = [each for each in self.chain if not each.abstract]
            used = self.rng.sample(usable, min(len(usable), self.rng.randint(0, 2)))
            unit.uses += [Use(each, self._how(unit, each)) for each in used]
        if module.role == "apart" and self.decoy and kind == "function" and (not self.alive or self.rng.random() < 0.3):
            self._use(unit, self.decoy)
        if kind == "constant":
            unit.table = self._table()
        else:
            self._lean(unit, self.rng.choice((0, 1, 1, 2, 2, 3, 4)))
            unit.body = bodies.noise(self.rng, unit, self.density)
            unit.cost *= 5 if any(each.word == "each" and "{" in str(each.body) for each in unit.body) else 1
        unit.abstract = self._may_be_abstract(unit)
        self.seen.append(unit)

    def _table(self) -> tuple[tuple[str, int], ...]:
        """A third of the constants are several numbers by name."""
        if self.rng.random() < 0.65:
            return ()
        names = self.rng.sample(NOUNS, self.rng.randint(2, 6))
        return tuple((name, self.rng.randint(1, 90)) for name in names)

    def _decoy(self, module: Module) -> None:
        kind = self.rng.choice(("function", "function", "constant", "record"))
        words: tuple[str, ...] | None = None
        while words is None:
            near = [*self.chain[0].words[-2:], self.rng.choice(self.subject[1:])]
            self.rng.shuffle(near)
            verb = (
                self.subject[0] if self.rng.random() < 0.5 else self.rng.choice(("check", "reckon", "choose", "fill"))
            )
            words = self.names.claim(*([verb] if kind == "function" else []), *dict.fromkeys(near))
        self.decoy = unit = self._unit(module, kind, "decoy", words)
        unit.literal = self.rng.randint(1, 90)
        unit.doc = f"{self._message().capitalize()}; see {' '.join(self.subject)}."
        if kind != "constant":
            unit.body = bodies.noise(self.rng, unit, self.density)

    def _use_decoy(self, module: Module) -> None:
        assert self.decoy is not None
        unit = self._unit(module, "function", "late")
        self._use(unit, self.decoy)
        unit.body = bodies.noise(self.rng, unit, self.density)

    def _use(self, unit: Unit, other: Unit) -> None:
        unit.uses.append(Use(other, self._how(unit, other)))
        self.alive = self.alive or other is self.decoy

    def _lean(self, unit: Unit, count: int) -> None:
        """Use so much noise, and perhaps a hub."""
        hubs = [each for each in self.seen if each.role == "hub" and not each.abstract]
        if unit.role != "hub" and self.rng.random() < 0.5:
            for hub in self.rng.sample(hubs, min(len(hubs), 1 + self.rng.randint(0, self.density // 3))):
                unit.uses.append(Use(hub, self._safe(unit, hub)))
        count += self.rng.randint(0, self.density) if unit.role != "cause" else 0
        pool = self._pool(unit)
        pool = pool[len(pool) // 2 :] if self.rng.random() < 0.5 else pool
        for other in self.rng.sample(pool, min(count, len(pool))):
            if all(use.unit is not other for use in unit.uses):
                unit.uses.append(Use(other, self._safe(unit, other)))
        unit.cost = 1 + sum(use.unit.cost for use in unit.uses)

    def _safe(self, unit: Unit, other: Unit) -> str:
        """Only one base; and what a record holds is told apart by its name, so one of those too."""
        how = self._how(unit, other)
        if how in ("base", "field") and not other.abstract:
            return "build" if any(use.how in ("base", "field") for use in unit.uses) else how
        return how

    def _pool(self, unit: Unit) -> list[Unit]:
        apart = unit.module.role == "apart"
        based = unit.base() is not None or unit.role == "owner"
        return [
            other
            for other in self.seen
            if other.role == "noise"
            and other.cost < MOST_CALLS
            and (not other.module.quiet or other.module is unit.module)
            and (other.module.role == "plain" or apart)
            and (not other.abstract or (unit.kind == "record" and not based and not unit.uses))
        ]


def _position(module: Module) -> int:
    return module.position
