"""Made-up TypeScript and JavaScript projects: barrels, aliases, namespaces, default exports, path mappings, workspaces.

Three dialects: TypeScript, JavaScript with modules, JavaScript with `require`. Only the first has types to lean on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from os.path import relpath
from random import Random

from tests.bench.causes import typescript_files, typescript_output
from tests.bench.causes.model import Module, Statement, Story, Unit, Use
from tests.bench.causes.project import Project, Told, first_that_keeps_quiet
from tests.bench.causes.render import MARK, Case, Context, Frame, changed, foreign, mark
from tests.bench.causes.story import Traits
from tests.bench.causes.tongues import EcmaScript
from tests.bench.causes.words import camel, pascal, shout, snake

IDIOMS = ("named", "named", "named", "alias", "namespace", "barrel", "barrel", "mapped", "mapped")


def make(seed: int) -> Case:
    dialect = Random(f"dialect:{seed}").choice(("ts", "ts", "ts", "mjs", "cjs"))
    traits = Traits(typed=dialect == "ts")
    return first_that_keeps_quiet("typescript", seed, traits, partial(_Project, dialect=dialect))


class _Project(Project):
    family = "typescript"

    def __init__(self, story: Story, rng: Random, dialect: str) -> None:
        super().__init__(story, rng)
        self.dialect, self.typed = dialect, dialect == "ts"
        self.tongue = EcmaScript(self.typed)
        self.suffix = ".ts" if self.typed else ".js"
        self.runner = rng.choice(
            {"ts": ("jest", "vitest"), "mjs": ("vitest", "node"), "cjs": ("jest", "node")}[dialect]
        )
        self.workspace = rng.random() < 0.25
        self.scope = rng.choice(("@acme", "@orbit", "@fjord"))
        self.mapped = rng.choice(("@/", "~/", "@app/")) if self.typed and not self.workspace else ""
        self.spelled = rng.random() < 0.5 or dialect == "mjs"
        """Imports end in `.js`, as the standard wants."""
        cut = max(1, len(self.folders) // 2)
        self.core = set(self.folders[:cut]) if self.workspace else set()
        self.barrels = self.core | {folder for folder in self.folders if rng.random() < 0.5}
        self.defaults = {self._default(module) for module in story.modules} - {None}
        self.inline = rng.random() < 0.8
        self.typed_only: set[tuple[Module, Unit]] = set()

    def prepare(self) -> None:
        self.imports = {module: self._imports(module) for module in self.story.modules}
        self.test_imports = [
            self._import(self.rng.choice(("named", "alias", "barrel")), None, unit) for unit in self._needed_by_test()
        ]

    def _default(self, module: Module) -> Unit | None:
        """What a module exports as its default: sometimes its only class or function."""
        units = [unit for unit in module.units if unit.kind in ("function", "record")]
        return units[-1] if units and units[-1].style % 6 == 0 and self.dialect != "cjs" else None

    def _needed_by_test(self) -> list[Unit]:
        called = self.story.called
        return [called.owner or called, *(use.unit for use in called.uses if use.how == "type")]

    # ---- where things are ----

    def base(self, folder: tuple[str, ...]) -> str:
        if not self.workspace:
            return "src"
        return f"packages/{'core' if folder in self.core else 'app'}/src"

    def path(self, module: Module) -> str:
        return f"{self.base(module.folder)}/{'/'.join(module.folder)}/{module.stem.replace('_', '-')}{self.suffix}"

    def symbol(self, unit: Unit) -> str:
        return f"{pascal(unit.owner.words)}.{camel(unit.words)}" if unit.owner else _name(unit)

    def called_as(self, unit: Unit) -> str:
        return f"{pascal(unit.owner.words)}.{camel(unit.words)}" if unit.owner else _name(unit)

    def test_name(self) -> str:
        return f"{' '.join(self.story.test[1:-1])} {self.story.test[-1]}"

    def test_path(self) -> str:
        module = self.story.called.module
        return (
            f"{self.base(module.folder)}/{'/'.join(module.folder)}/{'-'.join(self.story.test[1:3])}.test{self.suffix}"
        )

    def told(self, files: Mapping[str, str], frames: Sequence[Frame]) -> Told:
        return typescript_output.told(self.story, self.rng, files, frames, self.runner)

    # ---- imports ----

    def _imports(self, module: Module) -> list[str]:
        lines = []
        for other, uses in foreign(module).items():
            for unit in dict.fromkeys(use.unit for use in uses):
                idiom = self.rng.choice(IDIOMS)
                if self.typed and all(use.how == "type" for use in uses if use.unit is unit):
                    idiom = self.rng.choice(("type", "named"))
                lines.append(self._import(idiom, module, unit))
            del other
        return sorted(dict.fromkeys(lines))

    def _import(self, idiom: str, module: Module | None, unit: Unit) -> str:
        """The line that brings a unit into a module (None: into the failing test)."""
        other, name = unit.module, _name(unit)
        here = module.folder if module else self.story.called.module.folder
        whole, where = self._where(idiom, here, module, other)
        if unit in self.defaults and not whole:
            said = name if idiom != "alias" else _alias(unit)
            self.names[module, unit] = said
            if idiom == "namespace":
                self.names[module, unit] = f"{self._space(other)}.default"
                return f'import * as {self._space(other)} from "{where}";'
            return f'import {said} from "{where}";'
        match idiom:
            case "alias":
                self.names[module, unit] = _alias(unit)
                pair = f"{name}: {_alias(unit)}" if self.dialect == "cjs" else f"{name} as {_alias(unit)}"
                return self._bring(f"{{ {pair} }}", where)
            case "namespace":
                self.names[module, unit] = f"{self._space(other)}.{name}"
                return self._bring(self._space(other), where, True)
        self.names[module, unit] = name
        return self._bring(f"{'type ' if idiom == 'type' else ''}{{ {name} }}", where)

    def _bring(self, what: str, where: str, space: bool = False) -> str:
        if self.dialect == "cjs":
            return f'const {what} = require("{where}");'
        return f'import {"* as " if space else ""}{what} from "{where}";'

    def _space(self, module: Module) -> str:
        return camel((module.folder[-1], *module.stem.split("_")))

    def _where(self, idiom: str, here: tuple[str, ...], module: Module | None, other: Module) -> tuple[bool, str]:
        """What stands between the quotes; and whether it is a barrel."""
        ending = self.suffix.replace(".ts", ".js") if self.spelled and self.dialect != "cjs" else ""
        stem = other.stem.replace("_", "-")
        if self.workspace and other.folder in self.core and here not in self.core:
            return True, f"{self.scope}/core"
        barrel = idiom == "barrel" and other.folder in self.barrels and other.folder != here
        if idiom == "mapped" and self.mapped:
            return False, f"{self.mapped}{'/'.join(other.folder)}/{stem}"
        target = "/".join((self.base(other.folder), *other.folder, *(() if barrel else (stem,))))
        start = "/".join((self.base(here), *here))
        near = relpath(target, start)
        near = near if near.startswith(".") else f"./{near}"
        if barrel:
            return True, f"{near}/index{ending}" if ending else near
        return False, near + ending

    # ---- files ----

    def files(self, sound: bool) -> dict[str, list[str]]:
        files = dict(typescript_files.settings(self))
        for module in self.story.modules:
            lines: list[str] = []
            for unit in (each for each in module.units if each.kind != "method"):
                lines += [*self._unit(unit, sound), ""]
            listed = [_name(unit) for unit in module.units if unit.kind != "method" and unit not in self.defaults]
            if self.dialect == "cjs":
                lines.append(f"module.exports = {{ {', '.join(listed)} }};")
            elif not self.inline and listed:
                lines.append(f"export {{ {', '.join(listed)} }};")
            strict = ['"use strict";', ""] if self.dialect == "cjs" else []
            files[self.path(module)] = [*strict, *self.imports[module], *([""] if self.imports[module] else []), *lines]
        for folder in self.folders:
            if folder in self.barrels:
                path = f"{self.base(folder)}/{'/'.join(folder)}/index{self.suffix}"
                files[path] = typescript_files.barrel(self, folder)
        if self.workspace:
            files[f"packages/core/src/index{self.suffix}"] = typescript_files.front(self)
        return files | typescript_files.tests(self) | {self.test_path(): self._failing_test()}

    def _export(self, unit: Unit) -> str:
        if self.dialect == "cjs":
            return ""
        return "export default " if unit in self.defaults else "export " if self.inline else ""

    def _unit(self, unit: Unit, sound: bool) -> list[str]:
        doc = [f"/** {unit.doc} */"] if unit.doc else []
        if unit.table:
            wrong = MARK + "wrong"
            lines = [f"  {name}: {number},{wrong if bad else ''}" for name, number, bad in unit.entries(sound)]
            return [mark(f"{self._export(unit)}const {_name(unit)} = {{", "def", unit), *lines, "};"]
        if unit.kind == "constant":
            value = "0" if unit.broken and not sound else str(unit.literal)
            value = self.tongue.expr(unit.expr, self._context(unit, sound)) if unit.expr else value
            said = ": number" if self.typed and unit.style % 2 else ""
            line = mark(f"{self._export(unit)}const {_name(unit)}{said} = {value};", "def", unit)
            return [line + (MARK + "wrong" if unit.broken else "")]
        return doc + (self._record(unit, sound) if unit.kind == "record" else self._function(unit, sound))

    def _context(self, unit: Unit, sound: bool) -> Context:
        amount = {"record": f"this.{camel(unit.held)}", "constant": str(unit.literal)}.get(unit.kind, "amount")
        values = [self._value(unit, use, amount) for use in unit.uses]
        return Context(values, self._feed(unit, values), amount, sound, changed(unit.body), unit)

    def _feed(self, unit: Unit, values: list[str]) -> str:
        owner, way = unit.owner, self.story.way
        if owner is None or way == "direct":
            return values[0] if values else ""
        if way == "stored":
            return "this.step"
        used = owner.uses[0].unit
        return f"this{f'.{camel(used.words)}' if way == 'field' else ''}.{camel(used.accessor)}()"

    def _said(self, module: Module | None, unit: Unit) -> str:
        return self.names.get((module, unit), _name(unit))

    def _value(self, unit: Unit, use: Use, amount: str) -> str:
        other = use.unit
        asked = f".{camel(other.accessor)}()"
        match use.how:
            case "read":
                return self._said(unit.module, other) + _entry(other)
            case "type":
                return camel(other.words) + asked
            case "base":
                return f"this{asked}"
            case "field":
                return f"this.{camel(other.words)}{asked}"
            case "build":
                return f"new {self._said(unit.module, other)}(){asked}"
        return self.call(unit.module, other, amount)

    def call(self, module: Module | None, other: Unit, amount: str) -> str:
        handed = [f"new {self._said(module, use.unit)}()" for use in other.uses if use.how == "type"]
        if other.owner:
            return f"new {self._said(module, other.owner)}().{camel(other.words)}({amount})"
        return f"{self._said(module, other)}({', '.join((*handed, amount))})"

    def _function(self, unit: Unit, sound: bool) -> list[str]:
        typed = [
            f"{camel(u.unit.words)}{f': {self._said(unit.module, u.unit)}' if self.typed else ''}"
            for u in unit.uses
            if u.how == "type"
        ]
        arguments = ", ".join((*typed, "amount: number" if self.typed else "amount"))
        back = ": number" if self.typed else ""
        head = f"{self._export(unit)}function {_name(unit)}({arguments}){back} {{"
        if unit.owner:
            head = f"{camel(unit.words)}({arguments}){back} {{"
        elif unit.style % 5 == 1 and unit not in self.defaults:
            head = f"{self._export(unit)}const {_name(unit)} = ({arguments}){back} => {{"
        context = self._context(unit, sound)
        *before, last = unit.body
        if last.word == "fail":
            told = Context(context.values, self.story.message, unit=unit)
            body = self.tongue.block(before, 1, context) + self.tongue.block([Statement("fail", last.name)], 1, told)
        else:
            body = self.tongue.block(unit.body, 1, context)
        body = [line.replace(f"{MARK}frame", f"{MARK}frame:{snake(unit.words)}") for line in body]
        return [mark(head, "def", unit), *body, "};" if "=> {" in head else "}"]

    def _record(self, unit: Unit, sound: bool) -> list[str]:
        base, number = unit.base(), ": number" if self.typed else ""
        extends = f" extends {self._said(unit.module, base.unit)}" if base else ""
        lines = [mark(f"{self._export(unit)}class {_name(unit)}{extends} {{", "def", unit)]
        held = "0" if unit.broken and not sound else str(unit.literal)
        lines.append(f"  {camel(unit.held)}{number} = {held};{MARK + 'wrong' if unit.broken else ''}")
        for use in (each for each in unit.uses if each.how == "field"):
            said = self._said(unit.module, use.unit)
            lines.append(f"  {camel(use.unit.words)}{f': {said}' if self.typed else ''} = new {said}();")
        if unit.stores:
            lines.append(f"  {'private readonly ' if self.typed else ''}step{number};")
            made = f"this.step = {self._value(unit, unit.stores, str(self.story.amount))};"
            lines += ["", "  constructor() {", *(["    super();"] if base else []), f"    {made}", "  }"]
        if unit.body:
            body = self.tongue.block(unit.body, 2, self._context(unit, sound))
            lines += ["", f"  {camel(unit.accessor)}(){number} {{", *body, "  }"]
        for method in (each for each in unit.module.units if each.owner is unit):
            lines += ["", *(f"  {line}" for line in self._function(method, sound))]
        return [*lines, "}"]

    # ---- the failing test ----

    def _failing_test(self) -> list[str]:
        story, called = self.story, self.story.called
        asked = self.call(None, called, str(story.amount))
        if called.kind == "record":
            asked = f"new {self._said(None, called)}().{camel(called.accessor)}()"
        elif called.kind == "constant":
            asked = self._said(None, called) + _entry(called)
        if story.mode == "mismatch":
            inner = [
                f"const found = {asked};",
                typescript_files.expect(self, "found", str(story.expected)) + MARK + "test",
            ]
        else:
            inner = [f"const found = {asked};{MARK}test", typescript_files.expect(self, "found > 0", "true")]
        head = [*typescript_files.runner_imports(self), *dict.fromkeys(self.test_imports), ""]
        return [*head, f'test("{self.test_name()}", () => {{{MARK}def:test', *(f"  {line}" for line in inner), "});"]


def _name(unit: Unit) -> str:
    if unit.kind == "constant" and unit.style % 3:
        return shout(unit.words)
    return pascal(unit.words) if unit.kind == "record" else camel(unit.words)


def _entry(unit: Unit) -> str:
    return f".{unit.key}" if unit.table else ""


def _alias(unit: Unit) -> str:
    words = (*unit.words[1:], unit.words[0])
    return pascal(words) if unit.kind == "record" else camel(words)
