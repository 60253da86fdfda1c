"""A query as a tree of frozen values, and how each is spelled: what is printed reads back as the same tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ccos_core.text.boolean import Every, Some, Without, quoted, spell, spell_inside

BEFORE, AFTER, UNTIL, NEAREST = "before", "after", "until", "nearest"
RELATIVES = (BEFORE, AFTER, UNTIL, NEAREST)
BARE = re.compile(r"[^\s()|,\"'/@=~<>!][^\s()|,\"]*")
"""A value that needs no quotes."""


@dataclass(frozen=True, slots=True)
class Relative:
    """Where steps lie to those at which something holds."""

    word: str
    """One of `RELATIVES`."""

    part: Tree


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a step is or isn't."""

    name: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure or a name of a step, compared with what was said."""

    name: str
    mark: str
    """`=`, `!=`, `~`, `>`, `>=`, `<`, `<=`."""

    values: tuple[str, ...]
    """Any of which may fit; of those that are ordered there is one."""


@dataclass(frozen=True, slots=True)
class Text:
    """Something a step's own texts say."""

    said: str
    is_pattern: bool


@dataclass(frozen=True, slots=True)
class Span:
    """Steps by number, both ends in; nothing is as far as there are any."""

    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Times:
    """Steps by time, both ends in, as they were said: `12m`, `2026-11-21`; nothing is as far as there are any."""

    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class OfNode:
    """What is said of a node at a step."""

    word: str
    node: str
    """As it was said."""

    budget: int | None
    """Of the window, where it is another one than the question's."""


Tree: TypeAlias = Every | Some | Without | Relative | Flag | Compared | Text | Span | Times | OfNode


@dataclass(frozen=True, slots=True)
class Pipe:
    """What becomes of the steps that were found."""

    word: str
    about: str = ""
    """By what they are counted, or how many are taken."""


@dataclass(frozen=True, slots=True)
class Query:
    """All of it."""

    tree: Tree
    pipes: tuple[Pipe, ...]


def spelled(query: Query) -> str:
    """A query as one may type it."""
    pipes = [" ".join(filter(None, ("|", pipe.word, pipe.about))) for pipe in query.pipes]
    return " ".join([tree_spelled(query.tree), *pipes])


def tree_spelled(tree: Tree) -> str:
    """A tree as one may type it."""
    return spell(tree, _spelled)


def _spelled(tree: Tree) -> str:
    match tree:
        case Relative(word, part):
            return f"{word} {spell_inside(part, _spelled, Every, Some)}"
        case Flag(name):
            return name
        case Compared(name, mark, values):
            return f"{name}{mark}{','.join(map(_value, values))}"
        case Text(said, is_pattern):
            return f"text~{_pattern(said) if is_pattern else quoted(said)}"
        case Span(first, last):
            return f"step {_range(first, last)}"
        case Times(first, last):
            return _range(first and f"@{first}", last and f"@{last}")
        case OfNode(word, node, budget):
            return f"{word}({_value(node)}){f' budget={budget}' if budget is not None else ''}"
    raise TypeError(tree)


def parts_of(tree: Tree) -> Iterator[Tree]:
    """A tree and everything in it."""
    yield tree
    match tree:
        case Every(parts) | Some(parts):
            for part in parts:
                yield from parts_of(part)
        case Without(part) | Relative(_, part):
            yield from parts_of(part)


def _range(first: object, last: object) -> str:
    return f"{first if first is not None else ''}..{last if last is not None else ''}"


def _value(text: str) -> str:
    return text if BARE.fullmatch(text) else quoted(text)


def _pattern(text: str) -> str:
    """Between strokes; a stroke inside gets a backslash, unless it has one."""
    return "/" + re.sub(r"(\\.)|/", lambda found: found[1] or "\\/", text, flags=re.DOTALL) + "/"
