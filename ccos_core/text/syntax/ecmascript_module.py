"""A JavaScript or TypeScript file as its resolver looks at it: tables of names, made once from its outline.

Nothing here knows other files; what a name leads to is followed elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.values.code import Outline, Reference

_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z")


@dataclass(frozen=True, slots=True)
class Module:
    """One file's names."""

    path: str
    stem: str
    """The path without its suffix: what a specifier says, and what is asked for."""
    outline: Outline
    named: dict[str, tuple[int, ...]]
    """Full names → the symbols that are called so."""
    members: dict[str, dict[str, tuple[int, ...]]]
    """Full name → what is inside of it, by name; what stands at the top is inside of the empty name."""
    bound: dict[str, tuple[tuple[int, str, str], ...]]
    """Name → (owner, module as said, item) of each import that gives it."""
    exports: dict[str, tuple[tuple[str, str], ...]]
    """Name others see → (module as said or empty, item)."""
    stars: tuple[str, ...]
    """Modules, as said, of which it hands on everything."""
    bases: dict[int, tuple[Reference, ...]]
    """Symbol → what it extends."""


def tables(path: str, outline: Outline) -> Module:
    """The tables of an outline."""
    named: dict[str, tuple[int, ...]] = {}
    members: dict[str, dict[str, tuple[int, ...]]] = {}
    for at, symbol in enumerate(outline.symbols):
        outer, _, name = symbol.name.rpartition(".")
        named[symbol.name] = (*named.get(symbol.name, ()), at)
        inner = members.setdefault(outer, {})
        inner[name] = (*inner.get(name, ()), at)
    bound: dict[str, tuple[tuple[int, str, str], ...]] = {}
    exports: dict[str, tuple[tuple[str, str], ...]] = {}
    stars: list[str] = []
    for each in outline.imports:
        if each.exported and each.name == "*":
            stars.append(each.module)
        elif each.exported:
            rows = exports.get(each.name, ())
            exports[each.name] = rows if (each.module, each.item) in rows else (*rows, (each.module, each.item))
        elif each.name:
            bound[each.name] = (*bound.get(each.name, ()), (each.owner, each.module, each.item))
    bases: dict[int, tuple[Reference, ...]] = {}
    for told in outline.references:
        if told.role == "base":
            bases[told.owner] = (*bases.get(told.owner, ()), told)
    return Module(path, split(path)[0], outline, named, members, bound, exports, tuple(dict.fromkeys(stars)), bases)


def split(path: str) -> tuple[str, str]:
    """A path without its suffix, and the suffix; only suffixes of this family are."""
    match = _SUFFIX.search(path)
    if match is None or match.start() == 0 or path[match.start() - 1] == "/":
        return path, ""
    return path[: match.start()], match.group()
