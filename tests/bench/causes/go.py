"""Made-up Go modules: packages of several files, aliased and dotted imports, embedded structs, blocks of constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tests.bench.causes import go_output
from tests.bench.causes.model import Module, Statement, Story, Unit, Use
from tests.bench.causes.project import Project, Told, first_that_keeps_quiet
from tests.bench.causes.render import MARK, Case, Context, Frame, changed, mark, names_of
from tests.bench.causes.story import Traits
from tests.bench.causes.tongues import Go
from tests.bench.causes.words import camel, pascal, snake

TRAITS = Traits(literal_in_record=False)
IDIOMS = ("plain", "plain", "plain", "alias", "alias", "dot")


def make(seed: int) -> Case:
    return first_that_keeps_quiet("go", seed, TRAITS, _Project)


class _Project(Project):
    family = "go"

    def __init__(self, story: Story, rng: Random) -> None:
        super().__init__(story, rng)
        self.tongue = Go()
        self.base = rng.choice(("", "internal/", "pkg/"))
        self.root = rng.choice(("example.com/acme/", "github.com/orbit/", "git.fjord.io/team/")) + rng.choice(
            ("ops", "core", "backend")
        )
        self.outside = rng.random() < 0.4
        """The failing test stands in a package of its own, beside the one it tests."""
        self.hidden: set[Unit] = set()

    def prepare(self) -> None:
        self._hide()
        self.imports: dict[Module, dict[str, str]] = {}
        for module in self.story.modules:
            named = [each for unit in module.units for use in unit.all_uses for each in names_of(use)]
            self.imports[module] = self._import(module, module.folder, [use.unit for use in named])
        home = () if self.outside else self.story.called.module.folder
        self.test_imports = self._import(None, home, self._needed_by_test())

    def _hide(self) -> None:
        """What nobody outside its package uses has a small first letter, often."""
        users: dict[Unit, set[tuple[str, ...]]] = {}
        for unit in self.story.units():
            for use in unit.all_uses:
                for named in names_of(use):
                    users.setdefault(named.unit, set()).add(unit.module.folder)
        for unit in self.story.units():
            alone = users.get(unit, set()) <= {unit.module.folder}
            if (
                alone
                and unit.kind in ("function", "constant")
                and unit not in self._needed_by_test()
                and unit.style % 3
            ):
                self.hidden.add(unit)

    def _import(self, module: Module | None, home: tuple[str, ...], units: list[Unit]) -> dict[str, str]:
        """The import lines, by folder; and how each unit is said."""
        lines: dict[str, str] = {}
        for folder in sorted({unit.module.folder for unit in units} - {home}):
            where, name = f"{self.root}/{self.base}{'/'.join(folder)}", folder[-1]
            idiom = self.rng.choice(IDIOMS)
            alias = {"plain": "", "alias": f"{name[:4]}pkg ", "dot": ". "}[idiom]
            lines[where] = f'{alias}"{where}"'
            prefix = {"plain": f"{name}.", "alias": f"{name[:4]}pkg.", "dot": ""}[idiom]
            self.names |= {(module, unit): prefix for unit in units if unit.module.folder == folder}
        return lines

    def _needed_by_test(self) -> list[Unit]:
        called = self.story.called
        return [called.owner or called, *(use.unit for use in called.uses if use.how == "type")]

    # ---- where things are ----

    def path(self, module: Module) -> str:
        return f"{self.base}{'/'.join((*module.folder, module.stem))}.go"

    def symbol(self, unit: Unit) -> str:
        return f"{pascal(unit.owner.words)}.{self._name(unit)}" if unit.owner else self._name(unit)

    def called_as(self, unit: Unit) -> str:
        package = f"{self.root}/{self.base}{'/'.join(unit.module.folder)}"
        return (
            f"{package}.(*{pascal(unit.owner.words)}).{self._name(unit)}"
            if unit.owner
            else f"{package}.{self._name(unit)}"
        )

    def test_name(self) -> str:
        return pascal(self.story.test)

    def told(self, files: Mapping[str, str], frames: Sequence[Frame]) -> Told:
        packages = [f"{self.root}/{self.base}{'/'.join(folder)}" for folder in self.folders]
        called = f"{self.root}/{self.base}{'/'.join(self.story.called.module.folder)}"
        tested = {f"{self.root}/{self.base}{'/'.join(unit.module.folder)}" for unit in self.story.tested}
        run = go_output.Run(sorted(packages), called, tested, "_test" if self.outside else "")
        return go_output.told(self.story, self.rng, frames, run)

    def _name(self, unit: Unit) -> str:
        return camel(unit.words) if unit in self.hidden else pascal(unit.words)

    def _said(self, module: Module | None, unit: Unit) -> str:
        return self.names.get((module, unit), "") + self._name(unit)

    def _made(self, module: Module | None, unit: Unit) -> str:
        return f"{self.names.get((module, unit), '')}New{pascal(unit.words)}()"

    # ---- files ----

    def files(self, sound: bool) -> dict[str, list[str]]:
        files = {"go.mod": [f"module {self.root}", "", "go 1.21"]}
        for module in self.story.modules:
            head = [f"// Package {module.folder[-1]} keeps the {module.folder[-1]}.", f"package {module.folder[-1]}"]
            head = head if module is self.modules_in(module.folder)[0] else head[1:]
            errors = any(unit.body and unit.body[-1].name == "guard" and not unit.style % 2 for unit in module.units)
            strings = any(unit.body and unit.body[-1].name == "library" for unit in module.units)
            standard = ['"errors"', ""] if errors else ['"strings"', ""] if strings else []
            lines = [*standard, *self.imports[module].values()]
            files[self.path(module)] = [*head, "", *_imports(lines), *self._units(module, sound)]
        return files | self._tests()

    def _units(self, module: Module, sound: bool) -> list[str]:
        lines: list[str] = []
        block: list[Unit] = []
        for unit in [*(each for each in module.units if each.kind != "method"), None]:
            if unit is not None and unit.kind == "constant":
                block.append(unit)
                continue
            lines += self._constants(block, sound)
            block = []
            if unit is not None:
                lines += [*(self._record(unit, sound) if unit.kind == "record" else self._function(unit, sound)), ""]
        return lines

    def _constants(self, units: list[Unit], sound: bool) -> list[str]:
        """One by one, or in a block where there are several of a kind."""
        lines: list[str] = []
        for word in ("const", "var"):
            said = [self._constant(unit, sound) for unit in units if self._word(unit) == word]
            if len(said) > 1 or (said and units[0].style % 2):
                lines += [f"{word} (", *(f"\t{line}" for each in said for line in each), ")", ""]
            else:
                lines += [line for each in said for line in (f"{word} {each[0]}", *each[1:], "")]
        return lines

    def _word(self, unit: Unit) -> str:
        """Whether it can be worked out while compiling."""
        if unit.table:
            return "var"
        if unit.uses:
            return "var" if unit.uses[0].how == "call" else self._word(unit.uses[0].unit)
        return "const"

    def _constant(self, unit: Unit, sound: bool) -> list[str]:
        wrong = MARK + "wrong"
        if unit.table:
            lines = [f'\t"{name}": {number},{wrong if bad else ""}' for name, number, bad in unit.entries(sound)]
            return [mark(f"{self._name(unit)} = map[string]int{{", "def", unit), *lines, "}"]
        value = "0" if unit.broken and not sound else str(unit.literal)
        value = self.tongue.expr(unit.expr, self._context(unit, sound)) if unit.expr else value
        return [mark(f"{self._name(unit)} = {value}", "def", unit) + (wrong if unit.broken else "")]

    def _context(self, unit: Unit, sound: bool) -> Context:
        amount = {"record": f"{_self(unit)}.{camel(unit.held)}", "constant": str(unit.literal)}.get(unit.kind, "amount")
        values = [self._value(unit, use, amount) for use in unit.uses]
        return Context(values, self._feed(unit, values), amount, sound, changed(unit.body), unit)

    def _feed(self, unit: Unit, values: list[str]) -> str:
        owner, way = unit.owner, self.story.way
        if owner is None or way == "direct":
            return values[0] if values else ""
        if way == "stored":
            return f"{_self(owner)}.step"
        used = owner.uses[0].unit
        inner = f".{camel(used.words)}" if way == "field" else ""
        return f"{_self(owner)}{inner}.{pascal(used.accessor)}()"

    def _value(self, unit: Unit, use: Use, amount: str) -> str:
        other = use.unit
        asked = f".{pascal(other.accessor)}()"
        match use.how:
            case "read":
                return self._said(unit.module, other) + _entry(other)
            case "type":
                return camel(other.words) + asked
            case "base":
                return _self(unit) + asked
            case "field":
                return f"{_self(unit)}.{camel(other.words)}{asked}"
            case "build":
                return self._made(unit.module, other) + asked
        return self._call(unit.module, other, amount)

    def _call(self, module: Module | None, other: Unit, amount: str) -> str:
        handed = [self._made(module, use.unit) for use in other.uses if use.how == "type"]
        if other.owner:
            return f"{self._made(module, other.owner)}.{self._name(other)}({amount})"
        return f"{self._said(module, other)}({', '.join((*handed, amount))})"

    def _function(self, unit: Unit, sound: bool) -> list[str]:
        typed = [f"{camel(u.unit.words)} *{self._said(unit.module, u.unit)}" for u in unit.uses if u.how == "type"]
        owner = f"({_self(unit.owner)} *{pascal(unit.owner.words)}) " if unit.owner else ""
        lines = [f"// {self._name(unit)} is told so: {unit.doc}"] if unit.doc else []
        lines.append(mark(f"func {owner}{self._name(unit)}({', '.join((*typed, 'amount int'))}) int {{", "def", unit))
        context = self._context(unit, sound)
        *before, last = unit.body
        if last.word == "fail":
            told = Context(context.values, self.story.message, unit=unit)
            body = self.tongue.block(before, 1, context) + self.tongue.block([Statement("fail", last.name)], 1, told)
        else:
            body = self.tongue.block(unit.body, 1, context)
        body = [line.replace(f"{MARK}frame", f"{MARK}frame:{snake(unit.words)}") for line in body]
        return [*lines, *body, "}"]

    def _record(self, unit: Unit, sound: bool) -> list[str]:
        name, me, base = pascal(unit.words), _self(unit), unit.base()
        lines = [f"// {name} holds what it says: {unit.doc}"] if unit.doc else []
        lines.append(mark(f"type {name} struct {{", "def", unit))
        made = []
        if base:
            lines.append(f"\t*{self._said(unit.module, base.unit)}")
            made.append(f"{pascal(base.unit.words)}: {self._made(unit.module, base.unit)},")
        for use in (each for each in unit.uses if each.how == "field"):
            lines.append(f"\t{camel(use.unit.words)} *{self._said(unit.module, use.unit)}")
            made.append(f"{camel(use.unit.words)}: {self._made(unit.module, use.unit)},")
        lines.append(f"\t{camel(unit.held)} int")
        made.append(f"{camel(unit.held)}: {unit.literal},")
        if unit.stores:
            lines.append("\tstep int")
            made.append(f"step: {self._value(unit, unit.stores, str(self.story.amount))},")
        lines += ["}", "", f"// New{name} makes one.", f"func New{name}() *{name} {{", f"\treturn &{name}{{"]
        lines += [*(f"\t\t{line}" for line in made), "\t}", "}"]
        if unit.body:
            lines += ["", f"func ({me} *{name}) {pascal(unit.accessor)}() int {{"]
            lines += [*self.tongue.block(unit.body, 1, self._context(unit, sound)), "}"]
        for method in (each for each in unit.module.units if each.owner is unit):
            lines += ["", *self._function(method, sound)]
        return lines

    # ---- tests ----

    def _tests(self) -> dict[str, list[str]]:
        files: dict[str, list[str]] = {}
        for unit in self.story.tested:
            path = f"{self.path(unit.module).removesuffix('.go')}_test.go"
            files.setdefault(path, [f"package {unit.module.folder[-1]}", "", *_imports(['"testing"'])])
            asked = f"{self._name(unit)}({3 + unit.style % 40})"
            files[path] += [f"func Test{pascal(unit.words)}(t *testing.T) {{", f"\tif got := {asked}; got <= 0 {{"]
            files[path] += ['\t\tt.Fatalf("got %d", got)', "\t}", "}", ""]
        home = self.story.called.module.folder
        folder = "/".join(home)
        path = f"{self.base}{folder}/{snake(self.story.test[1:3])}_test.go"
        package = f"{home[-1]}{'_test' if self.outside else ''}"
        lines = ['"testing"', *([""] if self.test_imports else []), *self.test_imports.values()]
        files[path] = [f"package {package}", "", *_imports(lines), *self._failing_test()]
        return files

    def _failing_test(self) -> list[str]:
        story, called = self.story, self.story.called
        asked = self._call(None, called, str(story.amount))
        if called.kind == "record":
            asked = f"{self._made(None, called)}.{pascal(called.accessor)}()"
        elif called.kind == "constant":
            asked = self._said(None, called) + _entry(called)
        subject = " ".join(story.test[1:3])
        mismatch = story.mode == "mismatch"
        call = f"\tgot := {asked}{'' if mismatch else MARK + 'test'}"
        want = ["\tif got <= 0 {", f'\t\tt.Errorf("{subject} = %d, want more", got)', "\t}", "}"]
        if mismatch:
            word = "Errorf" if story.amount % 2 else "Fatalf"
            want = [f"\twant := {story.expected}", "\tif got != want {"]
            want += [f'\t\tt.{word}("{subject} = %d, want %d", got, want){MARK}test', "\t}", "}"]
        return [f"func {pascal(story.test)}(t *testing.T) {{{MARK}def:test", call, *want]


def _entry(unit: Unit) -> str:
    return f'["{unit.key}"]' if unit.table else ""


def _self(unit: Unit) -> str:
    return unit.words[-1][0]


def _imports(lines: list[str]) -> list[str]:
    if not lines:
        return []
    if len(lines) == 1:
        return [f"import {lines[0]}", ""]
    return ["import (", *(f"\t{line}" if line else "" for line in lines), ")", ""]
