"""A folder's dependencies as numbers, ready to be asked about their shape.

A `Codebase` is what every question of this room is given: outlines and links, wherever they come from. Files are
numbered in the order of their paths, symbols in that of the files and of the text, so a number is a place in a total
order and breaks every tie. An edge from a to b says that a depends on b.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.nesting import Nesting


@dataclass(frozen=True, slots=True)
class Codebase:
    """What is known of some code."""

    outlines: Mapping[str, Outline]
    """Path → what the file says of itself."""

    links: Mapping[str, tuple[Link, ...]]
    """Path → what the file depends on."""

    text: Callable[[str], str] | None = None
    """What a file says, where that can be looked up."""

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.outlines))


@dataclass(frozen=True, slots=True)
class Graph:
    """Who depends on whom. Neighbours are distinct and ascending, and nothing depends on itself."""

    out: tuple[tuple[int, ...], ...]
    """Node → what it depends on."""

    into: tuple[tuple[int, ...], ...]
    """Node → what depends on it."""

    def __len__(self) -> int:
        return len(self.out)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Every edge, in order."""
        return ((node, to) for node, below in enumerate(self.out) for to in below)

    def within(self, nodes: Iterable[int]) -> Graph:
        """The part between these nodes, numbered anew in their order."""
        place = {node: at for at, node in enumerate(nodes)}
        return graph(
            len(place), ((at, place[to]) for node, at in place.items() for to in self.out[node] if to in place)
        )


def graph(size: int, edges: Iterable[tuple[int, int]]) -> Graph:
    """The graph of these edges; one said twice counts once, and one from a node to itself not at all."""
    below: list[set[int]] = [set() for _ in range(size)]
    for start, end in edges:
        if start != end:
            below[start].add(end)
    out = tuple(tuple(sorted(ends)) for ends in below)
    into: list[list[int]] = [[] for _ in range(size)]
    for start, ends in enumerate(out):
        for end in ends:
            into[end].append(start)
    return Graph(out, tuple(map(tuple, into)))


@dataclass(frozen=True, slots=True)
class Files:
    """The graph between files."""

    paths: tuple[str, ...]
    graph: Graph
    uses: Mapping[tuple[int, int], int]
    """Edge → how many different things of the one the other uses: symbols, each by each of its own."""


def files(code: Codebase) -> Files:
    """Every file, and what files depend on each other by whatever they use."""
    paths = code.paths()
    number = {path: at for at, path in enumerate(paths)}
    uses: dict[tuple[int, int], int] = {}
    for at, path in enumerate(paths):
        pairs = {(link.owner, link.target) for link in code.links.get(path, ()) if link.target.path != path}
        for target in sorted(target.path for _, target in pairs):
            if target in number:
                edge = at, number[target]
                uses[edge] = uses.get(edge, 0) + 1
    return Files(paths, graph(len(paths), uses), uses)


@dataclass(frozen=True, slots=True)
class Symbols:
    """The graph between symbols, each file's top level being one of them."""

    paths: tuple[str, ...]
    starts: tuple[int, ...]
    """File → the number of its top level; its symbols follow."""

    used: Graph
    """Who uses whom."""

    reached: Graph
    """The same, and a symbol depends on its members: who uses a type may use all of it."""

    def place(self, node: int) -> tuple[str, int]:
        """The path and the symbol of a node."""
        file = bisect_right(self.starts, node) - 1
        return self.paths[file], node - self.starts[file] + MODULE

    def file(self, node: int) -> int:
        """The number of the file it is in."""
        return bisect_right(self.starts, node) - 1


def symbols(code: Codebase) -> Symbols:
    """Every symbol and every top level, and what they use."""
    paths = code.paths()
    starts, size = [], 0
    for path in paths:
        starts.append(size)
        size += len(code.outlines[path].symbols) + 1
    top = {path: start - MODULE for path, start in zip(paths, starts, strict=True)}
    used = graph(
        size,
        (
            (top[path] + link.owner, top[link.target.path] + link.target.symbol)
            for path in paths
            for link in code.links.get(path, ())
            if link.target.path in top
        ),
    )
    members = (
        (top[path] + parent, top[path] + at)
        for path in paths
        for at, parent in enumerate(Nesting(path, code.outlines[path]).parents)
        if parent != MODULE
    )
    return Symbols(paths, tuple(starts), used, graph(size, chain(used.edges(), members)))
