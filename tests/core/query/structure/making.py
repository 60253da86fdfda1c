"""Codebases to ask: real sources through the real outlines and resolvers, and made-up graphs for the laws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import dedent

from hypothesis import strategies as st

from ccos_core.query.structure.graph import Codebase, Graph, graph
from ccos_core.text.syntax.languages import language_of, resolvers
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import MODULE, Outline, Symbol

Edges = tuple[tuple[int, int], ...]


def understood(tree: Mapping[str, str], configs: Mapping[str, str] | None = None) -> Codebase:
    """The code of these sources."""
    by_family = resolvers()
    outlines: dict[str, Outline] = {}
    for path, text in (configs or {}).items():
        for resolver in by_family.values():
            resolver.configure(path, text)
    for path, text in tree.items():
        language = language_of(path)
        assert language is not None
        outlines[path] = outline(language, dedent(text).encode())
        by_family[language.family].put(path, outlines[path])

    def links(path: str) -> tuple[Link, ...]:
        language = language_of(path)
        assert language is not None
        found: tuple[Link, ...] = by_family[language.family].links(path)
        return found

    return Codebase(outlines, {path: links(path) for path in outlines}, lambda path: dedent(tree[path]))


def importing(edges: Iterable[tuple[str, str]], *alone: str) -> Codebase:
    """Files that import each other and do nothing else; the nth import of a file stands in its nth line."""
    links: dict[str, list[Link]] = {path: [] for path in alone}
    for start, end in edges:
        links.setdefault(end, [])
        links.setdefault(start, []).append(Link(MODULE, Target(end), "import", len(links.get(start, ())) + 1))
    return Codebase({path: Outline() for path in links}, {path: tuple(told) for path, told in links.items()})


def with_symbols(**names: str) -> dict[str, Outline]:
    """Outlines of files with functions of these names, one a line."""
    return {f"{path}.py": Outline(tuple(_functions(said))) for path, said in names.items()}


def _functions(said: str) -> Iterator[Symbol]:
    return (Symbol(name, "function", at, at, at, at) for at, name in enumerate(said.split(), 1))


def graphs(most: int = 9) -> st.SearchStrategy[Graph]:
    """Any small graph."""

    def of(size: int) -> st.SearchStrategy[Graph]:
        nodes = st.integers(0, size - 1)
        return st.sets(st.tuples(nodes, nodes), max_size=3 * size).map(lambda edges: graph(size, edges))

    return st.integers(1, most).flatmap(of)


def edges_of(told: Graph) -> Edges:
    return tuple((node, to) for node, below in enumerate(told.out) for to in below)


def reached(told: Graph, node: int) -> set[int]:
    """What a node leads to in one step or more; the slow and plain way."""
    found: set[int] = set()
    waiting = list(told.out[node])
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting.extend(told.out[at])
    return found


def circles(told: Graph) -> Iterator[tuple[int, ...]]:
    """Every circle, from its lowest node on; by trying everything."""

    def further(way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for to in told.out[way[-1]]:
            if to == way[0]:
                yield way
            elif to > way[0] and to not in way:
                yield from further((*way, to))

    for node in range(len(told)):
        yield from further((node,))
