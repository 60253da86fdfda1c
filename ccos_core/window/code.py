"""What windows are made from: some tree's code, wherever it comes from, and how people name things in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Protocol

from ccos_core.errors import NotFound, Usage
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of, symbol_of
from ccos_core.values.nesting import Nesting
from ccos_core.window.source import Source

MOST_TOLD = 8
"""Candidates listed where a name means several things."""


class Code(Protocol):
    """The files of a tree and what they depend on."""

    def paths(self) -> Sequence[str]:
        """Every file, in the order of their names."""

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""

    def source(self, path: str) -> Source:
        """A file as a window shows it."""

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on."""


def find(said: str, code: Code) -> Target:
    """The file or symbol a person means: by its node id, by `PATH`, `PATH#NAME`, `PATH::NAME` or `NAME`, each as far
    from its end as it takes to be the only one."""
    path, name = _parts(said)
    files = _files(path, code)
    if not name and files:
        return Target(_only(said, files))
    if not name:
        path, name = "", path
    elif not files:
        raise _unknown(said, path, code.paths())
    within = files if path else code.paths()
    found = [Target(each, at) for each in within for at in _named(code.outline(each), name)]
    if path and len({(each.path, code.outline(each.path).symbols[each.symbol].name) for each in found}) == 1:
        found = found[:1]  # the first of that name is spelled without a number
    nodes = {spelled(target, code): target for target in found}
    if not nodes:
        names = {symbol.name for each in within for symbol in code.outline(each).symbols}
        known = sorted(names | {each.rpartition(".")[2] for each in names})
        raise _unknown(said, name, known if path else [*known, *code.paths()])
    return nodes[_only(said, list(nodes))]


def spelled(target: Target, code: Code) -> str:
    """A target's node id."""
    return Nesting(target.path, code.outline(target.path)).node(target.symbol)


def _parts(said: str) -> tuple[str, str]:
    """(path, name of a symbol) of what a person typed; only the path where it may be either."""
    told = symbol_of(said)
    if told is not None or said.startswith("file:"):
        return path_of(said) or "", f"{told[0]}~{told[1]}" if told is not None else ""
    mark = "#" if "#" in said else "::"
    path, _, name = said.partition(mark)
    return path.removeprefix("./"), name.replace("::", ".")


def _files(path: str, code: Code) -> list[str]:
    paths = code.paths()
    return [path] if path in paths else [each for each in paths if path and each.endswith("/" + path)]


def _named(outline: Outline, name: str) -> list[int]:
    """Symbols of that name: in full, else by its end. `~2` picks the second of several."""
    plain, _, which = name.partition("~")
    whole = [at for at, symbol in enumerate(outline.symbols) if symbol.name == plain]
    if which.isascii() and which.isdigit() and len(which) < 10:
        return whole[int(which) - 1 : int(which)]
    return whole or [at for at, symbol in enumerate(outline.symbols) if symbol.name.endswith("." + plain)]


def _only(said: str, found: list[str]) -> str:
    if len(found) > 1:
        told = "  ".join(sorted(found)[:MOST_TOLD]) + ("  ..." if len(found) > MOST_TOLD else "")
        raise Usage("is ambiguous", place=said, hint="One of: " + told)
    return found[0]


def _unknown(said: str, name: str, known: Iterable[str]) -> NotFound:
    near = get_close_matches(name, list(known), 3)
    return NotFound("there is nothing with this name", place=said, hint="Near: " + "  ".join(near) if near else "")
