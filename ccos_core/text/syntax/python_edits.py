"""What an edit of a Python file changes for those who look into it: which of its names mean something else now.

A name at the top of a file goes with everything that is under it. Its neighbours can't see lines, nor what functions
do inside of themselves; and a name that only stands elsewhere in the file, behind something new, means what it meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccos_core.values.code import MODULE, Outline

STARS = "*"
"""The name that stands for what star imports bring and what `__all__` lists."""


def key_of(path: str, name: str) -> str:
    """What is asked for when a name at the top of a file is looked up; a path alone can't be spelled so."""
    return f"{path}\n{name}"


def compared(before: Outline, after: Outline) -> tuple[list[str], Mapping[int, int]]:
    """(names that mean something else, place of a symbol before → its place now)."""
    new = {name: at for at, name in enumerate(_numbered(after))}
    places = {at: new[name] for at, name in enumerate(_numbered(before)) if name in new}
    old_meanings, new_meanings = _meanings(before, places), _meanings(after, {at: at for at in new.values()})
    names = sorted(old_meanings.keys() | new_meanings.keys())
    return [name for name in names if old_meanings.get(name) != new_meanings.get(name)], places


def _numbered(outline: Outline) -> list[tuple[str, int]]:
    """Each symbol's name and which of that name it is."""
    counts: dict[str, int] = {}
    found = []
    for symbol in outline.symbols:
        counts[symbol.name] = counts.get(symbol.name, 0) + 1
        found.append((symbol.name, counts[symbol.name]))
    return found


def _meanings(outline: Outline, places: Mapping[int, int]) -> dict[str, list[Any]]:
    """Name at the top → everything others can see of it, symbols by the place given."""
    found: dict[str, list[Any]] = {STARS: []}
    tops = [symbol.name.partition(".")[0] for symbol in outline.symbols]
    for at, symbol in enumerate(outline.symbols):
        found.setdefault(tops[at], []).append((places.get(at, MODULE - 1), symbol.name, symbol.kind))
    for each in outline.imports:
        row = (each.name, each.module, each.item, places.get(each.owner, each.owner))
        found.setdefault(_top(tops, each.owner, STARS if each.item == "*" else each.name), []).append(row)
    for use in outline.references:
        if use.role in ("base", "decorator") and use.owner != MODULE:
            found[tops[use.owner]].append((use.chain, use.role, places.get(use.owner, use.owner)))
        elif use.role == "listed" or use.chain.startswith("__all__.") or _top(tops, use.owner, "") == "__all__":
            found[STARS].append((use.chain, use.role))
    return found


def _top(tops: list[str], owner: int, otherwise: str) -> str:
    return otherwise if owner == MODULE else tops[owner]
