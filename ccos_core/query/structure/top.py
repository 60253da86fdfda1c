"""What most depends on: the files and the symbols a change to which would be felt furthest.

Three measures, each exact: who uses it, who would be reached through those, and its centrality. A symbol's users are
symbols and top levels of files; what reaches it follows uses and, from a type, its members, for users of a type may
use all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.query.structure.graph import Codebase, Graph, files, symbols
from ccos_core.query.structure.rank import millionths, ranks
from ccos_core.query.structure.reach import dependents, dependents_of
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting

MEASURES = ("direct", "reach", "centrality")
WALKS = 50
"""Rows up to which their walks cost less than knowing the reach of everything."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What depends on one file or symbol."""

    node: str
    path: str
    name: str
    """The symbol's qualified name; empty for a file."""

    kind: str
    line: int
    direct: int
    """Files, or symbols and top levels, that use it."""

    files: int
    """How many other files do."""

    reach: int
    """All that depend on it, over however many others."""

    centrality: int
    """Parts per million of a random reader's time."""


@dataclass(frozen=True, slots=True)
class Top:
    """The most depended on, first to last."""

    by: str
    files: tuple[Standing, ...]
    symbols: tuple[Standing, ...]


def top(code: Codebase, limit: int, by: str = "direct") -> Top:
    """The first `limit` files and symbols by one of `MEASURES`. What nothing depends on isn't among them."""
    return Top(by, _files(code, limit, by), _symbols(code, limit, by))


def _files(code: Codebase, limit: int, by: str) -> tuple[Standing, ...]:
    found = files(code)
    rows = []
    for node, (direct, reach, rank) in _first(found.graph, found.graph, limit, by):
        path = found.paths[node]
        nesting = Nesting(path, code.outlines[path])
        rows.append(Standing(nesting.node(MODULE), path, "", "file", 1, direct, direct, reach, millionths(rank)))
    return tuple(rows)


def _symbols(code: Codebase, limit: int, by: str) -> tuple[Standing, ...]:
    found = symbols(code)
    rows = []
    for node, (direct, reach, rank) in _first(found.used, found.reached, limit, by, frozenset(found.starts)):
        path, at = found.place(node)
        nesting = Nesting(path, code.outlines[path])
        symbol = nesting.outline.symbols[at]
        others = {found.file(user) for user in found.used.into[node]} - {found.file(node)}
        told = (nesting.node(at), path, symbol.name, symbol.kind, symbol.line)
        rows.append(Standing(*told, direct, len(others), reach, millionths(rank)))
    return tuple(rows)


def _first(
    used: Graph, reached: Graph, limit: int, by: str, but: frozenset[int] = frozenset()
) -> list[tuple[int, tuple[int, int, int]]]:
    """The nodes that come first by a measure, with all three. Ties go by direct use, by centrality, by number."""
    direct, rank = [len(above) for above in used.into], ranks(used)
    reach = dependents(reached) if by == "reach" or limit > WALKS else []
    measure = {"direct": direct, "reach": reach, "centrality": rank}[by]
    nodes = [node for node, above in enumerate(used.into) if above and node not in but]
    nodes.sort(key=lambda node: (-measure[node], -direct[node], -rank[node], node))
    return [
        (node, (direct[node], reach[node] if reach else dependents_of(reached, node), rank[node]))
        for node in nodes[:limit]
    ]
