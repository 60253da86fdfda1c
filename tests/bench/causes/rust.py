"""Made-up Rust crates and workspaces: module trees, `use` in every shape, re-exports, traits with default methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tests.bench.causes import rust_output
from tests.bench.causes.model import Module, Statement, Story, Unit, Use
from tests.bench.causes.project import Project, Told, first_that_keeps_quiet
from tests.bench.causes.render import MARK, Case, Context, Frame, changed, foreign, mark
from tests.bench.causes.rust_files import manifests, module_files
from tests.bench.causes.story import Traits
from tests.bench.causes.tongues import Rust
from tests.bench.causes.words import PLAIN_STEMS, pascal, shout, snake

TRAITS = Traits(constant_calls=False, bases_are_traits=True, literal_in_record=False)
IDIOMS = ("crate", "crate", "crate", "super", "super", "alias", "module", "barrel", "barrel", "inline", "glob")


def make(seed: int) -> Case:
    return first_that_keeps_quiet("rust", seed, TRAITS, _Project)


class _Project(Project):
    family = "rust"

    def __init__(self, story: Story, rng: Random) -> None:
        super().__init__(story, rng)
        self.tongue = Rust()
        self.crate = rng.choice(("acme", "orbit", "fjord", "tundra")) + rng.choice(("", "_ops", "_lib"))
        cut = max(1, len(self.folders) // 2)
        self.core = set(self.folders[:cut]) if rng.random() < 0.3 else set()
        """The folders that make a crate of their own, on which the other one leans."""
        self.old_tree = rng.random() < 0.6
        """`a/mod.rs`, not `a.rs`."""
        self.barrels = {folder: rng.choice(("names", "globs")) for folder in self.folders if rng.random() < 0.5}
        self.outside = story.mode == "mismatch" or rng.random() < 0.4
        """The failing test stands in `tests/`, and not in the file it tries."""

    def prepare(self) -> None:
        self.imports = {module: self._imports(module) for module in self.story.modules}
        self.test_imports: list[str] = []
        called = self.story.called
        for unit in [called.owner or called, *(use.unit for use in called.uses if use.how == "type")]:
            if self.outside:
                path = "::".join((self.crate_of(called.module), *unit.module.folder, unit.module.stem, _name(unit)))
                if self.crate_of(unit.module) != self.crate_of(called.module):
                    path = "::".join((self.crate_of(unit.module), *unit.module.folder, unit.module.stem, _name(unit)))
                self.test_imports.append(f"use {path};")
            self.names[None, unit] = _name(unit) if self.outside else self._said(called.module, unit)

    # ---- where things are ----

    def crate_of(self, module: Module) -> str:
        return f"{self.crate}_core" if module.folder in self.core else self.crate

    def home(self, folder: tuple[str, ...]) -> str:
        """The folder of the crate that a folder of modules belongs to."""
        return "" if not self.core else f"crates/{'core' if folder in self.core else 'app'}/"

    def path(self, module: Module) -> str:
        return f"{self.home(module.folder)}src/{'/'.join(module.folder)}/{module.stem}.rs"

    def symbol(self, unit: Unit) -> str:
        return f"{pascal(unit.owner.words)}.{snake(unit.words)}" if unit.owner else _name(unit)

    def called_as(self, unit: Unit) -> str:
        inner = (pascal(unit.owner.words), snake(unit.words)) if unit.owner else (snake(unit.words),)
        return "::".join((self.crate_of(unit.module), *unit.module.folder, unit.module.stem, *inner))

    def test_name(self) -> str:
        name = snake(self.story.test[1:])
        module = self.story.called.module
        return name if self.outside else "::".join((*module.folder, module.stem, "tests", name))

    def told(self, files: Mapping[str, str], frames: Sequence[Frame]) -> Told:
        module = self.story.called.module
        crate = self.crate_of(module)
        passing = [u for u in self.story.tested if not self.outside and self.crate_of(u.module) == crate]
        names = ["::".join((*u.module.folder, u.module.stem, "tests", snake(u.words))) for u in passing]
        target = f"--test {snake(self.story.test[1:3])}" if self.outside else "--lib"
        run = rust_output.Run(crate, "" if not self.core else self.home(module.folder), target, names)
        return rust_output.told(self.story, self.rng, frames, run)

    # ---- imports ----

    def _imports(self, module: Module) -> list[str]:
        plain: list[str] = []
        grouped: dict[str, list[str]] = {}
        for other, uses in foreign(module).items():
            for unit in dict.fromkeys(use.unit for use in uses):
                idiom = self.rng.choice(IDIOMS)
                if unit.abstract and idiom in ("inline", "module"):
                    idiom = "crate"
                top = "crate" if self.crate_of(other) == self.crate_of(module) else self.crate_of(other)
                where, what, said = self._import(idiom, top, module, other, unit)
                self.names[module, unit] = said
                if what in ("*", "") or idiom == "super":
                    plain += [f"use {where}{'::' + what if what else ''};"] if where else []
                else:
                    grouped.setdefault(where, []).append(what)
        for where, names in grouped.items():
            names = list(dict.fromkeys(names))
            plain.append(
                f"use {where}::{names[0]};" if len(names) == 1 else f"use {where}::{{{', '.join(sorted(names))}}};"
            )
        return sorted(dict.fromkeys(plain))

    def _import(self, idiom: str, top: str, module: Module, other: Module, unit: Unit) -> tuple[str, str, str]:
        """Where from, what, and how it is said then."""
        name = _name(unit)
        folder = "::".join((top, *other.folder))
        where = f"{folder}::{other.stem}"
        match idiom:
            case "super" if top == "crate":
                shared = 0
                while other.folder[shared : shared + 1] == module.folder[shared : shared + 1] and shared < len(
                    module.folder
                ):
                    shared += 1
                up = ["super"] * (len(module.folder) - shared + 1)
                return "::".join((*up, *other.folder[shared:], other.stem)), name, name
            case "alias":
                return where, f"{name} as {_alias(unit)}", _alias(unit)
            case "module" if other.stem not in PLAIN_STEMS:
                return folder, other.stem, f"{other.stem}::{name}"
            case "module":
                said = f"{other.folder[-1]}_{other.stem}"
                return folder, f"{other.stem} as {said}", f"{said}::{name}"
            case "barrel" if other.folder in self.barrels:
                return folder, name, name
            case "inline":
                return "", "", f"{where}::{name}"
            case "glob":
                return where, "*", name
        return where, name, name

    # ---- files ----

    def files(self, sound: bool) -> dict[str, list[str]]:
        files = manifests(self) | module_files(self)
        for module in self.story.modules:
            lines = [
                f"//! {module.stem.replace('_', ' ').capitalize()} of {module.folder[-1]}.",
                "",
                *self.imports[module],
                "",
            ]
            for unit in (each for each in module.units if each.kind != "method"):
                lines += [*self._unit(unit, sound), ""]
            files[self.path(module)] = lines + self._tests(module)
        if self.outside:
            place = f"{self.home(self.story.called.module.folder)}tests/{snake(self.story.test[1:3])}.rs"
            files[place] = [*self.test_imports, "", *self._failing_test("")]
        return files

    def _unit(self, unit: Unit, sound: bool) -> list[str]:
        doc = [f"/// {unit.doc}"] if unit.doc else []
        if unit.table:
            wrong = MARK + "wrong"
            lines = [f"    {number}, // {name}{wrong if bad else ''}" for name, number, bad in unit.entries(sound)]
            head = mark(f"pub const {_name(unit)}: [i64; {len(unit.table)}] = [", "def", unit)
            return [*doc, head, *lines, "];"]
        if unit.kind == "constant":
            value = "0" if unit.broken and not sound else str(unit.literal)
            value = self.tongue.expr(unit.expr, self._context(unit, sound)) if unit.expr else value
            line = mark(f"pub const {_name(unit)}: i64 = {value};", "def", unit)
            return [*doc, line + (MARK + "wrong" if unit.broken else "")]
        if unit.kind == "function":
            return [*doc, *self._function(unit, sound)]
        return doc + (self._trait(unit, sound) if unit.abstract else self._record(unit, sound))

    def _context(self, unit: Unit, sound: bool) -> Context:
        amount = {"record": f"self.{snake(unit.held)}", "constant": str(unit.literal)}.get(unit.kind, "amount")
        amount = str(unit.literal) if unit.abstract else amount
        values = [self._value(unit, use, amount) for use in unit.uses]
        return Context(values, self._feed(unit, values), amount, sound, changed(unit.body), unit)

    def _feed(self, unit: Unit, values: list[str]) -> str:
        owner, way = unit.owner, self.story.way
        if owner is None or way == "direct":
            return values[0] if values else ""
        if way == "stored":
            return "self.step"
        used = owner.uses[0].unit
        return f"self{f'.{snake(used.words)}' if way == 'field' else ''}.{snake(used.accessor)}()"

    def _said(self, module: Module | None, unit: Unit) -> str:
        return self.names.get((module, unit), _name(unit))

    def _value(self, unit: Unit, use: Use, amount: str) -> str:
        other = use.unit
        asked = f".{snake(other.accessor)}()"
        match use.how:
            case "read":
                return self._said(unit.module, other) + _entry(other)
            case "type":
                return snake(other.words) + asked
            case "base":
                return f"self{asked}"
            case "field":
                return f"self.{snake(other.words)}{asked}"
            case "build":
                return f"{self._said(unit.module, other)}::new(){asked}"
        return self._call(unit.module, other, amount)

    def _call(self, module: Module | None, other: Unit, amount: str) -> str:
        handed = [f"&{self._said(module, use.unit)}::new()" for use in other.uses if use.how == "type"]
        if other.owner:
            return f"{self._said(module, other.owner)}::new().{snake(other.words)}({amount})"
        return f"{self._said(module, other)}({', '.join((*handed, amount))})"

    def _function(self, unit: Unit, sound: bool) -> list[str]:
        typed = [f"{snake(u.unit.words)}: &{self._said(unit.module, u.unit)}" for u in unit.uses if u.how == "type"]
        arguments = ", ".join((*(["&self"] if unit.owner else []), *typed, "amount: i64"))
        context = self._context(unit, sound)
        *before, last = unit.body
        if last.word == "fail":
            told = Context(context.values, self.story.message, unit=unit)
            body = self.tongue.block(before, 1, context) + self.tongue.block([Statement("fail", last.name)], 1, told)
        else:
            body = self.tongue.block(unit.body, 1, context)
        body = [line.replace(f"{MARK}frame", f"{MARK}frame:{snake(unit.words)}") for line in body]
        return [mark(f"pub fn {snake(unit.words)}({arguments}) -> i64 {{", "def", unit), *_tail(body), "}"]

    def _trait(self, unit: Unit, sound: bool) -> list[str]:
        body = self.tongue.block(unit.body, 2, self._context(unit, sound))
        head = mark(f"pub trait {_name(unit)} {{", "def", unit)
        return [head, f"    fn {snake(unit.accessor)}(&self) -> i64 {{", *_tail(body), "    }", "}"]

    def _record(self, unit: Unit, sound: bool) -> list[str]:
        name, bases = _name(unit), [use for use in unit.uses if use.how == "base"]
        fields, made = [f"pub {snake(unit.held)}: i64,"], [f"{snake(unit.held)}: {unit.literal},"]
        for use in (each for each in unit.uses if each.how == "field"):
            said = self._said(unit.module, use.unit)
            fields.append(f"{snake(use.unit.words)}: {said},")
            made.append(f"{snake(use.unit.words)}: {said}::new(),")
        if unit.stores:
            fields.append("step: i64,")
            made.append(f"step: {self._value(unit, unit.stores, str(self.story.amount))},")
        lines = ["#[derive(Debug, Clone)]", mark(f"pub struct {name} {{", "def", unit)]
        lines += [
            *(f"    {line}" for line in fields),
            "}",
            "",
            f"impl {name} {{",
            "    pub fn new() -> Self {",
            "        Self {",
        ]
        lines += [*(f"            {line}" for line in made), "        }", "    }"]
        if unit.body:
            body = self.tongue.block(unit.body, 2, self._context(unit, sound))
            lines += ["", f"    pub fn {snake(unit.accessor)}(&self) -> i64 {{", *_tail(body), "    }"]
        for method in (each for each in unit.module.units if each.owner is unit):
            lines += ["", *(f"    {line}" for line in self._function(method, sound))]
        lines.append("}")
        for use in bases:
            lines += ["", f"impl {self._said(unit.module, use.unit)} for {name} {{}}"]
        if unit.style % 2:
            lines += [
                "",
                f"impl Default for {name} {{",
                "    fn default() -> Self {",
                "        Self::new()",
                "    }",
                "}",
            ]
        return lines

    # ---- tests ----

    def _tests(self, module: Module) -> list[str]:
        lines: list[str] = []
        for unit in (each for each in self.story.tested if each.module is module):
            asked = f"{snake(unit.words)}({3 + unit.style % 40}) > 0"
            lines += ["#[test]", f"fn {snake(unit.words)}_is_positive() {{", f"    assert!({asked});", "}", ""]
        if module is self.story.called.module and not self.outside:
            lines += self._failing_test(" " * 4)
        if not lines:
            return []
        return ["#[cfg(test)]", "mod tests {", "    use super::*;", "", *(f"    {line}" for line in lines), "}"]

    def _failing_test(self, deeper: str) -> list[str]:
        story, called = self.story, self.story.called
        asked = self._call(None, called, str(story.amount))
        if called.kind == "record":
            asked = f"{self._said(None, called)}::new().{snake(called.accessor)}()"
        elif called.kind == "constant":
            asked = self._said(None, called) + _entry(called)
        del deeper
        head = ["#[test]", f"fn {snake(story.test[1:])}() {{{MARK}def:test"]
        if story.mode == "mismatch":
            return [*head, f"    let found = {asked};", f"    assert_eq!(found, {story.expected});{MARK}test", "}"]
        return [*head, f"    let found = {asked};{MARK}test", "    assert!(found > 0);", "}"]


def _tail(body: list[str]) -> list[str]:
    """The last value without `return`, as is the custom."""
    *before, last = body
    text, *marks = last.split(MARK)
    if text.lstrip().startswith("return "):
        text = text.replace("return ", "", 1).removesuffix(";")
    return [*before, MARK.join((text, *marks))]


def _name(unit: Unit) -> str:
    return {"constant": shout, "record": pascal}.get(unit.kind, snake)(unit.words)


def _entry(unit: Unit) -> str:
    return f"[{len(unit.table) // 2}]" if unit.table else ""


def _alias(unit: Unit) -> str:
    words = (*unit.words[1:], unit.words[0])
    return {"constant": shout, "record": pascal}.get(unit.kind, snake)(words)
