"""Conditions combined with and, or, not and parentheses: the part that all query languages here share.

    either  both { "or" both }
    both    one { ["and"] one }
    one     "not" one  |  "(" either ")"  |  condition

A language hands in the reader of its conditions.

    read_either(Scan("a or not b"), lambda scan, depth: scan.take(WORD)[0])   # Some(("a", Without("b")))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ccos_core.errors import Usage
from ccos_core.text.scan import Scan

DEEPEST = 40  # parentheses and "not" inside each other
WORD = re.compile(r"[A-Za-z_][\w-]*")
_STEP = re.compile(r"\d{1,15}")
_DOTS = re.compile(r"\.\.")

ReadCondition: TypeAlias = Callable[[Scan, int], Any]
"""Takes the text and how deep the condition lies."""
Spell: TypeAlias = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Every:
    """All of these."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One of these at least."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """Not this."""

    part: Any


def read_either(scan: Scan, condition: ReadCondition, depth: int = 0) -> Any:
    """Read conditions joined by `or`."""
    parts = [_both(scan, condition, depth)]
    while takes_word(scan, "or"):
        parts.append(_both(scan, condition, depth))
    return Some(tuple(parts)) if len(parts) > 1 else parts[0]


def read_one(scan: Scan, condition: ReadCondition, depth: int) -> Any:
    """Read one condition, also a negated one or some in parentheses. Raises `Usage` beyond DEEPEST."""
    if depth > DEEPEST:
        raise scan.wrong("nested too deeply")
    if scan.takes("("):
        begin = scan.at - 1
        tree = read_either(scan, condition, depth + 1)
        if not scan.takes(")"):
            raise scan.wrong("this bracket is never closed", begin)
        return tree
    if takes_word(scan, "not"):
        return Without(read_one(scan, condition, depth + 1))
    return condition(scan, depth)


def read_steps(scan: Scan) -> tuple[int | None, int | None]:
    """Read a step or a range of steps: both ends, None for no limit."""
    first = scan.take(_STEP)
    dots = scan.take(_DOTS)
    last = scan.take(_STEP) if dots else first
    if first is None and last is None:
        raise scan.wrong("a step or a range of steps is missing here", hint="As in: step 100..200")
    return int(first[0]) if first else None, int(last[0]) if last else None


def spell(tree: Any, condition: Spell) -> str:
    """Return a tree as one may type it; `condition` spells what isn't joined by and, or or not."""
    match tree:
        case Every(parts):
            return " and ".join(spell_inside(part, condition, Every, Some) for part in parts)
        case Some(parts):
            return " or ".join(spell_inside(part, condition, Some) for part in parts)
        case Without(part):
            return f"not {spell_inside(part, condition, Every, Some)}"
    return condition(tree)


def spell_inside(tree: Any, condition: Spell, *looser: type) -> str:
    """Return a tree as one may type it as a part of another, in parentheses if it is one of the `looser` kinds."""
    said = spell(tree, condition)
    return f"({said})" if isinstance(tree, looser) else said


def quoted(text: str) -> str:
    """Return a text in quotes, as `Scan.quoted` reads it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def check_depth(said: Any) -> None:
    """Raise `Usage` for conditions in JSON that are nested deeper than text may be."""
    level = [said]
    for _ in range(2 * DEEPEST):  # an `and` is an object with a list in it
        level = [part for each in level for part in _parts(each)]
    if level:
        raise Usage("is nested too deeply", place="query")


def check_end(scan: Scan) -> None:
    """Raise `Usage` if something is left that can't be read."""
    if not scan.ended():
        raise scan.wrong("this closing bracket has no opening one" if scan.takes(")") else "can't read this")


def takes_word(scan: Scan, word: str) -> bool:
    """Read a word if it stands here, in any case; tell whether it did."""
    found = scan.peek(WORD)
    if found is None or found[0].lower() != word:
        return False
    scan.at = found.end()
    return True


def _parts(said: Any) -> Iterable[Any]:
    return said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()


def _both(scan: Scan, condition: ReadCondition, depth: int) -> Any:
    parts = [read_one(scan, condition, depth)]
    while takes_word(scan, "and") or _goes_on(scan):
        parts.append(read_one(scan, condition, depth))
    return Every(tuple(parts)) if len(parts) > 1 else parts[0]


def _goes_on(scan: Scan) -> bool:
    word = scan.peek(WORD)
    return not scan.ended() and scan.text[scan.at] not in ")|" and not (word and word[0].lower() == "or")
