"""A module of the made-up project as source text, with the lines that a traceback would name."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.bench.asking.tree import Kind, Module, Ref, Routine, Tree
from tests.bench.asking.words import NOUNS


@dataclass(slots=True)
class Place:
    """Where a routine stands; lines are counted from 1."""

    first: int
    last: int = 0
    calls: dict[Ref, int] = field(default_factory=dict)
    """What it calls, and in which line."""
    ends: int = 0
    """The line in which it can go wrong by itself."""


@dataclass(slots=True)
class Printed:
    lines: list[str]
    places: dict[str, Place]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def printed(tree: Tree, module: Module) -> Printed:
    """The module as it is now."""
    page = Printed([f'"""What {_title(module)} are made of."""', ""], {})
    page.lines += [*_imports(tree, module), ""]
    page.lines += [f"{name} = {value}" for name, value in module.constants]
    for routine in module.routines:
        page.lines += ["", ""]
        _put(tree, module, page, routine.name, routine, "")
    for kind in module.kinds:
        page.lines += ["", ""]
        _put_kind(tree, module, page, kind)
    return page


def _imports(tree: Tree, module: Module) -> list[str]:
    wanted: dict[int, dict[str, None]] = {}
    for _, routine in module.callables():
        for ref in routine.calls:
            if ref.module != module.number and ref.module in tree.modules:
                wanted.setdefault(ref.module, {})[ref.name.partition(".")[0]] = None
    rows = [(_dotted(tree.modules[number].path), ", ".join(sorted(names))) for number, names in wanted.items()]
    return [f"from {path} import {names}" for path, names in sorted(rows)]


def _put_kind(tree: Tree, module: Module, page: Printed, kind: Kind) -> None:
    page.lines += [f"class {kind.name}:", f'    """Keeps its {NOUNS[kind.salt % 24]}."""', ""]
    page.lines += ["    def __init__(self, first):", "        self.first = first"]
    for method in kind.methods:
        page.lines.append("")
        _put(tree, module, page, f"{kind.name}.{method.name}", method, "    ")


def _put(tree: Tree, module: Module, page: Printed, name: str, routine: Routine, deep: str) -> None:
    place = page.places[name] = Place(len(page.lines) + 1)
    arguments = ", ".join((["self"] if deep else []) + routine.arguments)
    given = routine.arguments[0] if routine.arguments else "3"
    page.lines += [f"{deep}def {routine.name}({arguments}):", f'{deep}    """{_told(routine)}"""']
    page.lines.append(f"{deep}    total = {given} * {routine.salt % 89 + 2}")
    for at, ref in enumerate(routine.calls):
        if ref.module in tree.modules:
            page.lines.append(f"{deep}    part_{at} = {_call(ref, given)}")
            place.calls[ref] = len(page.lines)
            page.lines.append(f"{deep}    total += part_{at}")
    for at in range(routine.salt % 4):
        page.lines.append(f"{deep}    total -= {routine.salt // (at + 5) % 97}")
    if module.constants and routine.salt % 2:
        constant = module.constants[routine.salt % len(module.constants)][0]
        page.lines += [f"{deep}    if total > {constant}:", f"{deep}        total = {constant}"]
    page.lines.append(f"{deep}    assert total" if module.is_test else f"{deep}    return total")
    place.ends = place.last = len(page.lines)


def _call(ref: Ref, given: str) -> str:
    owner, dot, name = ref.name.rpartition(".")
    return f"{owner}({given}).{name}({given})" if dot else f"{name}({given})"


def _told(routine: Routine) -> str:
    noun = NOUNS[routine.salt // 7 % len(NOUNS)]
    return f"{routine.name.replace('_', ' ').capitalize()}, as its {noun} asks." + " Twice." * (routine.salt // 3 % 3)


def _title(module: Module) -> str:
    return module.path.rpartition("/")[2].removesuffix(".py").replace("_", " ")


def _dotted(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")
