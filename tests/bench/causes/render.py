"""From a story to files: what all languages share in printing, and how places in the text are found again.

A printed line may end with a mark; `finish` takes the marks away and tells where they stood. So no line number is
counted by hand anywhere.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.bench.causes.model import Expr, Module, Statement, Story, Unit, Use
from tests.bench.causes.words import snake

MARK = "\x01"
ROOT = "\x02"
"""Stands in an output for the folder the project lies in."""


@dataclass(frozen=True)
class Place:
    """Where a symbol is defined."""

    path: str
    line: int
    symbol: str
    text: str


@dataclass(frozen=True)
class Frame:
    """One step of a traceback; the line is the one being run."""

    path: str
    line: int
    function: str
    text: str


@dataclass(frozen=True)
class Case:
    """A project, its failure and the truth about it."""

    family: str
    seed: int
    hops: int
    links: tuple[str, ...]
    """What each hop is, from the symptom on: `function -call-> record`."""
    way: str
    mode: str
    style: str
    files: Mapping[str, str]
    repaired: Mapping[str, str]
    """The cause's file as it should be."""
    output: str
    frames: tuple[Frame, ...]
    symptom: Place
    cause: Place
    wrong: int
    """The line in the cause's file that is wrong."""
    decoy: Place
    edges: tuple[tuple[str, str], ...]
    """The whole graph of the story, `PATH#SYMBOL` leaning on `PATH#SYMBOL`."""
    test: str
    """The failing test as its runner knows it."""
    command: tuple[str, ...]

    def said(self, root: str) -> str:
        """What the runner printed, if the project lies in this folder."""
        return self.output.replace(ROOT, root)


@dataclass(frozen=True)
class Context:
    """What a body is printed with."""

    values: Sequence[str]
    feed: str = ""
    amount: str = "amount"
    sound: bool = False
    changed: frozenset[str] = frozenset()
    unit: Unit | None = None


class Tongue(ABC):
    """How a language says the statements of bodies."""

    indent = "    "

    def block(self, statements: Iterable[Statement], depth: int, context: Context) -> list[str]:
        return [self.indent * depth + line for statement in statements for line in self._lines(statement, context)]

    def _lines(self, statement: Statement, context: Context) -> list[str]:
        said = statement.sound if context.sound and statement.sound is not None else statement.expr
        expr = self.expr(said, context)
        mark = MARK + "wrong" if statement.sound is not None else MARK + statement.mark if statement.mark else ""
        match statement.word:
            case "let":
                return [self.let(statement.name, expr, statement.name in context.changed) + mark]
            case "add":
                return [self.add(statement.name, expr) + mark]
            case "return":
                return [self.give(expr) + mark]
            case "note":
                return [self.note(statement.name)]
            case "fail":
                return self.fail(statement.name, context)
        inner = self.block(statement.body, 1, context)
        head = self.when(expr) if statement.word == "if" else self.each(statement.name, expr)
        return [head[0] + mark, *inner, *head[1:]]

    def expr(self, expr: Expr, context: Context) -> str:
        if isinstance(expr, tuple):
            return self.of_two(expr[0], *(self.expr(part, context) for part in expr[1:]))
        said = re.sub(r"\bamount\b", context.amount, expr)
        return said.format(*context.values, feed=context.feed)

    @abstractmethod
    def let(self, name: str, expr: str, changes: bool) -> str: ...

    @abstractmethod
    def add(self, name: str, expr: str) -> str: ...

    @abstractmethod
    def give(self, expr: str) -> str: ...

    @abstractmethod
    def note(self, text: str) -> str: ...

    @abstractmethod
    def when(self, condition: str) -> list[str]:
        """The line before what is done, and those after."""

    @abstractmethod
    def each(self, name: str, count: str) -> list[str]:
        """The same for a loop."""

    @abstractmethod
    def of_two(self, name: str, *values: str) -> str:
        """`div`, `least` or `most`."""

    @abstractmethod
    def fail(self, mode: str, context: Context) -> list[str]:
        """What ends a symptom: a line that fails if `step` is zero, marked `frame`, and a return."""


def changed(statements: Iterable[Statement]) -> frozenset[str]:
    """The names that are added to somewhere."""
    found: set[str] = set()
    for statement in statements:
        found |= {statement.name} if statement.word == "add" else set()
        found |= changed(statement.body)
    return frozenset(found)


def mark(line: str, name: str, unit: Unit) -> str:
    return f"{line}{MARK}{name}:{snake(unit.words)}"


def finish(files: Mapping[str, list[str]]) -> tuple[dict[str, str], dict[str, tuple[str, int]]]:
    """The files as text, and where each mark stood."""
    texts: dict[str, str] = {}
    marks: dict[str, tuple[str, int]] = {}
    for path, lines in files.items():
        flat = "\n".join(lines).split("\n")
        for number, line in enumerate(flat, 1):
            for name in line.split(MARK)[1:]:
                marks.setdefault(name, (path, number))
        texts[path] = "\n".join(line.split(MARK)[0].rstrip() for line in flat).rstrip("\n") + "\n"
    return texts, marks


def line_of(files: Mapping[str, str], place: tuple[str, int]) -> str:
    return files[place[0]].split("\n")[place[1] - 1]


def foreign(module: Module) -> dict[Module, list[Use]]:
    """What a module names of others, by module, in the order of their places."""
    found: dict[Module, list[Use]] = {}
    for unit in module.units:
        for use in (named for each in unit.all_uses for named in names_of(each)):
            if use.unit.module is not module:
                found.setdefault(use.unit.module, []).append(use)
    return {other: found[other] for other in sorted(found, key=lambda each: each.position)}


def names_of(use: Use) -> list[Use]:
    """What has to be in sight to use something: the record of a method, and what it is to be handed."""
    handed = [Use(each.unit, "build") for each in use.unit.uses if each.how == "type"] if use.how == "call" else []
    return [Use(use.unit.owner, "build") if use.unit.owner else use, *handed]


def links(story: Story) -> tuple[str, ...]:
    """The hops of the chain in words."""
    users = [story.symptom, *story.chain] if story.symptom else [None, *story.chain]
    found = []
    for user, used in pairwise(users):
        assert used is not None
        uses = [*(user.all_uses if user else []), *(user.owner.all_uses if user and user.owner else [])]
        how = next((use.how for use in uses if use.unit is used), "call")
        found.append(f"{user.kind if user else 'test'} -{how}-> {used.kind}")
    return tuple(found)


def leaks(case: Case) -> bool:
    """Whether the output names the cause or its file."""
    name = re.escape(case.cause.symbol.rpartition(".")[2])
    base = case.cause.path.rpartition("/")[2]
    dotted = case.cause.path.rpartition(".")[0].replace("/", ".").removeprefix("src.")
    stem = re.escape(base.rpartition(".")[0])
    said = re.search(rf"\b{name}\b|\b{stem}\b::", case.output)
    return bool(said) or base in case.output or dotted in case.output
