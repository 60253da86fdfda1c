"""Made-up Python projects: packages with every way of importing, functions, constants, classes and dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tests.bench.causes import pytest_output, python_files
from tests.bench.causes.model import Module, Statement, Story, Unit, Use
from tests.bench.causes.project import Project, Told, first_that_keeps_quiet
from tests.bench.causes.python_files import name_of
from tests.bench.causes.render import MARK, Case, Context, Frame, changed, foreign, mark, names_of
from tests.bench.causes.story import Traits
from tests.bench.causes.tongues import Python
from tests.bench.causes.words import PLAIN_STEMS, pascal, shout, snake

TRAITS = Traits()
IDIOMS = (
    "from",
    "from",
    "relative",
    "relative",
    "alias",
    "module",
    "dotted",
    "as",
    "barrel",
    "barrel",
    "inside",
    "star",
)


def make(seed: int) -> Case:
    return first_that_keeps_quiet("python", seed, TRAITS, _Project)


class _Project(Project):
    family = "python"

    def __init__(self, story: Story, rng: Random) -> None:
        super().__init__(story, rng)
        self.tongue = Python()
        self.top = rng.choice(("acme", "orbit", "fjord", "tundra", "nimbus", "quartz")) + rng.choice(
            ("", "_core", "lib")
        )
        self.base = rng.choice(("", "src/"))
        self.tests = rng.choice(("tests", "tests", "tests/unit"))
        self.annotated = rng.random() < 0.7
        self.barrels = {folder for folder in self.folders if rng.random() < 0.5}
        self.inside: dict[tuple[Module, Unit], str] = {}

    def prepare(self) -> None:
        self.imports = {module: self._imports(module) for module in self.story.modules}
        self.test_imports = self._test_imports()

    # ---- where things are ----

    def path(self, module: Module) -> str:
        return f"{self.base}{'/'.join((self.top, *module.folder, module.stem))}.py"

    def symbol(self, unit: Unit) -> str:
        return f"{pascal(unit.owner.words)}.{name_of(unit)}" if unit.owner else name_of(unit)

    def called_as(self, unit: Unit) -> str:
        return name_of(unit)

    def test_name(self) -> str:
        return snake(self.story.test)

    def told(self, files: Mapping[str, str], frames: Sequence[Frame]) -> Told:
        return pytest_output.told(self.story, self.rng, files, frames, self._arguments())

    def _dotted(self, module: Module) -> str:
        return ".".join((self.top, *module.folder, module.stem))

    def _test_path(self) -> str:
        return f"{self.tests}/test_{snake(self.story.test[1:3])}.py"

    def _arguments(self) -> dict[str, list[tuple[str, str]]]:
        """What pytest tells of each call: the arguments' names and how they look."""
        found = {}
        for unit in self.callers():
            handed = [(snake(use.unit.words), use.unit) for use in unit.uses if use.how == "type"]
            told = [*([("self", unit.owner)] if unit.owner else []), *handed]
            looks = [
                (name, f"<{self._dotted(o.module)}.{name_of(o)} object at 0x7f3b{o.style:04x}d0>") for name, o in told
            ]
            found[name_of(unit)] = [*looks, ("amount", str(self.story.amount))]
        return found

    # ---- imports ----

    def _imports(self, module: Module) -> list[str]:
        late: dict[str, list[str]] = {}
        plain: list[str] = []
        for other, uses in foreign(module).items():
            for unit in dict.fromkeys(use.unit for use in uses):
                idiom = self._idiom(module, other, [use for use in uses if use.unit is unit])
                line, said = self._import(idiom, module, other, unit)
                self.names[module, unit] = said
                if idiom == "inside":
                    self.inside[module, unit] = line
                elif idiom == "typing":
                    late.setdefault(line, [])
                else:
                    plain.append(line)
        records = [unit for unit in module.units if unit.kind == "record" and unit.style % 2 == 0]
        standard: list[str] = []
        if records:
            holds = any(use.how == "field" for unit in records for use in unit.uses)
            standard.append(f"from dataclasses import dataclass{', field' if holds else ''}")
        lines = sorted(
            dict.fromkeys(plain), key=lambda line: (line.startswith("from ."), line.startswith("from"), line)
        )
        if any(unit.body and unit.body[-1].name == "library" for unit in module.units):
            standard.append("import statistics")
        if late:
            standard.append("from typing import TYPE_CHECKING")
        lines = [*standard, *([""] if standard and lines else []), *lines]
        if late:
            lines = [*lines, "", "if TYPE_CHECKING:", *(f"    {line}" for line in late)]
        return lines

    def _idiom(self, module: Module, other: Module, uses: list[Use]) -> str:
        if all(use.how == "type" for use in uses) and self.rng.random() < 0.5:
            return "typing"
        idiom = self.rng.choice(IDIOMS)
        if idiom == "dotted" and other.folder == module.folder:
            return "relative"  # the package has no name yet while its files are being read
        if idiom == "barrel" and (other.folder not in self.barrels or other.folder == module.folder):
            return "from"
        targets = {use.unit for use in uses}
        users = [
            unit for unit in module.units for use in unit.all_uses for named in names_of(use) if named.unit in targets
        ]
        if idiom == "inside" and any(unit.kind not in ("function", "method") for unit in users):
            return "relative"
        return idiom

    def _import(self, idiom: str, module: Module, other: Module, unit: Unit) -> tuple[str, str]:
        name, dotted = name_of(unit), self._dotted(other)
        package = dotted.rpartition(".")[0]
        near = self._relative(module, other)
        match idiom:
            case "alias":
                said = _alias(unit)
                return f"from {dotted} import {name} as {said}", said
            case "module" | "dotted" | "as" if other.stem in PLAIN_STEMS or idiom == "as":
                said = f"{other.folder[-1]}_{other.stem}"
                return f"import {dotted} as {said}", f"{said}.{name}"
            case "module":
                where = near.removesuffix(other.stem) if unit.style % 2 else package
                where = where if where.endswith("..") or where == "." else where.removesuffix(".")
                return f"from {where or '.'} import {other.stem}", f"{other.stem}.{name}"
            case "dotted":
                return f"import {dotted}", f"{dotted}.{name}"
            case "barrel":
                return f"from {package} import {name}", name
            case "star":
                return f"from {near} import *", name
            case "relative" | "inside":
                return f"from {near} import {name}", name
        return f"from {dotted} import {name}", name

    def _relative(self, module: Module, other: Module) -> str:
        shared = 0
        for mine, theirs in zip(module.folder, other.folder, strict=False):
            if mine != theirs:
                break
            shared += 1
        up = len(module.folder) - shared
        return "." * (up + 1) + ".".join((*other.folder[shared:], other.stem))

    def _test_imports(self) -> dict[str, list[str]]:
        """Of each test file, by path."""
        found: dict[str, list[str]] = {self._test_path(): []}
        for unit in self._needed_by_test():
            dotted, name = self._dotted(unit.module), name_of(unit)
            package = dotted.rpartition(".")[0]
            way = self.rng.choice(("from", "from", "barrel", "module"))
            if way == "barrel" and unit.module.folder in self.barrels:
                line, said = f"from {package} import {name}", name
            elif way == "module" and unit.module.stem not in PLAIN_STEMS:
                line, said = f"from {package} import {unit.module.stem}", f"{unit.module.stem}.{name}"
            else:
                line, said = f"from {dotted} import {name}", name
            self.names[None, unit] = said
            found[self._test_path()].append(line)
        for unit in self.story.tested:
            path = f"{self.tests}/test_{unit.module.folder[-1]}.py"
            found.setdefault(path, []).append(f"from {self._dotted(unit.module)} import {name_of(unit)}")
        return {path: sorted(dict.fromkeys(lines)) for path, lines in found.items()}

    def _needed_by_test(self) -> list[Unit]:
        called = self.story.called
        handed = [use.unit for use in called.uses if use.how == "type"]
        return [called.owner or called, *handed]

    # ---- files ----

    def files(self, sound: bool) -> dict[str, list[str]]:
        files: dict[str, list[str]] = {}
        for module in self.story.modules:
            future = ["from __future__ import annotations", ""]
            heads = [f'"""{module.stem.replace("_", " ").capitalize()} of {module.folder[-1]}."""', "", *future]
            body: list[str] = []
            previous = ""
            for unit in self._printed(module):
                gap = (
                    [""]
                    if not previous and unit.kind == "constant"
                    else []
                    if previous == unit.kind == "constant"
                    else ["", ""]
                )
                body += [*gap, *self._unit(unit, sound)]
                previous = unit.kind
            files[self.path(module)] = [*heads, *self.imports[module], *body]
        for folder in self.folders:
            for depth in range(len(folder) + 1):
                files.setdefault(
                    f"{self.base}{'/'.join((self.top, *folder[:depth]))}/__init__.py",
                    [f'"""{(self.top, *folder)[depth].capitalize()}."""'],
                )
        for folder in self.folders:
            if folder in self.barrels:
                modules = self.modules_in(folder)
                files[f"{self.base}{'/'.join((self.top, *folder))}/__init__.py"] = python_files.barrel(folder, modules)
        files |= self._tests(self.test_imports)
        files["pyproject.toml"] = python_files.settings(self.top, self.base)
        return files

    def _printed(self, module: Module) -> list[Unit]:
        """Constants before what may use them; a method is printed by its record."""
        return [unit for unit in module.units if unit.kind != "method"]

    def _unit(self, unit: Unit, sound: bool) -> list[str]:
        if unit.kind == "constant":
            return self._constant(unit, sound)
        return self._record(unit, sound) if unit.kind == "record" else self._function(unit, sound)

    def _constant(self, unit: Unit, sound: bool) -> list[str]:
        wrong = MARK + "wrong"
        said = (": dict[str, int]" if unit.table else ": int") if self.annotated and unit.style % 3 else ""
        if unit.table:
            lines = [f'    "{name}": {number},{wrong if bad else ""}' for name, number, bad in unit.entries(sound)]
            return [mark(f"{name_of(unit)}{said} = {{", "def", unit), *lines, "}"]
        value = str(unit.literal) if sound or not unit.broken else "0"
        value = self.tongue.expr(unit.expr, self._context(unit, sound)) if unit.expr else value
        return [mark(f"{name_of(unit)}{said} = {value}", "def", unit) + (wrong if unit.broken else "")]

    def _context(self, unit: Unit, sound: bool) -> Context:
        argument = {"record": f"self.{snake(unit.held)}", "constant": str(unit.literal)}.get(unit.kind, "amount")
        values = [self._value(unit, use, argument) for use in unit.uses]
        failing = unit.body and unit.body[-1].word == "fail"
        feed = self.story.message if not failing else self._feed(unit, values)
        return Context(values, feed, argument, sound, changed(unit.body), unit)

    def _feed(self, unit: Unit, values: list[str]) -> str:
        owner, story = unit.owner, self.story
        if owner is None or story.way == "direct":
            return values[0]
        if story.way == "stored":
            return "self._step"
        used = owner.uses[0].unit
        inner = f".{snake(used.words)}" if story.way == "field" else ""
        return f"self{inner}.{snake(used.accessor)}()"

    def _said(self, unit: Unit, other: Unit) -> str:
        return self.names.get((unit.module, other), name_of(other))

    def _value(self, unit: Unit, use: Use, argument: str) -> str:
        other, said = use.unit, self._said(unit, use.unit)
        match use.how:
            case "read":
                return said + _entry(other)
            case "type":
                return f"{snake(other.words)}.{snake(other.accessor)}()"
            case "base":
                return f"self.{snake(other.accessor)}()"
            case "field":
                return f"self.{snake(other.words)}.{snake(other.accessor)}()"
            case "build":
                return f"{said}().{snake(other.accessor)}()"
        return self._call(unit.module, other, argument)

    def _call(self, module: Module | None, other: Unit, argument: str) -> str:
        handed = [
            f"{self.names.get((module, use.unit), name_of(use.unit))}()" for use in other.uses if use.how == "type"
        ]
        if other.owner:
            return f"{self.names.get((module, other.owner), name_of(other.owner))}().{name_of(other)}({argument})"
        return f"{self.names.get((module, other), name_of(other))}({', '.join((*handed, argument))})"

    def _function(self, unit: Unit, sound: bool) -> list[str]:
        typed = [f"{snake(use.unit.words)}: {self._said(unit, use.unit)}" for use in unit.uses if use.how == "type"]
        arguments = [*(["self"] if unit.owner else []), *typed, "amount: int" if self.annotated or typed else "amount"]
        back = " -> int" if self.annotated else ""
        lines = [mark(f"def {name_of(unit)}({', '.join(arguments)}){back}:", "def", unit)]
        lines += [f'    """{unit.doc}"""'] if unit.doc else []
        needed = dict.fromkeys(
            self.inside[unit.module, use.unit] for use in self._named(unit) if (unit.module, use.unit) in self.inside
        )
        lines += [f"    {line}" for line in needed]
        return lines + [_own(line, unit) for line in self._body(unit, sound)]

    def _named(self, unit: Unit) -> list[Use]:
        return [named for use in unit.uses for named in names_of(use)]

    def _body(self, unit: Unit, sound: bool) -> list[str]:
        context = self._context(unit, sound)
        *before, last = unit.body
        if last.word != "fail":
            return self.tongue.block(unit.body, 1, context)
        told = Context(context.values, self.story.message, context.amount, sound, context.changed, unit)
        return [*self.tongue.block(before, 1, context), *self.tongue.block([Statement("fail", last.name)], 1, told)]

    def _record(self, unit: Unit, sound: bool) -> list[str]:
        base = unit.base()
        data = unit.style % 2 == 0
        lines = ["@dataclass"] if data else []
        lines.append(mark(f"class {name_of(unit)}{f'({self._said(unit, base.unit)})' if base else ''}:", "def", unit))
        lines += [f'    """{unit.doc}"""', ""] if unit.doc else []
        number = "0" if unit.broken and not sound else str(unit.literal)
        wrong = MARK + "wrong" if unit.broken else ""
        lines.append(f"    {snake(unit.held)}{': int' if data or self.annotated else ''} = {number}{wrong}")
        fields = [use for use in unit.uses if use.how == "field"]
        made = [f"self.{snake(use.unit.words)} = {self._said(unit, use.unit)}()" for use in fields]
        if data:
            said = [(snake(use.unit.words), self._said(unit, use.unit)) for use in fields]
            lines += [f"    {name}: {kind} = field(default_factory={kind})" for name, kind in said]
            made = []
        made += [f"self._step = {self._value(unit, unit.stores, str(self.story.amount))}"] if unit.stores else []
        if base and ((data and base.unit.style % 2) or (made and not data)):
            made.insert(0, "super().__init__()")
        if made:
            lines += [
                "",
                f"    def {'__post_init__' if data else '__init__'}(self) -> None:",
                *(f"        {line}" for line in made),
            ]
        if unit.body:
            lines += ["", f"    def {snake(unit.accessor)}(self){' -> int' if self.annotated else ''}:"]
            lines += self.tongue.block(unit.body, 2, self._context(unit, sound))
        for method in (each for each in unit.module.units if each.owner is unit):
            lines += ["", *(f"    {line}" for line in self._function(method, sound))]
        return lines

    # ---- tests ----

    def _tests(self, imports: dict[str, list[str]]) -> dict[str, list[str]]:
        files: dict[str, list[str]] = {}
        for path, lines in imports.items():
            files[path] = [*lines]
        for unit in self.story.tested:
            path = f"{self.tests}/test_{unit.module.folder[-1]}.py"
            amount = 3 + unit.style % 40
            files[path] += ["", "", f"def test_{snake(unit.words)}():", f"    assert {name_of(unit)}({amount}) > 0"]
        files[self._test_path()] += ["", "", *self._failing_test()]
        for folder in {self.tests, "tests"}:
            files[f"{folder}/__init__.py"] = [""]
        return dict(sorted(files.items()))

    def _failing_test(self) -> list[str]:
        story, called, frame = self.story, self.story.called, MARK + "test"
        asked = (
            self._call(None, called, str(story.amount))
            if called.kind != "record"
            else f"{self.names[None, called]}().{snake(called.accessor)}()"
        )
        if called.kind == "constant":
            asked = self.names[None, called] + _entry(called)
        head = f"def {snake(story.test)}():{MARK}def:test"
        if story.mode == "mismatch":
            return [head, f"    found = {asked}", f"    assert found == {story.expected}{frame}"]
        return [head, f"    assert {asked} > 0{frame}"]


def _own(line: str, unit: Unit) -> str:
    """The mark of a frame, told apart by its function."""
    return line.replace(f"{MARK}frame", f"{MARK}frame:{snake(unit.words)}")


def _entry(unit: Unit) -> str:
    return f'["{unit.key}"]' if unit.table else ""


def _alias(unit: Unit) -> str:
    words = (*unit.words[1:], unit.words[0])
    return {"constant": shout, "record": pascal}.get(unit.kind, snake)(words)
